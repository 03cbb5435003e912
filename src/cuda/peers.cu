// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// cuSPARSE and cuBLAS, opened when they are asked for: what lacis is compared with on a device.
#include "cuda/runtime.cuh"

namespace lacis::cuda {

std::int32_t peer_spmv(const lacis_peer_csr&, const void*, void*, std::int32_t, cudaStream_t, lacis_peer_result&) {
  return fail(lacis_code_no_peer, "CUDA: cuSPARSE cannot be opened");
}

std::int32_t peer_vector(lacis_peer_operation, lacis_value_type, std::int64_t, const void*, void*, std::int32_t,
                         cudaStream_t, lacis_peer_result&) {
  return fail(lacis_code_no_peer, "CUDA: cuBLAS cannot be opened");
}

}  // namespace lacis::cuda

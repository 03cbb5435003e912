// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels that were compiled for CUDA, by number.
#pragma once

namespace lacis::cuda {

struct cuda_kernel {
  const char* name = nullptr;
  const void* entry = nullptr;  ///< what cudaLaunchKernel takes; null when the kernel was not compiled
  int block_threads = 0;
  int shared_bytes = 0;
  int argument_count = 0;
};

// One function a file, named after the header in src/core/kernels.
void add_convert_kernels(cuda_kernel* table);
void add_dense_kernels(cuda_kernel* table);
void add_reduce_kernels(cuda_kernel* table);
void add_spgemm_count_kernels(cuda_kernel* table);
void add_spgemm_fill_kernels(cuda_kernel* table);
void add_spgemm_hash_kernels(cuda_kernel* table);
void add_spgemm_sort_kernels(cuda_kernel* table);
void add_spmm_kernels(cuda_kernel* table);
void add_spmv_bsr_kernels(cuda_kernel* table);
void add_spmv_coo_kernels(cuda_kernel* table);
void add_spmv_csr_kernels(cuda_kernel* table);
void add_spmv_ell_kernels(cuda_kernel* table);
void add_spmv_jds_kernels(cuda_kernel* table);
void add_spmv_long_kernels(cuda_kernel* table);
void add_spmv_sell_kernels(cuda_kernel* table);
void add_spmv_stream_kernels(cuda_kernel* table);
void add_triangular_kernels(cuda_kernel* table);
void add_vector_kernels(cuda_kernel* table);

}  // namespace lacis::cuda

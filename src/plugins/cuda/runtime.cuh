// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the files of the CUDA runtime share: its memory, its words for failures, and its scans and sorts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "device/table.hpp"

namespace lacis::cuda {

/// Keeps the words for message() and returns the code; formats as printf does.
[[gnu::format(printf, 2, 3)]] std::int32_t fail(lacis_code code, const char* format, ...);
/// ok, or the failure of `what` in the words of CUDA.
std::int32_t check(cudaError_t status, const char* what);
/// What the last failure on this thread said.
const char* last_words();
/// Names the kernel that a failure of later work may come from.
void remember_kernel(const char* name);

/// Ordered in the stream, from the pool of the plugin.
cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t stream);

/// Memory that a function needs until what it put into the stream is done.
class scratch {
 public:
  explicit scratch(cudaStream_t stream) : stream_(stream) {}
  ~scratch() {
    if (memory_ != nullptr) static_cast<void>(cudaFreeAsync(memory_, stream_));
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  cudaError_t reserve(std::size_t bytes) { return allocate(&memory_, bytes, stream_); }
  [[nodiscard]] void* data() const { return memory_; }

 private:
  cudaStream_t stream_;
  void* memory_ = nullptr;
};

// As lacis_runtime describes them; the files that include CUB.
cudaError_t scan(const std::int64_t* counts, std::int64_t* offsets, std::int64_t count, cudaStream_t stream);
cudaError_t reduce(lacis_reduction operation, const std::int64_t* values, std::int64_t count, std::int64_t* result,
                   cudaStream_t stream);
/// Sizes in bytes have been checked.
cudaError_t sort_segments(void* keys, std::int32_t key_bytes, void* values, std::int32_t value_bytes,
                          const std::int64_t* offsets, std::int64_t segments, std::int64_t count, cudaStream_t stream);

/// As lacis_runtime describes them: by cuSPARSE and cuBLAS, which are opened here.
std::int32_t peer_spmv(const lacis_peer_csr& a, const void* x, void* y, std::int32_t repeats, cudaStream_t stream,
                       lacis_peer_result& result);
std::int32_t peer_vector(lacis_peer_operation operation, lacis_value_type value_type, std::int64_t count, const void* x,
                         void* y, std::int32_t repeats, cudaStream_t stream, lacis_peer_result& result);

}  // namespace lacis::cuda

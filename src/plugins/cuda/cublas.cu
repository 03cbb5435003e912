// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Dot products, norms and updates of vectors by cuBLAS, which lacis is compared with.
#include <cstdio>
#include <cublas_v2.h>

#include "cuda/peer.cuh"

namespace lacis::cuda {
namespace {

/// What is used of it besides the operations; the header gives the types alone.
struct cublas_functions {
  peer_library library{"cuBLAS", "LACIS_CUBLAS", {"libcublas.so.13", "libcublas.so.12"}};
  decltype(cublasCreate_v2)* create;
  decltype(cublasDestroy_v2)* destroy;
  decltype(cublasSetStream_v2)* set_stream;
  decltype(cublasGetProperty)* get_property;
  decltype(cublasGetStatusName)* name_of;
  decltype(cublasGetStatusString)* words_for;

  cublas_functions() {
    library.find(create, "cublasCreate_v2");
    library.find(destroy, "cublasDestroy_v2");
    library.find(set_stream, "cublasSetStream_v2");
    library.find(get_property, "cublasGetProperty");
    library.find(name_of, "cublasGetStatusName");
    library.find(words_for, "cublasGetStatusString");
  }

  std::int32_t check(cublasStatus_t status, const char* what) const {
    if (status == CUBLAS_STATUS_SUCCESS) return lacis_code_ok;
    return fail(lacis_code_no_peer, "CUDA: cuBLAS, %s: %s (%s)", what, words_for(status), name_of(status));
  }
};

/// The operations of one type, with 64-bit lengths.
template <class Value> struct operations;

template <> struct operations<float> {
  using real = float;
  decltype(cublasSdot_v2_64)* dot;
  decltype(cublasSnrm2_v2_64)* norm;
  decltype(cublasSaxpy_v2_64)* axpy;
  explicit operations(peer_library& from) {
    from.find(dot, "cublasSdot_v2_64");
    from.find(norm, "cublasSnrm2_v2_64");
    from.find(axpy, "cublasSaxpy_v2_64");
  }
};

template <> struct operations<double> {
  using real = double;
  decltype(cublasDdot_v2_64)* dot;
  decltype(cublasDnrm2_v2_64)* norm;
  decltype(cublasDaxpy_v2_64)* axpy;
  explicit operations(peer_library& from) {
    from.find(dot, "cublasDdot_v2_64");
    from.find(norm, "cublasDnrm2_v2_64");
    from.find(axpy, "cublasDaxpy_v2_64");
  }
};

template <> struct operations<cuComplex> {
  using real = float;
  decltype(cublasCdotc_v2_64)* dot;
  decltype(cublasScnrm2_v2_64)* norm;
  decltype(cublasCaxpy_v2_64)* axpy;
  explicit operations(peer_library& from) {
    from.find(dot, "cublasCdotc_v2_64");
    from.find(norm, "cublasScnrm2_v2_64");
    from.find(axpy, "cublasCaxpy_v2_64");
  }
};

template <> struct operations<cuDoubleComplex> {
  using real = double;
  decltype(cublasZdotc_v2_64)* dot;
  decltype(cublasDznrm2_v2_64)* norm;
  decltype(cublasZaxpy_v2_64)* axpy;
  explicit operations(peer_library& from) {
    from.find(dot, "cublasZdotc_v2_64");
    from.find(norm, "cublasDznrm2_v2_64");
    from.find(axpy, "cublasZaxpy_v2_64");
  }
};

class cublas_handle {
 public:
  explicit cublas_handle(const cublas_functions& functions) : functions_(functions) {}
  ~cublas_handle() {
    if (handle_ != nullptr) functions_.destroy(handle_);
  }
  cublas_handle(const cublas_handle&) = delete;
  cublas_handle& operator=(const cublas_handle&) = delete;

  std::int32_t start(cudaStream_t stream) {
    if (const auto code = functions_.check(functions_.create(&handle_), "starting"); code != 0) return code;
    return functions_.check(functions_.set_stream(handle_, stream), "taking the stream");
  }
  [[nodiscard]] cublasHandle_t get() const { return handle_; }

 private:
  const cublas_functions& functions_;
  cublasHandle_t handle_ = nullptr;
};

/// Sums come back to the host, as those of lacis do, so both wait for them.
template <class Value>
std::int32_t time_operation(lacis_peer_operation operation, std::int64_t count, const void* given_x, void* given_y,
                            std::int32_t repeats, cudaStream_t stream, lacis_peer_result& result) {
  cublas_functions functions;
  const operations<Value> of(functions.library);
  if (const auto code = functions.library.state(); code != 0) return code;
  write_version(functions.library, functions.get_property, result);
  cublas_handle handle(functions);
  if (const auto code = handle.start(stream); code != 0) return code;
  const auto* const x = static_cast<const Value*>(given_x);
  auto* const y = static_cast<Value*>(given_y);
  Value sum = {};
  typename operations<Value>::real norm = 0;
  Value one = {};
  reinterpret_cast<typename operations<Value>::real&>(one) = 1;  // the real part stands first
  const auto run = [&] {
    switch (operation) {
      case lacis_peer_dot:
        return functions.check(of.dot(handle.get(), count, x, 1, y, 1, &sum), "the dot product");
      case lacis_peer_norm:
        return functions.check(of.norm(handle.get(), count, x, 1, &norm), "the norm");
      case lacis_peer_axpy:
        break;
    }
    return functions.check(of.axpy(handle.get(), count, &one, x, 1, y, 1), "the update");
  };
  return time_runs(stream, repeats, run, result.seconds);
}

}  // namespace

std::int32_t peer_vector(lacis_peer_operation operation, lacis_value_type value_type, std::int64_t count, const void* x,
                         void* y, std::int32_t repeats, cudaStream_t stream, lacis_peer_result& result) {
  result = {};
  switch (value_type) {
    case lacis_value_float:
      return time_operation<float>(operation, count, x, y, repeats, stream, result);
    case lacis_value_double:
      return time_operation<double>(operation, count, x, y, repeats, stream, result);
    case lacis_value_complex_float:
      return time_operation<cuComplex>(operation, count, x, y, repeats, stream, result);
    case lacis_value_complex_double:
      break;
  }
  return time_operation<cuDoubleComplex>(operation, count, x, y, repeats, stream, result);
}

}  // namespace lacis::cuda

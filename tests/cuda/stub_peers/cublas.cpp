// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A library that stands for cuBLAS where device memory is host memory: the functions that the plugin uses.
#include <cmath>
#include <cublas_v2.h>

#include "stub_peer.hpp"

struct cublasContext {
  cudaStream_t stream;
};

namespace {

stub_peer_state state;

bool fails() { return ++state.calls == state.fail_call; }

cublasStatus_t count_operation(cublasHandle_t handle, const char* type) {
  if (fails()) return CUBLAS_STATUS_EXECUTION_FAILED;
  ++state.products;
  state.algorithms |= 1 << (type[0] - 'A');
  state.last_stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}

/// Real numbers one after the other; a complex vector is one of twice the length, whose dot product with itself is the
/// same.
template <class Real> Real product(std::int64_t count, const Real* x, const Real* y) {
  Real sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += x[i] * y[i];
  return sum;
}
template <class Real> void update(std::int64_t count, Real alpha, const Real* x, Real* y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] += alpha * x[i];
}

}  // namespace

extern "C" {

stub_peer_state* lacis_stub_peer() { return &state; }

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (fails()) return CUBLAS_STATUS_NOT_INITIALIZED;
  ++state.created;
  *handle = new cublasContext{};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  ++state.destroyed;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  if (fails()) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  *value = type == MAJOR_VERSION ? 13 : type == MINOR_VERSION ? 1 : 0;
  return CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusName(cublasStatus_t) { return "CUBLAS_STATUS_OTHER"; }
const char* cublasGetStatusString(cublasStatus_t) { return "the stub was told to fail"; }

cublasStatus_t cublasSdot_v2_64(cublasHandle_t handle, std::int64_t n, const float* x, std::int64_t, const float* y,
                                std::int64_t, float* result) {
  *result = product(n, x, y);
  return count_operation(handle, "S");
}
cublasStatus_t cublasDdot_v2_64(cublasHandle_t handle, std::int64_t n, const double* x, std::int64_t, const double* y,
                                std::int64_t, double* result) {
  *result = product(n, x, y);
  return count_operation(handle, "D");
}
cublasStatus_t cublasCdotc_v2_64(cublasHandle_t handle, std::int64_t n, const cuComplex* x, std::int64_t,
                                 const cuComplex* y, std::int64_t, cuComplex* result) {
  *result = {product(2 * n, &x->x, &y->x), 0};
  return count_operation(handle, "C");
}
cublasStatus_t cublasZdotc_v2_64(cublasHandle_t handle, std::int64_t n, const cuDoubleComplex* x, std::int64_t,
                                 const cuDoubleComplex* y, std::int64_t, cuDoubleComplex* result) {
  *result = {product(2 * n, &x->x, &y->x), 0};
  return count_operation(handle, "Z");
}
cublasStatus_t cublasSnrm2_v2_64(cublasHandle_t handle, std::int64_t n, const float* x, std::int64_t, float* result) {
  *result = std::sqrt(product(n, x, x));
  return count_operation(handle, "S");
}
cublasStatus_t cublasDnrm2_v2_64(cublasHandle_t handle, std::int64_t n, const double* x, std::int64_t, double* result) {
  *result = std::sqrt(product(n, x, x));
  return count_operation(handle, "D");
}
cublasStatus_t cublasScnrm2_v2_64(cublasHandle_t handle, std::int64_t n, const cuComplex* x, std::int64_t,
                                  float* result) {
  *result = std::sqrt(product(2 * n, &x->x, &x->x));
  return count_operation(handle, "C");
}
cublasStatus_t cublasDznrm2_v2_64(cublasHandle_t handle, std::int64_t n, const cuDoubleComplex* x, std::int64_t,
                                  double* result) {
  *result = std::sqrt(product(2 * n, &x->x, &x->x));
  return count_operation(handle, "Z");
}
cublasStatus_t cublasSaxpy_v2_64(cublasHandle_t handle, std::int64_t n, const float* alpha, const float* x,
                                 std::int64_t, float* y, std::int64_t) {
  update(n, *alpha, x, y);
  return count_operation(handle, "S");
}
cublasStatus_t cublasDaxpy_v2_64(cublasHandle_t handle, std::int64_t n, const double* alpha, const double* x,
                                 std::int64_t, double* y, std::int64_t) {
  update(n, *alpha, x, y);
  return count_operation(handle, "D");
}
cublasStatus_t cublasCaxpy_v2_64(cublasHandle_t handle, std::int64_t n, const cuComplex* alpha, const cuComplex* x,
                                 std::int64_t, cuComplex* y, std::int64_t) {
  update(2 * n, alpha->x, &x->x, &y->x);
  return alpha->y == 0 ? count_operation(handle, "C") : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasZaxpy_v2_64(cublasHandle_t handle, std::int64_t n, const cuDoubleComplex* alpha,
                                 const cuDoubleComplex* x, std::int64_t, cuDoubleComplex* y, std::int64_t) {
  update(2 * n, alpha->x, &x->x, &y->x);
  return alpha->y == 0 ? count_operation(handle, "Z") : CUBLAS_STATUS_INVALID_VALUE;
}

}  // extern "C"

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A library that stands for cuSPARSE where device memory is host memory: the functions that the plugin uses, for
// doubles.
#include <cusparse.h>

#include "stub_peer.hpp"

struct cusparseContext {
  cudaStream_t stream;
};
struct cusparseSpMatDescr {
  std::int64_t rows;
  const void* offsets;
  const void* columns;
  const double* values;
  bool wide_offsets;
  bool wide_columns;
  const void* prepared_with;  ///< the buffer
};
struct cusparseDnVecDescr {
  double* values;
};

namespace {

stub_peer_state state;

/// Whether this call is the one that has to fail.
bool fails() { return ++state.calls == state.fail_call; }

std::int64_t index_at(const void* array, bool wide, std::int64_t i) {
  return wide ? static_cast<const std::int64_t*>(array)[i] : static_cast<const std::int32_t*>(array)[i];
}

}  // namespace

extern "C" {

stub_peer_state* lacis_stub_peer() { return &state; }

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (fails()) return CUSPARSE_STATUS_NOT_INITIALIZED;
  ++state.created;
  *handle = new cusparseContext{};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  ++state.destroyed;
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (fails()) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  *value = type == MAJOR_VERSION ? 12 : type == MINOR_VERSION ? 6 : 3;
  return CUSPARSE_STATUS_SUCCESS;
}
const char* cusparseGetErrorName(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_NOT_SUPPORTED ? "CUSPARSE_STATUS_NOT_SUPPORTED" : "CUSPARSE_STATUS_OTHER";
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_NOT_SUPPORTED ? "operation not supported" : "the stub was told to fail";
}

cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, std::int64_t rows, std::int64_t,
                                        std::int64_t, const void* offsets, const void* columns, const void* values,
                                        cusparseIndexType_t offset_type, cusparseIndexType_t column_type,
                                        cusparseIndexBase_t, cudaDataType) {
  if (fails()) return CUSPARSE_STATUS_INVALID_VALUE;
  ++state.created;
  const bool wide_offsets = offset_type == CUSPARSE_INDEX_64I;
  const bool wide_columns = column_type == CUSPARSE_INDEX_64I;
  state.last_offset_bytes = wide_offsets ? 8 : 4;
  state.last_column_bytes = wide_columns ? 8 : 4;
  *matrix = new cusparseSpMatDescr{rows,         offsets,      columns, static_cast<const double*>(values),
                                   wide_offsets, wide_columns, nullptr};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  ++state.destroyed;
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, std::int64_t, const void* values,
                                          cudaDataType) {
  if (fails()) return CUSPARSE_STATUS_INVALID_VALUE;
  ++state.created;
  *vector = new cusparseDnVecDescr{static_cast<double*>(const_cast<void*>(values))};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, std::int64_t, void* values, cudaDataType) {
  if (fails()) return CUSPARSE_STATUS_INVALID_VALUE;
  ++state.created;
  *vector = new cusparseDnVecDescr{static_cast<double*>(values)};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  ++state.destroyed;
  delete vector;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Refuses mixed widths where the library might: not before it knows what is to be done.
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, size_t* bytes) {
  if (fails()) return CUSPARSE_STATUS_INTERNAL_ERROR;
  if (state.refuse_mixed && matrix->wide_offsets != matrix->wide_columns) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *bytes = 512;
  return CUSPARSE_STATUS_SUCCESS;
}
#ifndef LACIS_STUB_WITHOUT_PREPROCESS  // as in older ones
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void* buffer) {
  if (fails()) return CUSPARSE_STATUS_INTERNAL_ERROR;
  ++state.prepared;
  const_cast<cusparseSpMatDescr*>(matrix)->prepared_with = buffer;
  return CUSPARSE_STATUS_SUCCESS;
}
#endif
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType, cusparseSpMVAlg_t algorithm, void* buffer) {
  if (fails()) return CUSPARSE_STATUS_EXECUTION_FAILED;
  // A product must use the buffer that it was prepared with.
  if (buffer == nullptr || (a->prepared_with != nullptr && a->prepared_with != buffer))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (*static_cast<const double*>(alpha) != 1 || *static_cast<const double*>(beta) != 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  ++state.products;
  state.last_stream = handle->stream;
  state.algorithms |= 1 << algorithm;
  for (std::int64_t i = 0; i < a->rows; ++i) {
    double sum = 0;
    for (std::int64_t k = index_at(a->offsets, a->wide_offsets, i); k < index_at(a->offsets, a->wide_offsets, i + 1);
         ++k)
      sum += a->values[k] * x->values[index_at(a->columns, a->wide_columns, k)];
    y->values[i] = sum;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

}  // extern "C"

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product y = A x by cuSPARSE, which lacis is compared with.
#include <cstdio>
#include <cusparse.h>
#include <limits>
#include <vector>

#include "cuda/peer.cuh"

namespace lacis::cuda {
namespace {

/// What is used of it; the header gives the types alone.
struct cusparse_functions {
  peer_library library{"cuSPARSE", "LACIS_CUSPARSE", {"libcusparse.so.12", "libcusparse.so.13"}};
  decltype(cusparseCreate)* create;
  decltype(cusparseDestroy)* destroy;
  decltype(cusparseSetStream)* set_stream;
  decltype(cusparseGetProperty)* get_property;
  decltype(cusparseGetErrorName)* name_of;
  decltype(cusparseGetErrorString)* words_for;
  decltype(cusparseCreateConstCsr)* create_csr;
  decltype(cusparseDestroySpMat)* destroy_matrix;
  decltype(cusparseCreateConstDnVec)* create_input;
  decltype(cusparseCreateDnVec)* create_output;
  decltype(cusparseDestroyDnVec)* destroy_vector;
  decltype(cusparseSpMV_bufferSize)* buffer_size;
  decltype(cusparseSpMV_preprocess)* preprocess;  ///< null before CUDA 12.4
  decltype(cusparseSpMV)* multiply;

  cusparse_functions() {
    library.find(create, "cusparseCreate");
    library.find(destroy, "cusparseDestroy");
    library.find(set_stream, "cusparseSetStream");
    library.find(get_property, "cusparseGetProperty");
    library.find(name_of, "cusparseGetErrorName");
    library.find(words_for, "cusparseGetErrorString");
    library.find(create_csr, "cusparseCreateConstCsr");
    library.find(destroy_matrix, "cusparseDestroySpMat");
    library.find(create_input, "cusparseCreateConstDnVec");
    library.find(create_output, "cusparseCreateDnVec");
    library.find(destroy_vector, "cusparseDestroyDnVec");
    library.find(buffer_size, "cusparseSpMV_bufferSize");
    library.find_optional(preprocess, "cusparseSpMV_preprocess");
    library.find(multiply, "cusparseSpMV");
  }

  std::int32_t check(cusparseStatus_t status, const char* what) const {
    if (status == CUSPARSE_STATUS_SUCCESS) return lacis_code_ok;
    return fail(lacis_code_no_peer, "CUDA: cuSPARSE, %s: %s (%s)", what, words_for(status), name_of(status));
  }
};

/// The arrays of the matrix, with indices as they are given to cuSPARSE.
struct csr_arrays {
  const void* offsets;
  const void* columns;
  cusparseIndexType_t offset_type;
  cusparseIndexType_t column_type;
};

cudaDataType data_type(lacis_value_type type) {
  switch (type) {
    case lacis_value_float:
      return CUDA_R_32F;
    case lacis_value_double:
      return CUDA_R_64F;
    case lacis_value_complex_float:
      return CUDA_C_32F;
    case lacis_value_complex_double:
      break;
  }
  return CUDA_C_64F;
}

/// What one algorithm needs for products with one matrix: a descriptor holds what it has found out about it.
class prepared_product {
 public:
  prepared_product(const cusparse_functions& functions, cudaStream_t stream, lacis_value_type type)
      : functions_(functions),
        type_(data_type(type)),
        single_(type == lacis_value_float || type == lacis_value_complex_float),
        stream_(stream),
        buffer_(stream) {}
  ~prepared_product() {
    if (y_ != nullptr) functions_.destroy_vector(y_);
    if (x_ != nullptr) functions_.destroy_vector(x_);
    if (matrix_ != nullptr) functions_.destroy_matrix(matrix_);
    if (handle_ != nullptr) functions_.destroy(handle_);
  }
  prepared_product(const prepared_product&) = delete;
  prepared_product& operator=(const prepared_product&) = delete;

  /// Also multiplies once. `refused` when cuSPARSE does not have these types of indices.
  std::int32_t prepare(const lacis_peer_csr& a, const csr_arrays& arrays, const void* x, void* y,
                       cusparseSpMVAlg_t algorithm, bool& refused) {
    const auto step = [&](cusparseStatus_t status, const char* what) {
      refused = status == CUSPARSE_STATUS_NOT_SUPPORTED;
      return functions_.check(status, what);
    };
    algorithm_ = algorithm;
    if (const auto code = step(functions_.create(&handle_), "starting"); code != 0) return code;
    if (const auto code = step(functions_.set_stream(handle_, stream_), "taking the stream"); code != 0) return code;
    if (const auto code =
            step(functions_.create_csr(&matrix_, a.rows, a.cols, a.nnz, arrays.offsets, arrays.columns, a.values,
                                       arrays.offset_type, arrays.column_type, CUSPARSE_INDEX_BASE_ZERO, type_),
                 "describing the matrix");
        code != 0)
      return code;
    if (const auto code = step(functions_.create_input(&x_, a.cols, x, type_), "describing x"); code != 0) return code;
    if (const auto code = step(functions_.create_output(&y_, a.rows, y, type_), "describing y"); code != 0) return code;
    std::size_t bytes = 0;
    if (const auto code = step(functions_.buffer_size(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, one(), matrix_, x_,
                                                      zero(), y_, type_, algorithm_, &bytes),
                               "asking for the size of the buffer");
        code != 0)
      return code;
    if (bytes > 0)
      if (const auto code = cuda::check(buffer_.reserve(bytes), "allocating the buffer of cuSPARSE"); code != 0)
        return code;
    if (functions_.preprocess != nullptr)
      if (const auto code = step(functions_.preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, one(), matrix_, x_,
                                                       zero(), y_, type_, algorithm_, buffer_.data()),
                                 "preparing the product");
          code != 0)
        return code;
    return step(product(), "multiplying");
  }

  std::int32_t multiply() { return functions_.check(product(), "multiplying"); }

 private:
  cusparseStatus_t product() {
    return functions_.multiply(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, one(), matrix_, x_, zero(), y_, type_,
                               algorithm_, buffer_.data());
  }
  /// A complex scalar begins with its real part, so the same numbers serve.
  [[nodiscard]] const void* one() const {
    static constexpr float singles[2] = {1, 0};
    static constexpr double doubles[2] = {1, 0};
    return single_ ? static_cast<const void*>(singles) : doubles;
  }
  [[nodiscard]] static const void* zero() {
    static constexpr double zeros[2] = {0, 0};
    return zeros;
  }

  const cusparse_functions& functions_;
  cudaDataType type_;
  bool single_;
  cudaStream_t stream_;
  cusparseHandle_t handle_ = nullptr;
  cusparseConstSpMatDescr_t matrix_ = nullptr;
  cusparseConstDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
  cusparseSpMVAlg_t algorithm_ = CUSPARSE_SPMV_ALG_DEFAULT;
  scratch buffer_;
};

/// A copy of an array of indices in another width. By way of the host: it is not timed, and needs no kernel.
template <class To, class From>
std::int32_t convert_indices(const From* from, std::int64_t count, cudaStream_t stream, scratch& to) {
  const auto size = static_cast<std::size_t>(count);
  std::vector<From> given(size);
  if (const auto code = check(cudaMemcpyAsync(given.data(), from, size * sizeof(From), cudaMemcpyDeviceToHost, stream),
                              "copying indices");
      code != 0)
    return code;
  if (const auto code = check(cudaStreamSynchronize(stream), "copying indices"); code != 0) return code;
  const std::vector<To> converted(given.begin(), given.end());
  if (const auto code = check(to.reserve(size * sizeof(To)), "allocating indices for cuSPARSE"); code != 0) return code;
  if (const auto code =
          check(cudaMemcpyAsync(to.data(), converted.data(), size * sizeof(To), cudaMemcpyHostToDevice, stream),
                "copying indices");
      code != 0)
    return code;
  return check(cudaStreamSynchronize(stream), "copying indices");
}

std::int32_t time_algorithm(const cusparse_functions& functions, const lacis_peer_csr& a, const csr_arrays& arrays,
                            const void* x, void* y, cusparseSpMVAlg_t algorithm, std::int32_t repeats,
                            cudaStream_t stream, double& seconds, bool& refused) {
  prepared_product product(functions, stream, a.value_type);
  if (const auto code = product.prepare(a, arrays, x, y, algorithm, refused); code != 0) return code;
  return time_runs(stream, repeats, [&] { return product.multiply(); }, seconds);
}

}  // namespace

std::int32_t peer_spmv(const lacis_peer_csr& a, const void* x, void* y, std::int32_t repeats, cudaStream_t stream,
                       lacis_peer_result& result) {
  result = {};
  const cusparse_functions functions;
  if (const auto code = functions.library.state(); code != 0) return code;
  write_version(functions.library, functions.get_property, result);

  const bool narrow_columns = a.column_bytes == 4;
  csr_arrays arrays{a.row_offsets, a.columns, CUSPARSE_INDEX_64I,
                    narrow_columns ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I};
  const char* how = "";
  scratch converted(stream);
  const auto time = [&](cusparseSpMVAlg_t algorithm, double& seconds, bool& refused) {
    return time_algorithm(functions, a, arrays, x, y, algorithm, repeats, stream, seconds, refused);
  };
  bool refused = false;
  std::int32_t code = time(CUSPARSE_SPMV_ALG_DEFAULT, result.seconds, refused);
  if (refused && narrow_columns) {  // offsets and columns of different widths: make them alike
    if (a.nnz <= std::numeric_limits<std::int32_t>::max()) {
      code = convert_indices<std::int32_t>(a.row_offsets, a.rows + 1, stream, converted);
      arrays.offsets = converted.data();
      arrays.offset_type = CUSPARSE_INDEX_32I;
      how = "; offsets narrowed to 32 bits";
    } else {
      code = convert_indices<std::int64_t>(static_cast<const std::int32_t*>(a.columns), a.nnz, stream, converted);
      arrays.columns = converted.data();
      arrays.column_type = CUSPARSE_INDEX_64I;
      how = "; columns widened to 64 bits";
    }
    if (code == 0) code = time(CUSPARSE_SPMV_ALG_DEFAULT, result.seconds, refused);
  }
  if (code != 0) return code;
  double reproducible = 0;
  if (time(CUSPARSE_SPMV_CSR_ALG2, reproducible, refused) == 0)
    std::snprintf(result.remark, sizeof result.remark,
                  "default algorithm; CSR_ALG2, with the same bits every time, took %.4g ms%s", reproducible * 1e3,
                  how);
  else
    std::snprintf(result.remark, sizeof result.remark, "default algorithm; CSR_ALG2 did not run%s", how);
  return lacis_code_ok;
}

}  // namespace lacis::cuda

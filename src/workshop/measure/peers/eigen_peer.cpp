// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigen's products of a row-major sparse matrix with a vector, dense columns or another matrix, for peer.py;
// compiled as its users would.
#include <Eigen/SparseCore>
#include <complex>
#include <cstdint>

namespace {

template <class Value, class Index> using matrix = Eigen::SparseMatrix<Value, Eigen::RowMajor, Index>;
template <class Value> using vector = Eigen::Matrix<Value, Eigen::Dynamic, 1>;

template <class Value, class Index>
void* create(std::int64_t rows, std::int64_t cols, const Index* row_offsets, const Index* columns,
             const Value* values) try {
  const Eigen::Map<const matrix<Value, Index>> borrowed(rows, cols, row_offsets[rows], row_offsets, columns, values);
  return new matrix<Value, Index>(borrowed);
} catch (const std::bad_alloc&) {
  return nullptr;
}

template <class Value, class Index> void multiply(const void* handle, const Value* x, Value* y) {
  const auto& a = *static_cast<const matrix<Value, Index>*>(handle);
  Eigen::Map<vector<Value>> result(y, a.rows());
  result.noalias() = a * Eigen::Map<const vector<Value>>(x, a.cols());
}

template <class Value, class Index, int Order>
void multiply_columns(const void* handle, std::int64_t count, const Value* x, Value* y) {
  using dense = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic, Order>;
  const auto& a = *static_cast<const matrix<Value, Index>*>(handle);
  Eigen::Map<dense> result(y, a.rows(), count);
  result.noalias() = a * Eigen::Map<const dense>(x, a.cols(), count);
}

/// A product of two sparse matrices is sorted on the way to its result.
template <class Value, class Index> void* product(const void* a, const void* b) try {
  return new matrix<Value, Index>(*static_cast<const matrix<Value, Index>*>(a) *
                                  *static_cast<const matrix<Value, Index>*>(b));
} catch (const std::bad_alloc&) {
  return nullptr;
}

/// Where the arrays of a matrix are, and how many entries it has.
template <class Value, class Index> std::int64_t arrays(void* handle, const void** addresses) {
  auto& a = *static_cast<matrix<Value, Index>*>(handle);
  a.makeCompressed();
  addresses[0] = a.outerIndexPtr();
  addresses[1] = a.innerIndexPtr();
  addresses[2] = a.valuePtr();
  return a.nonZeros();
}

}  // namespace

#define LACIS_TEXT(name) #name
#define LACIS_NUMBER(name) LACIS_TEXT(name)

extern "C" {

const char* eigen_version() {
  return LACIS_NUMBER(EIGEN_WORLD_VERSION) "." LACIS_NUMBER(EIGEN_MAJOR_VERSION) "." LACIS_NUMBER(EIGEN_MINOR_VERSION);
}

#define LACIS_EIGEN(Value, Index, name)                                                                               \
  void* eigen_create_##name(std::int64_t rows, std::int64_t cols, const Index* row_offsets, const Index* columns,     \
                            const Value* values) {                                                                    \
    return create(rows, cols, row_offsets, columns, values);                                                          \
  }                                                                                                                   \
  void eigen_multiply_##name(const void* handle, const Value* x, Value* y) { multiply<Value, Index>(handle, x, y); }  \
  void eigen_multiply_columns_##name(const void* handle, std::int64_t count, int by_rows, const Value* x, Value* y) { \
    (by_rows != 0 ? multiply_columns<Value, Index, Eigen::RowMajor>                                                   \
                  : multiply_columns<Value, Index, Eigen::ColMajor>)(handle, count, x, y);                            \
  }                                                                                                                   \
  void* eigen_product_##name(const void* a, const void* b) { return product<Value, Index>(a, b); }                    \
  std::int64_t eigen_arrays_##name(void* handle, const void** addresses) {                                            \
    return arrays<Value, Index>(handle, addresses);                                                                   \
  }                                                                                                                   \
  void eigen_destroy_##name(void* handle) { delete static_cast<matrix<Value, Index>*>(handle); }
LACIS_EIGEN(float, std::int32_t, float32_int32)
LACIS_EIGEN(float, std::int64_t, float32_int64)
LACIS_EIGEN(double, std::int32_t, float64_int32)
LACIS_EIGEN(double, std::int64_t, float64_int64)
LACIS_EIGEN(std::complex<float>, std::int32_t, complex64_int32)
LACIS_EIGEN(std::complex<float>, std::int64_t, complex64_int64)
LACIS_EIGEN(std::complex<double>, std::int32_t, complex128_int32)
LACIS_EIGEN(std::complex<double>, std::int64_t, complex128_int64)

}  // extern "C"

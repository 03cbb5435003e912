// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices of Eigen as matrices of lacis and back, without a copy of columns and values. Needs Eigen 3.4 on the include
// path; vectors of Eigen need nothing: products and solvers take them as they are.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include <lacis/buffer.hpp>
#include <lacis/csc.hpp>
#include <lacis/csr.hpp>
#include <lacis/dense.hpp>
#include <lacis/error.hpp>

namespace lacis {

namespace detail {

/// A compressed sparse object of Eigen, by rows or by columns.
template <class Derived, template <class, class, class> class View> auto view_of_eigen(const Derived& a) {
  using value_type = typename Derived::Scalar;
  using index_type = std::conditional_t<sizeof(typename Derived::StorageIndex) == 4, std::int32_t, std::int64_t>;
  static_assert(sizeof(typename Derived::StorageIndex) == sizeof(index_type), "Eigen's StorageIndex has 32 or 64 bits");
  if (!a.isCompressed())
    throw error(errc::invalid_argument, "this sparse matrix of Eigen is not compressed; call makeCompressed() first");
  const auto entries = static_cast<std::size_t>(a.nonZeros());
  return View<value_type, index_type, index_type>(
      a.rows(), a.cols(),
      std::span(reinterpret_cast<const index_type*>(a.outerIndexPtr()), static_cast<std::size_t>(a.outerSize()) + 1),
      std::span(reinterpret_cast<const index_type*>(a.innerIndexPtr()), entries), std::span(a.valuePtr(), entries));
}

}  // namespace detail

/// A compressed sparse matrix of Eigen by rows (SparseMatrix<T, RowMajor>, Map and Ref of one): its arrays, borrowed.
/// error(invalid_argument) where it is not compressed.
template <class Derived>
  requires(static_cast<bool>(Derived::IsRowMajor))
[[nodiscard]] auto view_of(const Eigen::SparseCompressedBase<Derived>& a) {
  return detail::view_of_eigen<Derived, csr_view>(a.derived());
}
/// The same by columns, which is Eigen's default.
template <class Derived>
  requires(!static_cast<bool>(Derived::IsRowMajor))
[[nodiscard]] auto view_of(const Eigen::SparseCompressedBase<Derived>& a) {
  return detail::view_of_eigen<Derived, csc_view>(a.derived());
}
/// What it would show of a temporary is gone when it is used.
template <class T, int Options, class Index> void view_of(const Eigen::SparseMatrix<T, Options, Index>&& a) = delete;

/// A dense matrix of Eigen, or a part of one, with its strides: an operand of products with dense columns.
template <class Derived> [[nodiscard]] auto view_of(const Eigen::DenseBase<Derived>& a) {
  const Derived& all = a.derived();
  const std::int64_t inner = all.innerStride();
  const std::int64_t outer = all.outerStride();
  return dense_view<const typename Derived::Scalar>{
      all.data(), all.rows(), all.cols(), Derived::IsRowMajor ? outer : inner, Derived::IsRowMajor ? inner : outer};
}
/// The same to be written.
template <class Derived> [[nodiscard]] auto writable_view_of(Eigen::DenseBase<Derived>& a) {
  Derived& all = a.derived();
  const auto seen = view_of(a);
  return dense_view<typename Derived::Scalar>{all.data(), seen.rows, seen.cols, seen.row_stride, seen.col_stride};
}

/// A matrix of lacis as Eigen sees it: columns and values borrowed, offsets copied to the type of the columns, which is
/// how Eigen has them. `map()` goes wherever Eigen takes a sparse matrix by rows.
template <value Value, index Index> class eigen_matrix {
 public:
  /// What Eigen takes for a sparse matrix by rows that it does not own.
  using map_type = Eigen::Map<const Eigen::SparseMatrix<Value, Eigen::RowMajor, Index>>;

  /// error(overflow) where there are more entries than Index counts; error(invalid_argument) where one value stands for
  /// all entries, which Eigen does not know.
  explicit eigen_matrix(const csr_view<Value, Index>& a)
      : rows_(a.rows), cols_(a.cols), offsets_(static_cast<std::int64_t>(a.row_offsets.size())), view_(a) {
    if (a.nnz() > std::numeric_limits<Index>::max())
      throw error(errc::overflow, "Eigen counts entries in the type of the columns: cast_indices<std::int64_t> first");
    if (a.values.iso && a.nnz() != 1)
      throw error(errc::invalid_argument, "Eigen stores a value for every entry, and this matrix has one for all");
    for (std::int64_t i = 0; i < offsets_.size(); ++i)
      offsets_[i] = static_cast<Index>(a.row_offsets[static_cast<std::size_t>(i)]);
  }
  /// The same for a matrix, which must outlive this object.
  explicit eigen_matrix(const csr_matrix<Value, Index>& a) : eigen_matrix(a.view()) {}
  /// The columns and values of a temporary are gone when the map is used.
  explicit eigen_matrix(const csr_matrix<Value, Index>&& a) = delete;

  /// The matrix for Eigen; valid while this object and the matrix of lacis live.
  [[nodiscard]] map_type map() const& {
    return map_type(rows_, cols_, view_.nnz(), offsets_.data(), view_.columns.data(), view_.values.data.data());
  }
  /// The offsets of a temporary would be gone: give the object a name.
  void map() const&& = delete;

 private:
  std::int64_t rows_;
  std::int64_t cols_;
  buffer<Index> offsets_;
  csr_view<Value, Index> view_;
};

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Hybrid: the first entries of each row in ELL, the rest in COO.
#pragma once

#include <cstdint>

#include <lacis/coo.hpp>
#include <lacis/ell.hpp>
#include <lacis/fwd.hpp>

namespace lacis {

/// A HYB matrix, borrowed. Both parts have the sizes of the whole; row i begins in `ell` and, when it is longer than
/// ell.width, goes on in `coo`, whose entries are grouped by ascending row.
template <value Value, index Index> struct hyb_view {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;       ///< number of rows
  std::int64_t cols = 0;       ///< number of columns
  ell_view<Value, Index> ell;  ///< the first ell.width entries of each row
  coo_view<Value, Index> coo;  ///< the entries after those, by ascending row

  /// Entries of both parts; padding does not count.
  [[nodiscard]] std::int64_t nnz() const { return ell.nnz() + coo.nnz(); }
  /// Itself: functions take whatever has a view().
  [[nodiscard]] hyb_view view() const { return *this; }
};

/// A HYB matrix, owned.
template <value Value, index Index> struct hyb_matrix {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;         ///< number of rows
  std::int64_t cols = 0;         ///< number of columns
  ell_matrix<Value, Index> ell;  ///< the first ell.width entries of each row
  coo_matrix<Value, Index> coo;  ///< the entries after those, by ascending row

  /// Entries of both parts; padding does not count.
  [[nodiscard]] std::int64_t nnz() const { return ell.nnz() + coo.nnz(); }
  /// The arrays, borrowed; valid while the matrix lives and is not assigned to.
  [[nodiscard]] hyb_view<Value, Index> view() const& { return {rows, cols, ell.view(), coo.view()}; }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
  /// Whether sizes, arrays and values are equal, as they are stored: NaN differs from itself, -0 equals +0.
  [[nodiscard]] friend bool operator==(const hyb_matrix&, const hyb_matrix&) = default;
};

}  // namespace lacis

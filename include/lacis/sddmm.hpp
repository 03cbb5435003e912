// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of two dense matrices at the places of a sparse one (SDDMM).
#pragma once

#include <type_traits>

#include <lacis/csr.hpp>
#include <lacis/dense.hpp>
#include <lacis/export.hpp>
#include <lacis/multiply_options.hpp>
#include <lacis/pattern.hpp>

namespace lacis {

namespace detail {
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> sddmm(const csr_view<float, Index>& mask, const dense_view<const Value>& x,
                                         const dense_view<const Value>& y, const multiply_options& options);
}  // namespace detail

/// c_ij = sum over k of x_ik y_kj at every place (i, j) of the mask, which is a pattern: its values are not read. A sum
/// starts at +0 and takes in rounded products in ascending k, whatever the number of threads and the instruction set.
/// The mask has canonical rows, as many rows as X and as many columns as Y; X has as many columns as Y has rows.
///
/// Fastest where the columns of Y are contiguous (column_major, or row_major of its transpose seen the other way). Any
/// other Y is copied first, unless the mask has fewer entries than Y has columns.
template <class Mask, class X, class Y>
[[nodiscard]] auto sddmm(const Mask& mask, const dense_view<X>& x, const dense_view<Y>& y,
                         const multiply_options& options = {}) {
  using number = std::remove_const_t<X>;
  static_assert(std::is_same_v<number, std::remove_const_t<Y>>, "the elements of X and Y must have the same type");
  return detail::sddmm<number>(pattern_of(mask), dense_view<const number>(x), dense_view<const number>(y), options);
}

}  // namespace lacis

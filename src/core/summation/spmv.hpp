// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The reference product: y = alpha A x + beta y in the canonical order, which every other implementation must match.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/csr.hpp>
#include <lacis/types.hpp>

#include "base/internal.hpp"
#include "summation/arithmetic.hpp"
#include "summation/sum.hpp"

namespace lacis::summation {

/// y = alpha A x + beta y: row_sum, then combine. The rows of A are canonical (strictly ascending columns); other rows
/// are error(invalid_matrix), found before y is touched. x and y may not overlap. alpha = 0 reads neither A nor x,
/// beta = 0 does not read y. Any other order gives that order's result. The same bits for any number of threads.
template <value A, index Index, value X>
LACIS_INTERNAL void spmv(product_of<A, X> alpha, const csr_view<A, Index>& a, std::span<const X> x,
                         product_of<A, X> beta, std::span<product_of<A, X>> y, const order& o = canonical);

/// Dense columns: column j is the `rows` elements from data[j * stride] on.
template <class T> struct dense_columns {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t count = 0;
  std::int64_t stride = 0;

  [[nodiscard]] std::span<T> column(std::int64_t j) const {
    return {data + j * stride, static_cast<std::size_t>(rows)};
  }
};

/// Y = alpha A X + beta Y: column j of Y is the spmv with column j of X.
template <value A, index Index, value X>
LACIS_INTERNAL void spmm(product_of<A, X> alpha, const csr_view<A, Index>& a, dense_columns<const X> x,
                         product_of<A, X> beta, dense_columns<product_of<A, X>> y, const order& o = canonical);

}  // namespace lacis::summation

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The reference product, compiled for every pair of types.
#include "summation/spmv.hpp"

#include <functional>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "summation/environment.hpp"
#include "summation/scale.hpp"

namespace lacis::summation {

namespace {

void require_size(std::int64_t has, std::int64_t needs, const char* what) {
  if (has != needs)
    throw error(errc::invalid_argument, detail::text(what, " has ", has, " elements, the matrix needs ", needs));
}

/// Every element between the first and the last of the columns, the gaps between columns included.
template <class T> std::span<T> extent_of(const dense_columns<T>& x) {
  if (x.rows == 0 || x.count == 0) return {};
  return {x.data, x.column(x.count - 1).data() + x.rows};
}

template <class X, class Y> void require_apart(std::span<const X> x, std::span<Y> y) {
  const std::less<const void*> before;
  if (!x.empty() && !y.empty() && before(x.data(), y.data() + y.size()) && before(y.data(), x.data() + x.size()))
    throw error(errc::invalid_argument, "x and y overlap; the product needs memory of its own");
}

}  // namespace

template <value A, index Index, value X>
void spmv(product_of<A, X> alpha, const csr_view<A, Index>& a, std::span<const X> x, product_of<A, X> beta,
          std::span<product_of<A, X>> y, const order& o) {
  using T = product_of<A, X>;
  require_size(static_cast<std::int64_t>(x.size()), a.cols, "x");
  require_size(static_cast<std::int64_t>(y.size()), a.rows, "y");
  require_apart(x, y);
  if (alpha != T(0)) detail::require_canonical(a, "spmv");
  detail::parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    const rounding_guard guard;
    for (std::int64_t i = begin; i < end; ++i) {
      T& element = y[static_cast<std::size_t>(i)];
      element = combine(alpha, [&] { return row_sum<A, Index, X>(a, i, x, o); }, beta, [&] { return element; });
    }
  });
}

template <value A, index Index, value X>
void spmm(product_of<A, X> alpha, const csr_view<A, Index>& a, dense_columns<const X> x, product_of<A, X> beta,
          dense_columns<product_of<A, X>> y, const order& o) {
  if (x.count != y.count)
    throw error(errc::invalid_argument, detail::text("X has ", x.count, " columns and Y has ", y.count));
  require_apart(extent_of(x), extent_of(y));
  for (std::int64_t j = 0; j < y.count; ++j) spmv<A, Index, X>(alpha, a, x.column(j), beta, y.column(j), o);
}

#define LACIS_INSTANTIATE(A, Index, X)                                                                               \
  template void spmv<A, Index, X>(product_of<A, X>, const csr_view<A, Index>&, std::span<const X>, product_of<A, X>, \
                                  std::span<product_of<A, X>>, const order&);                                        \
  template void spmm<A, Index, X>(product_of<A, X>, const csr_view<A, Index>&, dense_columns<const X>,               \
                                  product_of<A, X>, dense_columns<product_of<A, X>>, const order&);
#define LACIS_INSTANTIATE_ROW(A, Index)            \
  LACIS_INSTANTIATE(A, Index, float)               \
  LACIS_INSTANTIATE(A, Index, double)              \
  LACIS_INSTANTIATE(A, Index, std::complex<float>) \
  LACIS_INSTANTIATE(A, Index, std::complex<double>)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE_ROW)

}  // namespace lacis::summation

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Norms of a matrix, with sums in the canonical order.
#include <vector>

#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "formats/order_rows.hpp"
#include "formats/rows.hpp"
#include "summation/environment.hpp"
#include "summation/sum.hpp"
#include "summation/vector.hpp"

namespace lacis::detail {
namespace {

/// The larger of two; the first that is NaN when one is.
template <class Real> Real larger(Real a, Real b) { return a != a || a > b ? a : b; }

/// The largest of_row(i) of all rows, at least 0.
template <class Real, class OfRow> Real largest_of_rows(std::span<const std::int64_t> row_offsets, OfRow&& of_row) {
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  std::vector<Real> largest(static_cast<std::size_t>(threads_for(rows + row_offsets.back())), Real(0));
  on_threads(static_cast<int>(largest.size()), [&](int t, int threads) {
    const summation::rounding_guard guard;
    Real mine = 0;
    const std::int64_t last = balanced_cut(row_offsets, t + 1, threads);
    for (std::int64_t i = balanced_cut(row_offsets, t, threads); i < last; ++i) mine = larger(mine, of_row(i));
    largest[static_cast<std::size_t>(t)] = mine;
  });
  const summation::rounding_guard guard;  // subnormal numbers are compared
  Real all = 0;
  for (const Real part : largest) all = larger(all, part);
  return all;
}

template <value Value, index Index> real_of<Value> largest_row_sum(const csr_view<Value, Index>& a) {
  using real = real_of<Value>;
  return largest_of_rows<real>(a.row_offsets, [&](std::int64_t i) {
    const std::int64_t begin = a.row_offsets.data()[i];
    return summation::sum_terms<real>(a.row_offsets.data()[i + 1] - begin,
                                      [&](std::int64_t k) { return summation::magnitude(a.values[begin + k]); });
  });
}

}  // namespace

template <class Value, class Index> real_of<Value> norm_one(const csr_view<Value, Index>& a) {
  require_canonical(a, "norm_one");
  const csr_matrix<Value, Index> turned = transpose(a, false);
  return largest_row_sum(turned.view());
}

template <class Value, class Index> real_of<Value> norm_infinity(const csr_view<Value, Index>& a) {
  require_canonical(a, "norm_infinity");
  return largest_row_sum(a);
}

template <class Value, class Index> real_of<Value> norm_frobenius(const csr_view<Value, Index>& a) {
  require_canonical(a, "norm_frobenius");
  return summation::norm_of<Value>(a.nnz(), [&](std::int64_t k) { return a.values[k]; });
}

template <class Value, class Index> real_of<Value> norm_max(const csr_view<Value, Index>& a) {
  using real = real_of<Value>;
  require_canonical(a, "norm_max");
  return largest_of_rows<real>(a.row_offsets, [&](std::int64_t i) {
    real most = 0;
    for (std::int64_t k = a.row_offsets.data()[i]; k < a.row_offsets.data()[i + 1]; ++k)
      most = larger(most, summation::magnitude(a.values[k]));
    return most;
  });
}

#define LACIS_NORMS(Value, Index)                                                  \
  template LACIS_API real_of<Value> norm_one(const csr_view<Value, Index>&);       \
  template LACIS_API real_of<Value> norm_infinity(const csr_view<Value, Index>&);  \
  template LACIS_API real_of<Value> norm_frobenius(const csr_view<Value, Index>&); \
  template LACIS_API real_of<Value> norm_max(const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_NORMS)

}  // namespace lacis::detail

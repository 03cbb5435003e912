// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/asymmetry.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/partners.hpp"
#include "summation/arithmetic.hpp"

namespace lacis::solver {
namespace {

/// No search goes on above `most`. The pattern is symmetric.
template <class T, class Index> double largest_asymmetry(const csr_view<T, Index>& a, double most) {
  const buffer<T> diagonal = detail::diagonal(a, 0);
  const auto root = [&](std::int64_t i) { return std::sqrt(static_cast<double>(std::abs(diagonal[i]))); };
  std::mutex joining;
  double largest = 0;
  detail::parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    detail::partner_search<T, Index> partners(a);
    double mine = 0;
    for (std::int64_t i = first; i < last && mine <= most; ++i)
      for (std::int64_t k = a.row_offsets.data()[i]; k < a.row_offsets.data()[i + 1]; ++k) {
        const Index j = a.columns.data()[k];
        const T other = summation::conjugate(a.values[partners.find(i, j)]);
        mine = std::max(mine, asymmetry_of_pair(a.values[k], other, root(i), root(j)));
      }
    const std::scoped_lock lock(joining);
    largest = std::max(largest, mine);
  });
  return largest;
}

}  // namespace

template <class T, class Index> std::optional<double> asymmetry_of(const csr_view<T, Index>& a) {
  const symmetry_report exactly = detail::find_symmetry(a);
  if (exactly.hermitian) return 0;
  if (!exactly.pattern) return std::nullopt;
  const double largest = largest_asymmetry(a, most_asymmetry<T>);
  return largest <= most_asymmetry<T> ? std::optional(largest) : std::nullopt;
}

#define LACIS_INSTANTIATE(T, Index) template std::optional<double> asymmetry_of(const csr_view<T, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The reference product of two sparse matrices: which entries it has, and in which order each is summed.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/error.hpp>

#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"

namespace lacis::summation {

/// C = A B. Entry (i, j) exists when some k has both a_ik and b_kj, also when its sum is zero; it starts at +0 and
/// takes in round(a_ik b_kj) in ascending k, one accumulator however many there are. The rows of A and B are canonical,
/// so are those of C; other rows are error(invalid_matrix). Sizes that do not fit are error(invalid_argument).
template <value A, index Index, value B>
[[nodiscard]] csr_matrix<product_of<A, B>, Index> spgemm(const csr_view<A, Index>& a, const csr_view<B, Index>& b) {
  using T = product_of<A, B>;
  if (a.cols != b.rows)
    throw error(errc::invalid_argument, detail::text("A has ", a.cols, " columns, B has ", b.rows, " rows"));
  detail::require_canonical(a, "spgemm");
  detail::require_canonical(b, "spgemm");
  const rounding_guard guard;
  std::vector<std::int64_t> offsets{0};
  std::vector<Index> columns;
  std::vector<T> values;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows); ++i) {
    std::map<Index, T> row;
    for (std::int64_t p = a.row_offsets[i]; p < a.row_offsets[i + 1]; ++p) {
      const auto k = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(p)]);
      for (std::int64_t q = b.row_offsets[k]; q < b.row_offsets[k + 1]; ++q) {
        T& sum = row[b.columns[static_cast<std::size_t>(q)]];  // a new one is +0
        sum = add(sum, multiply(a.values[p], b.values[q]));
      }
    }
    for (const auto& [column, sum] : row) {
      columns.push_back(column);
      values.push_back(sum);
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  csr_matrix<T, Index> c;
  c.rows = a.rows;
  c.cols = b.cols;
  c.row_offsets = buffer<std::int64_t>(std::span<const std::int64_t>(offsets));
  c.columns = buffer<Index>(std::span<const Index>(columns));
  c.values = values_array<T>(buffer<T>(std::span<const T>(values)));
  return c;
}

}  // namespace lacis::summation

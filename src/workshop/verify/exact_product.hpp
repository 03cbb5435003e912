// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices of integers, in integer arithmetic.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::verification {

/// A B, exact for integers; entries that sum to zero stay.
template <value Value, index Index>
csr_matrix<Value, Index> exact_product(const csr_matrix<Value, Index>& a, const csr_matrix<Value, Index>& b) {
  struct gaussian {
    std::int64_t re = 0;
    std::int64_t im = 0;
    bool there = false;
  };
  const auto whole = [](Value z) {
    return gaussian{static_cast<std::int64_t>(std::real(z)), static_cast<std::int64_t>(std::imag(z))};
  };
  std::vector<std::int64_t> offsets{0};
  std::vector<Index> columns;
  std::vector<Value> values;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    std::vector<gaussian> row(static_cast<std::size_t>(b.cols));
    for (std::int64_t p = a.row_offsets[i]; p < a.row_offsets[i + 1]; ++p)
      for (std::int64_t q = b.row_offsets[a.columns[p]]; q < b.row_offsets[a.columns[p] + 1]; ++q) {
        const gaussian x = whole(a.values[p]);
        const gaussian y = whole(b.values[q]);
        gaussian& sum = row[static_cast<std::size_t>(b.columns[q])];
        sum = {sum.re + x.re * y.re - x.im * y.im, sum.im + x.re * y.im + x.im * y.re, true};
      }
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (!row[j].there) continue;
      columns.push_back(static_cast<Index>(j));
      using real = real_of<Value>;
      if constexpr (is_complex<Value>)
        values.push_back({static_cast<real>(row[j].re), static_cast<real>(row[j].im)});
      else
        values.push_back(static_cast<real>(row[j].re));
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  csr_matrix<Value, Index> c;
  c.rows = a.rows;
  c.cols = b.cols;
  c.row_offsets = buffer<std::int64_t>(std::span<const std::int64_t>(offsets));
  c.columns = buffer<Index>(std::span<const Index>(columns));
  c.values = values_array<Value>(buffer<Value>(std::span<const Value>(values)));
  return c;
}

}  // namespace lacis::verification

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices whose eigenvalues or singular values are known, for the tests that look for them.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/eigs.hpp>
#include <lacis/types.hpp>

namespace lacis::test {

/// 2 - 2 cos of the angles: the second difference with zeros outside.
inline std::vector<double> line_values(std::int64_t n) {
  std::vector<double> all;
  for (std::int64_t j = 1; j <= n; ++j) {
    const double half = std::sin(std::numbers::pi * static_cast<double>(j) / static_cast<double>(2 * (n + 1)));
    all.push_back(4 * half * half);
  }
  return all;
}

template <class T> csr_matrix<T> from_entries(std::int64_t n, const std::vector<std::vector<std::pair<int, T>>>& rows) {
  csr_matrix<T> a;
  a.rows = a.cols = n;
  a.row_offsets = buffer<std::int64_t>(n + 1);
  a.row_offsets[0] = 0;
  std::int64_t entries = 0;
  for (const auto& row : rows) entries += static_cast<std::int64_t>(row.size());
  a.columns = buffer<std::int32_t>(entries);
  a.values.data = buffer<T>(entries);
  std::int64_t k = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (const auto& [column, entry] : rows[static_cast<std::size_t>(i)]) {
      a.columns[k] = column;
      a.values.data[k++] = entry;
    }
    a.row_offsets[i + 1] = k;
  }
  return a;
}

/// Entries (i, i) = 2 and (i, i + 1) = -1 times a number of length one, its conjugate below.
template <class T> csr_matrix<T> line(std::int64_t n, T upper = T(-1)) {
  std::vector<std::vector<std::pair<int, T>>> rows(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    auto& row = rows[static_cast<std::size_t>(i)];
    if constexpr (is_complex<T>) {
      if (i > 0) row.emplace_back(i - 1, std::conj(upper));
    } else {
      if (i > 0) row.emplace_back(i - 1, upper);
    }
    row.emplace_back(i, T(2));
    if (i + 1 < n) row.emplace_back(i + 1, upper);
  }
  return from_entries<T>(n, rows);
}

inline csr_matrix<double> diagonal(const std::vector<double>& entries) {
  std::vector<std::vector<std::pair<int, double>>> rows;
  for (std::size_t i = 0; i < entries.size(); ++i) rows.push_back({{static_cast<int>(i), entries[i]}});
  return from_entries<double>(static_cast<std::int64_t>(entries.size()), rows);
}

/// Rounding of a residual that is computed in another order: each element is a sum of a few terms, none above |A|.
template <class T> double rounding(double norm, std::int64_t n) {
  return 16 * std::numeric_limits<real_of<T>>::epsilon() * norm * std::sqrt(static_cast<double>(n));
}

template <class T> eigen_options<T> with(eigen_part part, eigen_method method, double tolerance = 1e-8) {
  eigen_options<T> options;
  options.part = part;
  options.method = method;
  options.tolerance = tolerance;
  return options;
}

}  // namespace lacis::test

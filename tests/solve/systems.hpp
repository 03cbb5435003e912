// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Systems of equations of different kinds, for the tests of solvers.
#pragma once

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/operator.hpp>
#include <lacis/solve.hpp>
#include <lacis/structure.hpp>

#include "support/matrices.hpp"

namespace lacis::test {

inline csr_matrix<double> laplacian(const std::string& spec) { return generate<double, std::int32_t>(spec); }

/// The diagonal, which is stored, becomes larger than the rest of its row.
template <class T> csr_matrix<T> with_large_diagonal(csr_matrix<T> a) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    real_of<T> rest = 1;
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] != i) rest += std::abs(a.values[k]);
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i) a.values.data[k] = T(rest);
  }
  return a;
}

/// Not symmetric, with a diagonal that outweighs each row.
template <class T> csr_matrix<T> dominant(std::int64_t n, std::int64_t per_row) {
  auto a = from_rows<T, std::int32_t>(n, n, entries::reals, [&](std::int64_t i) {
    auto columns = random_columns(i, per_row, n, 11);
    if (!std::ranges::binary_search(columns, i)) columns.insert(std::ranges::lower_bound(columns, i), i);
    return columns;
  });
  return with_large_diagonal(std::move(a));
}

/// A plus a multiple of one on the diagonal.
inline csr_matrix<double> shifted(csr_matrix<double> a, double by) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i) a.values.data[k] += by;
  return a;
}

template <class T> std::vector<T> right_side(std::int64_t n) {
  const auto numbers = full_numbers<T>(n, 3);
  return {numbers.begin(), numbers.end()};
}

/// |b - A x| / |b|, in plain loops.
template <class T> double residual_of(const csr_matrix<T>& a, const std::vector<T>& b, const std::vector<T>& x) {
  double rest = 0;
  double all = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    T r = b[static_cast<std::size_t>(i)];
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      r -= a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
    rest += static_cast<double>(std::norm(r));
    all += static_cast<double>(std::norm(b[static_cast<std::size_t>(i)]));
  }
  return std::sqrt(rest / all);
}

}  // namespace lacis::test

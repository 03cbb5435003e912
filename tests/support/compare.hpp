// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Exact comparison: two matrices are the same when every stored bit is.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <lacis/csr.hpp>

namespace lacis::test {

template <class T> bool same_bits(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// Empty when the matrices agree in sizes, offsets, columns, iso and every bit of the values; otherwise what differs
/// first.
template <class First, class Second> std::string difference(const First& first, const Second& second) {
  const auto a = first.view();
  const auto b = second.view();
  if (a.rows != b.rows || a.cols != b.cols) return "sizes differ";
  if (!same_bits<std::int64_t>(a.row_offsets, b.row_offsets)) return "row offsets differ";
  if (!same_bits(a.columns, b.columns)) return "columns differ";
  if (a.values.iso != b.values.iso) return "one is iso, the other is not";
  if (!same_bits(a.values.data, b.values.data)) return "values differ";
  return {};
}

/// Every NaN made the same one: which of two NaNs an operation passes on is up to the compiler.
template <class Matrix> Matrix with_plain_nans(Matrix a) {
  using real = real_of<typename Matrix::value_type>;
  real* parts = reinterpret_cast<real*>(a.values.data.data());
  const auto count =
      a.values.data.size() * static_cast<std::int64_t>(sizeof(typename Matrix::value_type) / sizeof(real));
  for (std::int64_t k = 0; k < count; ++k)
    if (std::isnan(parts[k])) parts[k] = std::numeric_limits<real>::quiet_NaN();
  return a;
}

}  // namespace lacis::test

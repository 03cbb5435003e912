// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Exact comparison: two matrices are the same when every stored bit is.
#pragma once

#include <cstring>
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

}  // namespace lacis::test

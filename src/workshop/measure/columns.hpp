// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Dense columns that this process and its peers make alike, without exchanging them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <lacis/dense.hpp>
#include <lacis/types.hpp>

namespace lacis::measure {

/// How a dense matrix lies in memory: row after row, or column after column.
enum class dense_order { row, column };

[[nodiscard]] constexpr std::string_view name_of(dense_order order) {
  return order == dense_order::row ? "row" : "column";
}

template <class T>
[[nodiscard]] dense_view<T> dense_in(dense_order order, std::span<T> data, std::int64_t rows, std::int64_t cols) {
  return order == dense_order::row ? row_major(data, rows, cols) : column_major(data, rows, cols);
}

/// A number in [-1, 1) that uses every bit, of the word w = (i 0x9E3779B97F4A7C15 + c 0xD1B54A32D192ED03) mod 2^64: its
/// first d bits, d being the digits of the type, less 2^(d - 1), over 2^(d - 1). Nothing is rounded, so every language
/// computes the same.
template <class Real> [[nodiscard]] Real column_number(std::int64_t i, std::int64_t c) {
  constexpr int digits = std::numeric_limits<Real>::digits;
  constexpr std::int64_t middle = std::int64_t{1} << (digits - 1);
  const std::uint64_t word =
      static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(c) * 0xD1B54A32D192ED03U;
  return static_cast<Real>(static_cast<std::int64_t>(word >> (64 - digits)) - middle) / static_cast<Real>(middle);
}

/// Element (i, c) of X, whatever the number of columns; peers/peer_spmm.py has the same. The parts of a complex element
/// are the numbers of the columns 2 c and 2 c + 1.
template <class Value> [[nodiscard]] Value column_element(std::int64_t i, std::int64_t c) {
  using Real = real_of<Value>;
  if constexpr (is_complex<Value>)
    return {column_number<Real>(i, 2 * c), column_number<Real>(i, 2 * c + 1)};
  else
    return column_number<Real>(i, c);
}

}  // namespace lacis::measure

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The test matrices: named matrices that every kernel, conversion and file format is checked on.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::verification {

/// The same numbers on every machine: a 64-bit mix of a counter (the finaliser of splitmix64).
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// What the entries of a test matrix are.
enum class entries {
  integers,  ///< small integers: every sum is exact, so results compare as bits whatever their order
  reals      ///< fractions of both signs that use every bit of their type: sums round, so results tell orders apart
};

template <value Value> Value entry_value(std::uint64_t key, entries kind) {
  const auto part = [&](std::uint64_t k) {
    const std::uint64_t h = mix(k);
    using real = real_of<Value>;
    if (kind == entries::integers) {
      const auto whole = static_cast<std::int64_t>(h % 9) - 4;
      return static_cast<real>(whole == 0 ? 5 : whole);
    }
    constexpr int bits = std::numeric_limits<real>::digits;
    return static_cast<real>(static_cast<std::int64_t>(h >> (64 - bits)) - (std::int64_t{1} << (bits - 1))) /
           static_cast<real>(std::int64_t{1} << (bits - 4));
  };
  if constexpr (is_complex<Value>)
    return {part(2 * key), part(2 * key + 1)};
  else
    return part(2 * key);
}

template <value Value, index Index = std::int32_t> struct named_matrix {
  std::string name;
  csr_matrix<Value, Index> matrix;
};

/// The columns of a row, in the order in which they shall be stored.
using columns_of_row = std::function<std::vector<std::int64_t>(std::int64_t)>;

/// Values that depend on the smaller and the larger of row and column.
template <value Value, index Index> void make_symmetric(csr_matrix<Value, Index>& a, entries kind) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const auto low = std::min<std::int64_t>(i, a.columns[k]);
      const auto high = std::max<std::int64_t>(i, a.columns[k]);
      a.values.data[k] = entry_value<Value>(static_cast<std::uint64_t>(low * 1000003 + high), kind);
    }
}

/// A matrix from a function that lists the columns of a row, in the order in which they shall be stored.
template <value Value, index Index>
csr_matrix<Value, Index> from_rows(std::int64_t rows, std::int64_t cols, entries kind, const columns_of_row& columns_of,
                                   bool iso = false) {
  std::vector<std::int64_t> offsets{0};
  std::vector<Index> columns;
  std::vector<Value> values;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (const std::int64_t j : columns_of(i)) {
      columns.push_back(static_cast<Index>(j));
      values.push_back(entry_value<Value>(static_cast<std::uint64_t>(i * 1000003 + j), kind));
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  csr_matrix<Value, Index> a;
  a.rows = rows;
  a.cols = cols;
  a.row_offsets = buffer<std::int64_t>(std::span<const std::int64_t>(offsets));
  a.columns = buffer<Index>(std::span<const Index>(columns));
  a.values = iso ? values_array<Value>::same(entry_value<Value>(7, kind))
                 : values_array<Value>(buffer<Value>(std::span<const Value>(values)));
  return a;
}

/// `count` different columns of 0 .. cols, ascending, drawn for row i.
std::vector<std::int64_t> random_columns(std::int64_t i, std::int64_t count, std::int64_t cols, std::uint64_t salt);
std::vector<std::int64_t> consecutive(std::int64_t first, std::int64_t last);
/// Grid neighbours within `reach` of cell i in an n x n x depth grid; only those that share a face when `faces` is set.
std::vector<std::int64_t> grid_neighbours(std::int64_t i, std::int64_t n, std::int64_t depth, bool faces);

struct named_pattern {
  std::string name;
  std::int64_t rows;
  std::int64_t cols;
  std::vector<std::vector<std::int64_t>> columns;  ///< of each row
  bool iso;
};
/// Those of the test matrices, but for matrices with special values.
const std::vector<named_pattern>& test_patterns();

/// Canonical matrices only: strictly ascending columns. At least forty, small enough to convert to every format.
template <value Value, index Index = std::int32_t>
std::vector<named_matrix<Value, Index>> test_matrices(entries kind = entries::integers) {
  std::vector<named_matrix<Value, Index>> all;
  for (const named_pattern& pattern : test_patterns())
    all.push_back(
        {pattern.name, from_rows<Value, Index>(
                           pattern.rows, pattern.cols, kind,
                           [&](std::int64_t i) { return pattern.columns[static_cast<std::size_t>(i)]; }, pattern.iso)});

  // Values that are easily lost: explicit zeros of both signs, subnormals, infinities and NaN.
  auto special = from_rows<Value, Index>(8, 8, kind, [](std::int64_t) { return consecutive(0, 8); });
  using real = real_of<Value>;
  const real odd[] = {real(0),
                      -real(0),
                      std::numeric_limits<real>::denorm_min(),
                      std::numeric_limits<real>::infinity(),
                      -std::numeric_limits<real>::infinity(),
                      std::numeric_limits<real>::quiet_NaN(),
                      std::numeric_limits<real>::max(),
                      -std::numeric_limits<real>::min()};
  for (std::int64_t k = 0; k < 64; ++k) special.values.data[k] = Value(odd[k % 8]);
  all.push_back({"zeros, subnormals, Inf and NaN", std::move(special)});
  auto zeros = from_rows<Value, Index>(10, 12, kind, [](std::int64_t i) { return random_columns(i, 4, 12, 15); });
  for (Value& v : zeros.values.data) v = Value(0);
  all.push_back({"explicit zeros only", std::move(zeros)});
  // Lines of the grid are no whole slices.
  auto symmetric = from_rows<Value, Index>(20 * 20 * 6, 20 * 20 * 6, kind,
                                           [](std::int64_t i) { return grid_neighbours(i, 20, 6, true); });
  make_symmetric(symmetric, kind);
  all.push_back({"symmetric 7-point grid", std::move(symmetric)});
  return all;
}

}  // namespace lacis::verification

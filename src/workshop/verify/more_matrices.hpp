// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices beside the test matrices that products are verified with: rows out of order, rows that threads cut, values
// that plans keep narrower.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "verify/test_matrices.hpp"

namespace lacis::verification {

/// Rows of which each is sorted but for one place, at the end of a chunk or of a vector, and rows with duplicates.
template <class A, class Index> std::vector<named_matrix<A, Index>> unordered_matrices() {
  const auto swapped = [](std::int64_t length, std::int64_t place) {
    auto columns = consecutive(0, length);
    std::swap(columns[static_cast<std::size_t>(place)], columns[static_cast<std::size_t>(place + 1)]);
    return columns;
  };
  const auto make = [](const char* name, std::int64_t rows, std::int64_t cols, const auto& columns_of) {
    return named_matrix<A, Index>{name, from_rows<A, Index>(rows, cols, entries::reals, columns_of)};
  };
  return {make("short rows, one of them descending", 40, 30,
               [](std::int64_t i) {
                 auto columns = random_columns(i, 7, 30, 21);
                 if (i == 33) std::reverse(columns.begin(), columns.end());
                 return columns;
               }),
          make("short rows, one of them with a duplicate", 40, 30,
               [](std::int64_t i) {
                 auto columns = random_columns(i, 6, 30, 22);
                 if (i == 39) columns.insert(columns.begin() + 3, columns[3]);
                 return columns;
               }),
          make("a long row that falls between two chunks", 3, 2200,
               [&](std::int64_t i) { return i == 1 ? swapped(2200, 1023) : random_columns(i, 40, 2200, 23); }),
          make("a long row that falls in its last two entries", 3, 2200,
               [&](std::int64_t i) { return i == 1 ? swapped(2061, 2059) : random_columns(i, 40, 2200, 24); }),
          make("a long row with one duplicate", 3, 900, [](std::int64_t i) {
            auto columns = consecutive(i, 800);
            if (i == 2) columns.insert(columns.begin() + 411, columns[411]);
            return columns;
          })};
}

/// Rows so long that threads cut them, of one value as well.
template <class A, class Index> std::vector<named_matrix<A, Index>> long_row_matrices() {
  const auto columns_of = [](std::int64_t i) -> std::vector<std::int64_t> {
    if (i == 7) return consecutive(3, 120'020);
    if (i == 8) return random_columns(i, 9'000, 20'000, 25);
    if (i == 29) return consecutive(100, 40'000);
    return i % 3 == 0 ? std::vector<std::int64_t>{} : random_columns(i, i, 120'100, 26);
  };
  return {
      {"rows of 120,017 and 9,000 entries", from_rows<A, Index>(30, 120'100, entries::reals, columns_of)},
      {"iso rows of 120,017 and 9,000 entries", from_rows<A, Index>(30, 120'100, entries::reals, columns_of, true)}};
}

/// A grid that is symmetric, with rows here and there that are connected across it: they are in no slice, and their
/// neighbours in the slice must not be taken for them.
template <class A, class Index> csr_matrix<A, Index> symmetric_with_rows_apart() {
  constexpr std::int64_t size = 16 * 16 * 7;
  constexpr std::int64_t apart = 32;  // the same lane of many slices that are otherwise alike
  std::vector<std::vector<std::int64_t>> columns;
  for (std::int64_t i = 0; i < size; ++i) columns.push_back(grid_neighbours(i, 16, 7, true));
  for (std::int64_t i = 5; i < size / 4; i += apart) {
    const std::int64_t j = size - 1 - 3 * i / 4;
    columns[static_cast<std::size_t>(i)].push_back(j);
    columns[static_cast<std::size_t>(j)].insert(columns[static_cast<std::size_t>(j)].begin(), i);
  }
  auto a = from_rows<A, Index>(size, size, entries::reals,
                               [&](std::int64_t i) { return columns[static_cast<std::size_t>(i)]; });
  make_symmetric(a, entries::reals);
  return a;
}

/// Values that plans keep in narrower forms: small integers, numbers that half the width holds, and one value for
/// each diagonal. A grid, rows off its diagonals, and rows of up to 1,500 entries; bands that nothing interrupts; an
/// infinite value for all; and values that are stored once.
template <class A, class Index> std::vector<named_matrix<A, Index>> narrow_matrices() {
  constexpr std::int64_t size = 16 * 16 * 7;
  const auto columns_of = [](std::int64_t i) -> std::vector<std::int64_t> {
    if (i == 811) return consecutive(50, 1550);
    if (i % 200 == 33) return random_columns(i, 45, size, 27);
    return i % 23 == 5 ? random_columns(i, 6, size, 28) : grid_neighbours(i, 16, 7, true);
  };
  auto whole = from_rows<A, Index>(size, size, entries::integers, columns_of);
  auto quarters = whole;
  for (A& v : quarters.values.data) v = v * A(32) + A(real_of<A>(0.25));
  constexpr std::int64_t band_size = 421;
  auto band = from_rows<A, Index>(band_size, band_size, entries::integers, [=](std::int64_t i) {
    return consecutive(std::max<std::int64_t>(0, i - 3), std::min<std::int64_t>(band_size, i + 2));
  });
  auto constant = band;
  for (std::int64_t i = 0; i < band_size; ++i)
    for (std::int64_t p = band.row_offsets[i]; p < band.row_offsets[i + 1]; ++p)
      constant.values.data[p] = entry_value<A>(static_cast<std::uint64_t>(band.columns[p] - i + 3), entries::reals);
  // Slices are alike, and in them rows are but for their first entry.
  auto first_apart = constant;
  for (std::int64_t i = 3; i < band_size; ++i)
    first_apart.values.data[band.row_offsets[i]] =
        entry_value<A>(static_cast<std::uint64_t>(i % 4 + 40), entries::reals);
  // As second differences have it: every other diagonal has the same value.
  auto alternating = constant;
  for (std::int64_t i = 0; i < band_size; ++i)
    for (std::int64_t p = band.row_offsets[i]; p < band.row_offsets[i + 1]; ++p)
      alternating.values.data[p] = A(real_of<A>((band.columns[p] - i) % 2 == 0 ? 2 : -1));
  // What a row lacks must not be multiplied with the one value either.
  auto infinite = from_rows<A, Index>(16 * 16 * 2, 16 * 16 * 2, entries::integers,
                                      [](std::int64_t i) { return grid_neighbours(i, 16, 2, true); });
  infinite.values = values_array<A>::same(A(std::numeric_limits<real_of<A>>::infinity()));
  auto gaps = from_rows<A, Index>(band_size, band_size, entries::integers, [=](std::int64_t i) {
    std::vector<std::int64_t> columns;
    for (const std::int64_t j : {i - 1, i, i + 1, i + 40})
      if (j >= 0 && j < band_size && (j != i + 40 || i % 7 != 3)) columns.push_back(j);
    return columns;
  });
  gaps.values = infinite.values;
  return {{"a grid of infinities", std::move(infinite)},
          {"diagonals of infinities, the last with gaps", std::move(gaps)},
          {"a symmetric grid with rows apart", symmetric_with_rows_apart<A, Index>()},
          {"integers", std::move(whole)},
          {"integers and a quarter", std::move(quarters)},
          {"a band of integers", std::move(band)},
          {"a band of constants", std::move(constant)},
          {"a band of constants but for its first diagonal", std::move(first_apart)},
          {"a band of two constants in turn", std::move(alternating)}};
}

}  // namespace lacis::verification

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The pairs of matrices that sparse products are checked on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/structure.hpp>

#include "verify/test_matrices.hpp"

namespace lacis::verification {

template <value T, index Index> struct operand_pair {
  std::string matrix;  ///< its name
  std::string form;    ///< "A A^T"
  csr_matrix<T, Index> a;
  csr_matrix<T, Index> b;
  bool several_slabs = false;  ///< so large that a memory limit cuts the product
};

template <value T, index Index>
[[nodiscard]] std::int64_t products_of(const csr_matrix<T, Index>& a, const csr_matrix<T, Index>& b) {
  std::int64_t products = 0;
  for (const Index k : a.columns) products += b.row_offsets[k + 1] - b.row_offsets[k];
  return products;
}

/// The pattern of a matrix with one value for all entries.
template <value T, index Index> [[nodiscard]] csr_matrix<T, Index> with_one_value(csr_matrix<T, Index> a) {
  a.values = values_array<T>::same(entry_value<T>(7, entries::reals));
  return a;
}

/// The pattern of a matrix with small integers.
template <value T, index Index> [[nodiscard]] named_matrix<T, Index> with_whole_numbers(named_matrix<T, Index> named) {
  named.matrix.values = values_array<T>(named.matrix.nnz());
  for (std::int64_t k = 0; k < named.matrix.nnz(); ++k)
    named.matrix.values.data[k] = entry_value<T>(static_cast<std::uint64_t>(k), entries::integers);
  return named;
}

/// A A^T, and A A of a square matrix.
template <value T, index Index>
[[nodiscard]] std::vector<operand_pair<T, Index>> pairs_of(const named_matrix<T, Index>& named) {
  const auto& [name, a] = named;
  std::vector<operand_pair<T, Index>> pairs;
  pairs.push_back({name, "A A^T", a, transpose(a)});
  if (a.rows == a.cols) pairs.push_back({name, "A A", a, a});
  return pairs;
}

/// The pair with one value for all entries of A, of B, or of both.
template <value T, index Index>
[[nodiscard]] operand_pair<T, Index> iso_pair(const operand_pair<T, Index>& pair, std::uint64_t which) {
  constexpr const char* names[] = {", A iso", ", B iso", ", both iso"};
  operand_pair<T, Index> iso = pair;
  iso.form += names[which % 3];
  if (which % 3 != 1) iso.a = with_one_value(pair.a);
  if (which % 3 != 0) iso.b = with_one_value(pair.b);
  return iso;
}

/// Pairs that the test matrices are too small for: products in many pieces, operands that are packed first, and rows so
/// wide that tables are hashed.
template <value T, index Index> [[nodiscard]] std::vector<operand_pair<T, Index>> larger_pairs() {
  const auto random = [](std::int64_t rows, std::int64_t cols, std::int64_t count, std::uint64_t salt) {
    return from_rows<T, Index>(rows, cols, entries::reals,
                               [=](std::int64_t i) { return random_columns(i, count, cols, salt); });
  };
  std::vector<operand_pair<T, Index>> pairs;
  const auto square = [&](const char* name, csr_matrix<T, Index> a) { pairs.push_back({name, "A A", a, a}); };
  square("uniform 2500, 20 a row", random(2500, 2500, 20, 51));
  pairs.back().several_slabs = true;
  square("5-point 60^2", from_rows<T, Index>(3600, 3600, entries::reals,
                                             [](std::int64_t i) { return grid_neighbours(i, 60, 1, true); }));
  square("7-point 16^3", from_rows<T, Index>(4096, 4096, entries::reals,
                                             [](std::int64_t i) { return grid_neighbours(i, 16, 16, true); }));
  square("27-point 9^3",
         from_rows<T, Index>(729, 729, entries::reals, [](std::int64_t i) { return grid_neighbours(i, 9, 9, false); }));
  square("power law 1500", from_rows<T, Index>(1500, 1500, entries::reals, [](std::int64_t i) {
           return random_columns(i, 1500 / (1 + i * 7 % 1500), 1500, 52);
         }));
  square("nearly empty 3000", from_rows<T, Index>(3000, 3000, entries::reals, [](std::int64_t i) {
           return i % 4 == 0 ? random_columns(i, 1 + i / 4 % 3, 3000, 55) : std::vector<std::int64_t>{};
         }));
  const auto wide = [&](const char* name, std::int64_t cols, std::int64_t in_a, std::int64_t in_b) {
    pairs.push_back({name, "A B", random(60, 50, in_a, 53), random(50, cols, in_b, 54)});
  };
  wide("60x50 by 50x500,000", 500'000, 8, 12);
  wide("60x50 by 50x40,000,000", 40'000'000, 8, 12);
  wide("60x50 by 50x200,000,000", 200'000'000, 5, 3);
  return pairs;
}

}  // namespace lacis::verification

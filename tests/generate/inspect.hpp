// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the tests of generators ask of a matrix.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/generate.hpp>

#include "support/matrices.hpp"

namespace lacis::test {

/// The specs that between them reach every generator, each large enough to be made by several threads.
inline const std::vector<std::string>& threaded_specs() {
  static const std::vector<std::string> specs{
      "@banded:20000,3",     "@density:20000,1e-4", "@kmer:50000",       "@mesh3d:25",
      "@mesh3d:25,shuffled", "@poisson2d:150",      "@poisson3d:27",     "@powerlaw:20000,9,5k",
      "@rmat:13,5",          "@stencil27:27",       "@uniform:20000,11",
  };
  return specs;
}

template <class Matrix> std::int64_t row_length(const Matrix& a, std::int64_t i) {
  return a.row_offsets[i + 1] - a.row_offsets[i];
}

template <class Matrix> std::vector<std::int64_t> row_lengths(const Matrix& a) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < a.rows; ++i) lengths.push_back(row_length(a, i));
  return lengths;
}

/// Empty when offsets and columns are those of a canonical matrix; otherwise what is wrong first.
template <class Matrix> std::string canonical_problem(const Matrix& a) {
  if (a.row_offsets.size() != a.rows + 1 || a.row_offsets[0] != 0 || a.row_offsets[a.rows] != a.nnz())
    return "the offsets do not span the entries";
  if (a.values.data.size() != (a.values.iso ? 1 : a.nnz())) return "there are not as many values as entries";
  for (std::int64_t i = 0; i < a.rows; ++i) {
    if (row_length(a, i) < 0) return "row " + std::to_string(i) + " has a negative length";
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      if (a.columns[k] < 0 || a.columns[k] >= a.cols) return "row " + std::to_string(i) + " leaves the matrix";
      if (k > a.row_offsets[i] && a.columns[k] <= a.columns[k - 1])
        return "row " + std::to_string(i) + " is not strictly ascending";
    }
  }
  return {};
}

/// The slot of entry (i, j), or -1.
template <class Matrix> std::int64_t find_entry(const Matrix& a, std::int64_t i, std::int64_t j) {
  const auto* first = a.columns.data() + a.row_offsets[i];
  const auto* last = a.columns.data() + a.row_offsets[i + 1];
  const auto* found = std::lower_bound(first, last, j);
  return found != last && *found == j ? found - a.columns.data() : -1;
}

/// Whether a(i, j) is stored and has the value of a(j, i) for every stored a(j, i).
template <class Matrix> bool is_symmetric(const Matrix& a) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const std::int64_t image = find_entry(a, a.columns[k], i);
      if (image < 0 || a.values[image] != a.values[k]) return false;
    }
  return true;
}

/// A number that changes with every bit of the matrix, but not with the width of its indices.
template <class Matrix> std::uint64_t fingerprint(const Matrix& a) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(a.rows)) ^ static_cast<std::uint64_t>(a.cols);
  const auto take = [&](auto word) { h = mix(h ^ static_cast<std::uint64_t>(word)); };
  for (const std::int64_t offset : a.row_offsets) take(offset);
  for (const auto column : a.columns) take(column);
  take(a.values.iso);
  for (const auto v : a.values.data) {
    take(std::bit_cast<std::uint64_t>(static_cast<double>(std::real(v))));
    take(std::bit_cast<std::uint64_t>(static_cast<double>(std::imag(v))));
  }
  return h;
}

}  // namespace lacis::test

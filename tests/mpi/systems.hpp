// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices and vectors that every process can make whole, and its part of them.
#pragma once

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/mpi.hpp>
#include <lacis/structure.hpp>

#include "verify/test_matrices.hpp"

namespace lacis::test {

/// The rows of a whole matrix that this process should bring.
template <class T, class Index>
csr_matrix<T, Index> own_rows(const csr_matrix<T, Index>& whole, MPI_Comm communicator = MPI_COMM_WORLD) {
  const row_range own = even_rows(communicator, whole.rows);
  const std::int64_t first = whole.row_offsets[own.first];
  const std::int64_t count = whole.row_offsets[own.last] - first;
  csr_matrix<T, Index> mine{own.last - own.first, whole.cols, buffer<std::int64_t>(own.last - own.first + 1),
                            buffer<Index>(count), whole.values};
  for (std::int64_t i = 0; i <= mine.rows; ++i) mine.row_offsets[i] = whole.row_offsets[own.first + i] - first;
  std::copy_n(whole.columns.data() + first, count, mine.columns.data());
  if (!whole.values.iso) {
    mine.values = values_array<T>(count);
    std::copy_n(whole.values.data.data() + first, count, mine.values.data.data());
  }
  return mine;
}

template <class T, class Index>
distributed_csr<T> spread(const csr_matrix<T, Index>& whole, const distribute_options& options = {},
                          MPI_Comm communicator = MPI_COMM_WORLD) {
  return distribute(communicator, whole.rows, own_rows(whole, communicator), options);
}

/// Diagonally dominant, and symmetric where the generator's values are.
inline csr_matrix<double> solvable(const std::string& spec) {
  auto a = generate<double>(spec, {.values = generated_values::random});
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
      if (a.columns[e] == i) a.values.data[e] = static_cast<double>(a.row_offsets[i + 1] - a.row_offsets[i]) + 0.1;
  return a;
}

/// Numbers that use every bit of their type.
template <class T> std::vector<T> numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = verification::entry_value<T>(seed * 1000003 + i, verification::entries::reals);
  return all;
}

template <class T> std::vector<T> part_of(const std::vector<T>& whole, row_range own) {
  return {whole.begin() + own.first, whole.begin() + own.last};
}

/// Exactly the same bits.
template <class T> void expect_same(const std::vector<T>& mine, const std::vector<T>& whole, row_range own) {
  ASSERT_EQ(static_cast<std::int64_t>(mine.size()), own.last - own.first);
  for (std::size_t i = 0; i < mine.size(); ++i)
    ASSERT_EQ(std::memcmp(&mine[i], &whole[static_cast<std::size_t>(own.first) + i], sizeof(T)), 0)
        << "element " << own.first + static_cast<std::int64_t>(i);
}

template <class T, class Index> csr_matrix<T, std::int64_t> wide(const csr_matrix<T, Index>& a) {
  csr_matrix<T, std::int64_t> made{a.rows, a.cols, a.row_offsets, buffer<std::int64_t>(a.nnz()), a.values};
  for (std::int64_t k = 0; k < a.nnz(); ++k) made.columns[k] = a.columns[k];
  return made;
}

template <class T> void expect_equal(const csr_matrix<T, std::int64_t>& a, const csr_matrix<T, std::int64_t>& b) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.cols, b.cols);
  ASSERT_EQ(a.nnz(), b.nnz());
  for (std::int64_t i = 0; i <= a.rows; ++i) ASSERT_EQ(a.row_offsets[i], b.row_offsets[i]) << "row " << i;
  for (std::int64_t k = 0; k < a.nnz(); ++k) {
    ASSERT_EQ(a.columns[k], b.columns[k]);
    const T left = a.values[k];
    const T right = b.values[k];
    ASSERT_EQ(std::memcmp(&left, &right, sizeof(T)), 0) << "entry " << k;
  }
}

}  // namespace lacis::test

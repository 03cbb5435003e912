// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Making distributed matrices from rows with columns of the whole matrix.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/mpi.hpp>

#include "mpi/processes.hpp"

namespace lacis::dist {

/// The rows of this process under their ranges, with the columns of the whole matrix. Canonical.
template <value T, index Index> struct spread_rows {
  std::shared_ptr<const processes> group;
  std::vector<std::int64_t> row_ranges;
  std::vector<std::int64_t> col_ranges;
  csr_matrix<T, Index> rows;
};

/// distribute() inside together().
template <value T, index Index>
[[nodiscard]] distributed_csr<T> distribute_rows(std::shared_ptr<const processes> group, std::int64_t rows,
                                                 csr_matrix<T, Index> mine, const distribute_options& options);

/// Numbers the columns so that 32 bits suffice.
template <value T, index Index> [[nodiscard]] distributed_csr<T> with_ghosts(spread_rows<T, Index> given);

/// Rows in other ranges: each goes to the process that has it there.
template <value T, index Index>
[[nodiscard]] spread_rows<T, Index> moved(spread_rows<T, Index> given, std::vector<std::int64_t> row_ranges);

/// Ranges of about the same weight for rows as they are spread now.
template <value T, index Index>
[[nodiscard]] std::vector<std::int64_t> balanced_ranges(const spread_rows<T, Index>& given,
                                                        std::span<const std::int64_t> parts);

/// Ranges with the same number of chunks of rows.
[[nodiscard]] std::vector<std::int64_t> even_ranges(std::int64_t rows, int processes);

/// The rows of B that the columns of A name here, in their order, with columns of the whole matrix. The columns of A
/// are spread as the rows of B.
template <value T>
[[nodiscard]] csr_matrix<T, std::int64_t> rows_for(const distributed_csr<T>& a, const distributed_csr<T>& b);

/// Rows whose columns are numbered without gaps in their order: kernels work with 32 bits, and sums do not see the
/// numbers.
template <value T> struct narrow_rows {
  csr_matrix<T, std::int32_t> rows;
  buffer<std::int64_t> names;  ///< the columns of the whole matrix
};
template <value T> [[nodiscard]] narrow_rows<T> narrowed(csr_matrix<T, std::int64_t> wide);
/// And back, `cols` columns in the whole matrix.
template <value T>
[[nodiscard]] csr_matrix<T, std::int64_t> widened(csr_matrix<T, std::int32_t> rows, std::span<const std::int64_t> names,
                                                  std::int64_t cols);

/// All entries (row, column, value), in any order of rows, to the processes that own their rows; for one row in the
/// order of processes and then in theirs.
template <value T> struct entry {
  std::int64_t row;
  std::int64_t column;
  T value;
};
template <value T>
[[nodiscard]] arrived<entry<T>> to_owners(const processes& group, std::span<const std::int64_t> row_ranges,
                                          std::span<const entry<T>> entries);

/// Rows own.first .. own.last of the entries that came, in the order in which they came.
template <value T>
[[nodiscard]] csr_matrix<T, std::int64_t> rows_of(std::span<const entry<T>> entries, row_range own, std::int64_t cols);

}  // namespace lacis::dist

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cutting a distributed matrix into nested parts, and writing it in their order.
#pragma once

#include <filesystem>
#include <vector>

#include <lacis/mpi.hpp>

namespace lacis::dist {

/// A square matrix whose rows and columns have numbers in which parts are ranges.
template <value T> struct cut_matrix {
  distributed_csr<T> matrix;        ///< with its parts
  std::vector<std::int64_t> order;  ///< of this process's rows: which rows they were
};

/// Cuts the graph of A + A^T into `count` parts with PT-Scotch's recursive bisection, as nested_parts does on one
/// process; parts begin at multiples of rows_in_chunk. error(unsupported) in a build without PT-Scotch.
template <value T>
[[nodiscard]] LACIS_API cut_matrix<T> cut_into_parts(const distributed_csr<T>& a, std::int64_t count);

/// A .csr directory with the matrix, its parts and its order: the first process writes, the others send it their rows
/// one after the other.
template <value T> LACIS_API void write_cut(const std::filesystem::path& path, const cut_matrix<T>& cut);

}  // namespace lacis::dist

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// From coordinates to CSR: the one routine behind COO conversion, file readers and the builder.
#pragma once

#include <cstdint>

#include <lacis/coo.hpp>
#include <lacis/csr.hpp>
#include <lacis/structure.hpp>

namespace lacis::detail {

/// What an entry (i, j, a) off the diagonal implies about (j, i).
enum class mirror { none, symmetric, skew, hermitian };

/// CSR rows that hold the entries in their order in `a`, unsorted, duplicates kept. With a mirror, each entry off the
/// diagonal is followed by its image; nothing is expanded in memory first. Throws error(invalid_matrix) when an index
/// lies outside the matrix. O(nnz + rows), stable, the same for any number of threads.
template <value Value, index Index>
csr_matrix<Value, Index> gather_rows(const coo_view<Value, Index>& a, mirror image = mirror::none);

/// gather_rows made canonical: sorted, duplicates resolved by `rule`. `merged` receives how many entries were merged
/// into others.
template <value Value, index Index>
csr_matrix<Value, Index> assemble(const coo_view<Value, Index>& a, mirror image, duplicates rule,
                                  std::int64_t* merged = nullptr);

/// Makes the rows of an owned matrix canonical in place (allocates only when entries are merged); returns how many
/// entries were merged.
template <value Value, index Index> std::int64_t make_canonical(csr_matrix<Value, Index>& a, duplicates rule);

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Edge lists: a line for each edge with two ids and perhaps a weight, as SNAP, KONECT and GAP have them.
#pragma once

#include <lacis/csr.hpp>
#include <lacis/io.hpp>

#include "io/bytes/archive.hpp"
#include "io/text_input.hpp"

namespace lacis::detail {

/// Ids are separated by blanks or one comma; lines that begin with '#' or '%' are comments. Id k is row and column k,
/// so there are as many as the largest id asks for, or as a comment "Nodes: N" says when every id is below N. Without
/// weights the matrix is a pattern; the first line decides whether there are weights. Throws error(bad_input) for the
/// first fault, and error(overflow) when an id fits 64-bit indices, but not Index.
template <value Value, index Index>
[[nodiscard]] csr_matrix<Value, Index> parse_edge_list(const text_input& input, const read_options& options,
                                                       read_report& report);

enum class edge_weights {
  as_needed,  ///< unless all are the single 1 of a pattern
  never,      ///< an error when a weight is not 1
  always
};

/// Writes a square real matrix, below comments that hold its size.
template <value Value, index Index>
void write_edge_list(const byte_writer& out, const csr_view<Value, Index>& a, edge_weights weights,
                     const write_options& options);

}  // namespace lacis::detail

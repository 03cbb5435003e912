// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// METIS graphs: a header, then a line for each vertex that lists its neighbours from 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <lacis/csr.hpp>
#include <lacis/io.hpp>

#include "io/bytes/archive.hpp"
#include "io/text_input.hpp"

namespace lacis::detail {

/// The line "n m [fmt [ncon]]".
struct metis_header {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
  bool edge_weights = false;
  std::int64_t numbers_before = 0;  ///< size and weights that stand before the neighbours of each vertex
  const char* line = nullptr;
  std::string_view body;

  [[nodiscard]] std::int64_t numbers_a_neighbour() const { return edge_weights ? 2 : 1; }
};

/// The header, or nothing when the first line that is no comment is none.
[[nodiscard]] std::optional<metis_header> find_metis_header(std::string_view text);

/// Whether lines and numbers are as many as the header says.
[[nodiscard]] bool looks_like_metis(std::string_view text);

/// The adjacency matrix: a pattern, or edge weights. Sizes and weights of vertices are checked and dropped. Throws
/// error(bad_input) for the first fault in the file; then, when each line alone is right, for a number of edges that is
/// not the declared one, an edge listed twice, and an edge that only one of its vertices lists.
template <value Value, index Index>
[[nodiscard]] csr_matrix<Value, Index> parse_metis(const text_input& input, const read_options& options,
                                                   read_report& report);

/// Writes a graph: a symmetric matrix with an empty diagonal, a pattern or with positive integers.
template <value Value, index Index>
void write_metis(const byte_writer& out, const csr_view<Value, Index>& a, const write_options& options);

/// An entry of a matrix with canonical rows that has no equal on the other side of the diagonal: the first such, by
/// row.
struct one_sided_entry {
  std::int64_t row;
  std::int64_t column;
  bool missing;  ///< no entry there at all, rather than another value
};
template <value Value, index Index>
[[nodiscard]] std::optional<one_sided_entry> find_one_sided(const csr_view<Value, Index>& a);

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The body of a Matrix Market file, or lines of it, as coordinates: cut into chunks that are parsed on all threads.
#pragma once

#include <atomic>
#include <vector>

#include "formats/assemble.hpp"
#include "io/chunks.hpp"
#include "io/graph/line_entries.hpp"
#include "io/matrix_market/entry.hpp"
#include "io/matrix_market/matrix_market.hpp"

namespace lacis::detail {

/// The entries of the body as they stand in the file.
template <value Value, index Index> struct parsed_body {
  buffer<Index> rows;
  buffer<Index> columns;
  buffer<Value> values;  ///< empty for patterns
  bool below = false;    ///< an entry stands below the diagonal
  bool above = false;
  std::int64_t entries = 0;  ///< the arrays may be longer
};

template <value Value, index Index>
chunk_result parse_chunk(const matrix_market_header& header, const entry_rules& rules, const line_chunk& chunk,
                         parsed_body<Value, Index>& body) {
  const auto parse = [&]<matrix_market_field Field>() {
    if constexpr (Field != matrix_market_field::pattern)
      if (header.array)
        return parse_array<Field>(chunk, rules, body.rows.data(), body.columns.data(), body.values.data());
    return parse_coordinates<Field>(chunk, rules, body.rows.data(), body.columns.data(), body.values.data());
  };
  switch (header.field) {
    case matrix_market_field::real:
      return parse.template operator()<matrix_market_field::real>();
    case matrix_market_field::complex:
      return parse.template operator()<matrix_market_field::complex>();
    case matrix_market_field::pattern:
      return parse.template operator()<matrix_market_field::pattern>();
    default:
      return parse.template operator()<matrix_market_field::integer>();
  }
}

/// The entries of whole lines of the body. Throws the error of the first fault in the order of the file.
template <value Value, index Index>
parsed_body<Value, Index> parse_body(const text_input& input, const matrix_market_header& header,
                                     std::string_view lines, const read_options& options) {
  // Small enough for a core's cache and for many chunks per thread, large enough to hide the cost of handing one out.
  constexpr std::size_t chunk_bytes = std::size_t{1} << 17;
  const std::vector<std::string_view> chunks = cut_at_lines(lines, chunk_bytes);
  const std::vector<std::int64_t> before = count_entries(chunks, header.entries);
  const entry_rules rules{.rows = header.rows,
                          .cols = header.cols,
                          .symmetry = header.symmetry,
                          .non_negative = header.field == matrix_market_field::unsigned_integer,
                          .round_integers = options.round_integers,
                          .last = lines.data() + lines.size()};

  parsed_body<Value, Index> body;
  body.rows = buffer<Index>(before.back());
  body.columns = buffer<Index>(before.back());
  body.values = buffer<Value>(header.field == matrix_market_field::pattern ? 0 : before.back());

  std::atomic<std::int64_t> entries{0};
  std::atomic<bool> below{false};
  std::atomic<bool> above{false};
  const auto parse_one = [&](std::int64_t c, std::string_view chunk) {
    const std::int64_t first = before[static_cast<std::size_t>(c)];
    const std::int64_t room = before[static_cast<std::size_t>(c) + 1] - first;
    const chunk_result result = parse_chunk(header, rules, {chunk, first, room}, body);
    if (result.fault.kind != fault_kind::none)
      throw error_at(input, result.fault.where,
                     describe(result.fault, input, header, std::is_same_v<real_of<Value>, float>));
    entries += result.entries;
    if (result.below) below = true;
    if (result.above) above = true;
  };
  for_each_chunk(chunks, parse_one, options.progress, "parse");

  body.entries = entries;
  body.below = below;
  body.above = above;
  return body;
}

/// The error for a body that has fewer entries than the header declares.
inline error cut_off(const text_input& input, const matrix_market_header& header, std::int64_t entries) {
  const std::string_view lines = trim_end(header.body);
  return error_at(input, lines.data() + lines.size(),
                  text("the file ends after ", entries, " of ", header.entries, " entries; is it cut off?"));
}

inline mirror mirror_of(matrix_market_symmetry s) {
  switch (s) {
    case matrix_market_symmetry::symmetric:
      return mirror::symmetric;
    case matrix_market_symmetry::skew_symmetric:
      return mirror::skew;
    case matrix_market_symmetry::hermitian:
      return mirror::hermitian;
    default:
      return mirror::none;
  }
}

}  // namespace lacis::detail

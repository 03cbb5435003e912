// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Matrix Market reader: cuts the body into chunks of lines, parses them on all threads, assembles CSR.
#include <algorithm>
#include <atomic>
#include <vector>

#include "base/instantiate.hpp"
#include "formats/assemble.hpp"
#include "io/chunks.hpp"
#include "io/limits.hpp"
#include "io/line_entries.hpp"
#include "io/matrix_market.hpp"
#include "io/matrix_market_entry.hpp"

namespace lacis::detail {
namespace {

using field = matrix_market_field;
using symmetry = matrix_market_symmetry;

/// The entries of the body as they stand in the file.
template <value Value, index Index> struct parsed_body {
  buffer<Index> rows;
  buffer<Index> columns;
  buffer<Value> values;  ///< empty for patterns
  bool below = false;    ///< an entry stands below the diagonal
  bool above = false;
};

template <value Value, index Index>
chunk_result parse_chunk(const matrix_market_header& header, const entry_rules& rules, const line_chunk& chunk,
                         parsed_body<Value, Index>& body) {
  const auto parse = [&]<field Field>() {
    if constexpr (Field != field::pattern)
      if (header.array)
        return parse_array<Field>(chunk, rules, body.rows.data(), body.columns.data(), body.values.data());
    return parse_coordinates<Field>(chunk, rules, body.rows.data(), body.columns.data(), body.values.data());
  };
  switch (header.field) {
    case field::real:
      return parse.template operator()<field::real>();
    case field::complex:
      return parse.template operator()<field::complex>();
    case field::pattern:
      return parse.template operator()<field::pattern>();
    default:
      return parse.template operator()<field::integer>();
  }
}

/// Throws the error of the first fault in the order of the file.
template <value Value, index Index>
parsed_body<Value, Index> parse_body(const text_input& input, const matrix_market_header& header,
                                     const read_options& options) {
  // Small enough for a core's cache and for many chunks a thread, large enough to hide the cost of handing one out.
  constexpr std::size_t chunk_bytes = std::size_t{1} << 17;
  const std::string_view trimmed = trim_end(header.body);
  const std::vector<std::string_view> chunks = cut_at_lines(trimmed, chunk_bytes);
  const std::vector<std::int64_t> before = count_entries(chunks, header.entries);
  const entry_rules rules{.rows = header.rows,
                          .cols = header.cols,
                          .symmetry = header.symmetry,
                          .non_negative = header.field == field::unsigned_integer,
                          .round_integers = options.round_integers,
                          .last = trimmed.data() + trimmed.size()};

  parsed_body<Value, Index> body;
  body.rows = buffer<Index>(before.back());
  body.columns = buffer<Index>(before.back());
  body.values = buffer<Value>(header.field == field::pattern ? 0 : before.back());

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

  if (entries < header.entries)
    throw error_at(input, rules.last,
                   text("the file ends after ", entries.load(), " of ", header.entries, " entries; is it cut off?"));
  body.below = below;
  body.above = above;
  return body;
}

/// The first entry whose place was given before from the other side of the diagonal, or -1.
template <value Value, index Index> std::int64_t find_two_sided(const parsed_body<Value, Index>& body) {
  std::vector<std::int64_t> order;
  for (std::int64_t k = 0; k < body.rows.size(); ++k)
    if (body.rows[k] != body.columns[k]) order.push_back(k);
  const auto place = [&](std::int64_t k) { return std::minmax(body.rows[k], body.columns[k]); };
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    const auto pa = std::pair<Index, Index>(place(a));
    const auto pb = std::pair<Index, Index>(place(b));
    return pa != pb ? pa < pb : a < b;
  });
  std::int64_t first = -1;
  for (std::size_t n = 1; n < order.size(); ++n) {
    const std::int64_t before = order[n - 1];
    const std::int64_t k = order[n];
    const bool other_side = body.rows[before] == body.columns[k] && body.columns[before] == body.rows[k];
    if (other_side && (first < 0 || k < first)) first = k;
  }
  return first;
}

template <value Value, index Index>
void require_one_triangle(const text_input& input, const matrix_market_header& header,
                          const parsed_body<Value, Index>& body) {
  const std::int64_t twice = find_two_sided(body);
  if (twice < 0) return;
  const char* line = find_entry(trim_end(header.body), twice);
  throw error_at(input, line, describe({fault_kind::both_triangles, line}, input, header, false));
}

mirror mirror_of(symmetry s) {
  switch (s) {
    case symmetry::symmetric:
      return mirror::symmetric;
    case symmetry::skew_symmetric:
      return mirror::skew;
    case symmetry::hermitian:
      return mirror::hermitian;
    default:
      return mirror::none;
  }
}

}  // namespace

template <value Value, index Index>
csr_matrix<Value, Index> parse_matrix_market(const text_input& input, const read_options& options,
                                             read_report& report) {
  const matrix_market_header header = parse_matrix_market_header(input);
  const std::string place = text(input.name, ':', line_number(input, header.size_line));
  require_justified_rows(header.rows, static_cast<std::int64_t>(input.text.size()), options, place,
                         "raise memory_limit if the size line is right");
  require_sizes<Index>(header.rows, header.cols, place);
  report.format = file_format::matrix_market;
  report.field = name_of(header.field);
  report.symmetry = name_of(header.symmetry);
  report.bytes = static_cast<std::int64_t>(input.text.size());
  report.stored_entries = header.entries;

  const auto body = parse_body<Value, Index>(input, header, options);
  const bool pattern = header.field == field::pattern;
  const Value one(1);
  const values_view<Value> values =
      pattern ? values_view<Value>({&one, 1}, true) : values_view<Value>(std::span<const Value>(body.values));
  const coo_view<Value, Index> coo{header.rows, header.cols, body.rows, body.columns, values};
  if (options.progress) options.progress("assemble", 0);
  auto matrix =
      assemble(coo, mirror_of(header.symmetry), pattern ? duplicates::keep_first : duplicates::sum, &report.duplicates);
  if (header.symmetry != symmetry::general && body.below && body.above && report.duplicates > 0)
    require_one_triangle(input, header, body);
  if (options.progress) options.progress("assemble", 1);
  return matrix;
}

#define LACIS_PARSE_MATRIX_MARKET(Value, Index) \
  template csr_matrix<Value, Index> parse_matrix_market(const text_input&, const read_options&, read_report&);
LACIS_FOR_EACH_TYPE(LACIS_PARSE_MATRIX_MARKET)

}  // namespace lacis::detail

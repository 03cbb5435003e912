// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Matrix Market reader: cuts the body into chunks of lines, parses them on all threads, assembles CSR.
#include <algorithm>
#include <vector>

#include "base/instantiate.hpp"
#include "formats/assemble.hpp"
#include "io/graph/line_entries.hpp"
#include "io/limits.hpp"
#include "io/matrix_market/body.hpp"
#include "io/matrix_market/matrix_market.hpp"

namespace lacis::detail {
namespace {

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

}  // namespace

template <value Value, index Index>
csr_matrix<Value, Index> parse_matrix_market(const text_input& input, const read_options& options,
                                             read_report& report) {
  const matrix_market_header header = parse_matrix_market_header(input);
  const std::string place = text(input.name, ':', line_number(input, header.size_line));
  require_justified_rows(header.rows, static_cast<std::int64_t>(input.text.size()), options, place,
                         "raise read_options::memory_limit if the size line is right");
  require_sizes<Index>(header.rows, header.cols, place);
  report.format = file_format::matrix_market;
  report.field = name_of(header.field);
  report.symmetry = name_of(header.symmetry);
  report.bytes = static_cast<std::int64_t>(input.text.size());
  report.stored_entries = header.entries;

  const auto body = parse_body<Value, Index>(input, header, trim_end(header.body), options);
  if (body.entries < header.entries) throw cut_off(input, header, body.entries);
  const bool pattern = header.field == matrix_market_field::pattern;
  const Value one(1);
  const values_view<Value> values =
      pattern ? values_view<Value>({&one, 1}, true) : values_view<Value>(std::span<const Value>(body.values));
  const coo_view<Value, Index> coo{header.rows, header.cols, body.rows, body.columns, values};
  if (options.progress) options.progress("assemble", 0);
  auto matrix =
      assemble(coo, mirror_of(header.symmetry), pattern ? duplicates::keep_first : duplicates::sum, &report.duplicates);
  if (header.symmetry != matrix_market_symmetry::general && body.below && body.above && report.duplicates > 0)
    require_one_triangle(input, header, body);
  if (options.progress) options.progress("assemble", 1);
  return matrix;
}

#define LACIS_PARSE_MATRIX_MARKET(Value, Index) \
  template csr_matrix<Value, Index> parse_matrix_market(const text_input&, const read_options&, read_report&);
LACIS_FOR_EACH_TYPE(LACIS_PARSE_MATRIX_MARKET)

}  // namespace lacis::detail

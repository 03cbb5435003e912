// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Matrix Market reader: cuts the body into chunks of lines, parses them on all threads, assembles CSR.
#include <algorithm>
#include <atomic>
#include <vector>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/assemble.hpp"
#include "io/line_chunks.hpp"
#include "io/matrix_market.hpp"
#include "io/matrix_market_entry.hpp"

namespace lacis::detail {
namespace {

using field = matrix_market_field;
using symmetry = matrix_market_symmetry;

/// A declared size allocates only what the bytes present justify, or what the caller allows.
template <index Index>
void check_memory(const text_input& input, const matrix_market_header& header, const read_options& options) {
  constexpr std::int64_t base = std::int64_t{64} << 20;
  const auto present = static_cast<std::int64_t>(input.text.size());
  const std::int64_t limit = options.memory_limit > 0 ? options.memory_limit : base + 64 * present;
  if (header.rows >= limit / static_cast<std::int64_t>(sizeof(std::int64_t)))
    throw error_at(input, header.size_line,
                   text("the offsets of ", header.rows, " rows would pass the limit of ", limit,
                        " bytes; raise memory_limit if the size line is right"),
                   errc::out_of_memory);
  try {
    require_index<Index>(header.rows, "rows");
    require_index<Index>(header.cols, "columns");
  } catch (const error& too_large) {
    throw error_at(input, header.size_line, too_large.what(), too_large.code());
  }
}

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

/// Chunks are handed out in the order of the file; after a fault no new ones are, but those before it are finished, so
/// the first fault in the file is always found.
template <value Value, index Index>
parsed_body<Value, Index> parse_body(const text_input& input, const matrix_market_header& header,
                                     const read_options& options) {
  const entry_rules rules{.rows = header.rows,
                          .cols = header.cols,
                          .symmetry = header.symmetry,
                          .non_negative = header.field == field::unsigned_integer,
                          .round_integers = options.round_integers,
                          .last = trim_end(header.body)};
  const std::vector<line_chunk> chunks = cut_lines(header.body.data(), rules.last, header.entries);
  const std::int64_t slots = chunks.empty() ? 0 : chunks.back().first_entry + chunks.back().entries;

  parsed_body<Value, Index> body;
  body.rows = buffer<Index>(slots);
  body.columns = buffer<Index>(slots);
  body.values = buffer<Value>(header.field == field::pattern ? 0 : slots);

  const auto count = static_cast<std::int64_t>(chunks.size());
  std::vector<chunk_result> results(chunks.size());
  std::atomic<std::int64_t> ticket{0};
  std::atomic<std::int64_t> done{0};
  const auto stop = [&] { ticket.store(count, std::memory_order_relaxed); };
  on_threads(std::min<int>(thread_count(), static_cast<int>(std::min<std::int64_t>(count, 1 << 16))), [&](int t, int) {
    std::int64_t told = -1;
    for (std::int64_t c = ticket++; c < count; c = ticket++) {
      auto& result = results[static_cast<std::size_t>(c)];
      result = parse_chunk(header, rules, chunks[static_cast<std::size_t>(c)], body);
      if (result.fault.kind != fault_kind::none) stop();
      const std::int64_t hundredth = ++done * 100 / count;
      if (t != 0 || !options.progress || hundredth == told) continue;
      told = hundredth;
      try {
        options.progress("parse", static_cast<double>(hundredth) / 100);
      } catch (...) {
        stop();
        throw;
      }
    }
  });

  std::int64_t entries = 0;
  for (const auto& result : results) {
    if (result.fault.kind != fault_kind::none)
      throw error_at(input, result.fault.where,
                     describe(result.fault, input, header, std::is_same_v<real_of<Value>, float>));
    entries += result.entries;
    body.below |= result.below;
    body.above |= result.above;
  }
  if (entries < header.entries)
    throw error_at(input, rules.last,
                   text("the file ends after ", entries, " of ", header.entries, " entries; is it cut off?"));
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
  const char* line = find_entry(header.body.data(), trim_end(header.body), twice);
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
  check_memory<Index>(input, header, options);
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

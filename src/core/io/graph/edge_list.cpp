// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading edge lists: chunks of lines in parallel, into arrays that the number of lines sizes.
#include "io/graph/edge_list.hpp"

#include <limits>
#include <numeric>

#include "base/instantiate.hpp"
#include "formats/assemble.hpp"
#include "io/chunks.hpp"
#include "io/exact.hpp"
#include "io/graph/compact_ids.hpp"
#include "io/limits.hpp"
#include "io/numbers.hpp"

namespace lacis::detail {
namespace {

constexpr std::string_view line_hint = "; a line is two ids and perhaps a weight, a comment begins with # or %";

template <class Value, class Id> struct edges {
  buffer<Id> sources;
  buffer<Id> targets;
  buffer<Value> weights;  ///< empty when the list has none
  std::int64_t count = 0;
  std::int64_t largest = -1;
};

bool is_comment(char c) { return c == '#' || c == '%'; }

/// What the text above the first edge says.
struct preamble {
  std::string_view body;    ///< from the first edge on
  std::int64_t nodes = -1;  ///< of "# Nodes: N Edges: M"
  int columns = 2;
};

/// Steps over blanks and at most one comma.
const char* skip_separator(const char* p, const char* last) {
  p = skip_blanks(p, last);
  return p != last && *p == ',' ? skip_blanks(p + 1, last) : p;
}

bool is_separator(char c) { return is_blank(c) || c == ','; }

int count_columns(const char* p, const char* last) {
  int columns = 0;
  for (p = skip_blanks(p, last); !at_line_end(p, last); p = skip_separator(p, last)) {
    ++columns;
    while (!at_line_end(p, last) && !is_separator(*p)) ++p;
  }
  return columns;
}

std::int64_t node_count(std::string_view comment) {
  constexpr std::string_view label = "Nodes:";
  const std::size_t found = comment.find(label);
  std::int64_t nodes = -1;
  if (found == std::string_view::npos) return nodes;
  const char* const last = comment.data() + comment.size();
  const char* first = skip_blanks(comment.data() + found + label.size(), last);
  return parse_digits(first, last, nodes).status == number_status::ok ? nodes : -1;
}

preamble find_first_edge(const text_input& input) {
  preamble found;
  const char* p = input.text.data();
  const char* const last = p + input.text.size();
  while (p != last) {
    const char* first = skip_blanks(p, last);
    if (!at_line_end(first, last)) {
      if (!is_comment(*first)) break;
      if (found.nodes < 0) found.nodes = node_count({first, find_newline(first, last)});
    }
    p = next_line(first, last);
  }
  found.body = {p, last};
  if (p == last) {
    if (found.nodes >= 0) return found;
    throw error_at(input, p, "no edge and no comment \"# Nodes: N\"" + std::string(line_hint));
  }
  found.columns = count_columns(p, last);
  if (found.columns != 2 && found.columns != 3)
    throw error_at(input, p,
                   text("the first edge has ", found.columns, " columns", line_hint,
                        found.columns == 1 ? "; is this a vector, and the matrix another file?" : ""));
  return found;
}

/// An id at `first`, which a separator or the line's end must follow.
const char* parse_id(const text_input& input, const char* first, const char* last, std::int64_t largest,
                     std::int64_t& id) {
  const parsed_number parsed = parse_digits(first, last, id);
  const auto seen = [&] { return quoted_word(input.text, first); };
  if (parsed.status == number_status::out_of_range)
    throw error_at(input, first, text("the id ", seen(), " does not fit in 64 bits"));
  if (parsed.status == number_status::malformed || !(at_line_end(parsed.end, last) || is_separator(*parsed.end))) {
    if (at_line_end(first, last)) throw error_at(input, first, text("an edge with only one id", line_hint));
    if (*first == '-') throw error_at(input, first, text("the id ", seen(), " is negative", line_hint));
    throw error_at(input, first, text(seen(), " is not an id (an integer)", line_hint));
  }
  const bool fits_more = largest <= std::numeric_limits<std::int32_t>::max();
  if (id >= largest)
    throw error_at(
        input, first,
        text("the id ", id, " does not fit ", fits_more ? 32 : 64, "-bit indices; ",
             fits_more ? "read with 64-bit ones, or " : "", "number the ids anew (read_options::compact_ids)"),
        fits_more ? errc::overflow : errc::bad_input);
  return parsed.end;
}

template <class Value>
const char* parse_weight(const text_input& input, const char* first, const char* last, bool round, Value& weight) {
  real_of<Value> real = 0;
  const parsed_number parsed = parse_real(first, last, real);
  if (parsed.status == number_status::out_of_range)
    throw error_at(input, first, text("the weight ", quoted_word(input.text, first), " is too large"));
  if (parsed.status == number_status::malformed || !(at_line_end(parsed.end, last) || is_separator(*parsed.end)))
    throw error_at(input, first, text(quoted_word(input.text, first), " is not a weight (a real number)", line_hint));
  if (!round && is_inexact_whole(first, parsed.end))
    throw error_at(input, first, text("no double equals the weight ", quoted_word(input.text, first), inexact_hint));
  weight = Value(real);
  return parsed.end;
}

/// Fills slots `slot` .. of the arrays from the lines of a chunk; returns how many.
template <class Value, class Id>
std::int64_t parse_lines(const text_input& input, std::string_view chunk, int columns, bool round,
                         edges<Value, Id>& out, std::int64_t slot, std::int64_t& largest) {
  const std::int64_t begin = slot;
  const char* const last = chunk.data() + chunk.size();
  for (const char* p = chunk.data(); p != last;) {
    const char* first = skip_blanks(p, last);
    if (at_line_end(first, last) || is_comment(*first)) {
      p = next_line(first, last);
      continue;
    }
    std::int64_t source = 0;
    std::int64_t target = 0;
    constexpr std::int64_t too_large = std::numeric_limits<Id>::max();
    p = parse_id(input, first, last, too_large, source);
    p = parse_id(input, skip_separator(p, last), last, too_large, target);
    p = skip_separator(p, last);
    if (columns == 3 && !at_line_end(p, last)) {
      p = parse_weight(input, p, last, round, out.weights[slot]);
      p = skip_separator(p, last);
    } else if (columns == 3) {
      throw error_at(input, first, text("2 columns here, but 3 in the first edge", line_hint));
    }
    if (!at_line_end(p, last))
      throw error_at(input, first,
                     text(count_columns(first, last), " columns here, but ", columns, " in the first edge", line_hint));
    out.sources[slot] = static_cast<Id>(source);
    out.targets[slot] = static_cast<Id>(target);
    ++slot;
    largest = std::max({largest, source, target});
    p = next_line(p, last);
  }
  return slot - begin;
}

/// Moves what chunk c left at slots[c] down, so that no slots are unused between chunks; comments and blank lines take
/// no slot of their own.
template <class Value, class Id>
void close_gaps(edges<Value, Id>& list, const std::vector<std::int64_t>& slots,
                const std::vector<std::int64_t>& counts) {
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const std::int64_t from = slots[c];
    const auto move = [&](auto& array) {
      if (from != list.count && !array.empty())
        std::copy(array.begin() + from, array.begin() + from + counts[c], array.begin() + list.count);
    };
    move(list.sources);
    move(list.targets);
    move(list.weights);
    list.count += counts[c];
  }
}

template <class Value, class Id>
edges<Value, Id> parse_edges(const text_input& input, const preamble& head, const read_options& options) {
  const std::vector<std::string_view> chunks = cut_at_lines(head.body);
  std::vector<std::int64_t> slots(chunks.size() + 1, 0);
  for_each_chunk(chunks, [&](std::int64_t c, std::string_view chunk) {
    const bool unfinished = chunk.back() != '\n';
    slots[static_cast<std::size_t>(c)] = std::count(chunk.begin(), chunk.end(), '\n') + unfinished;
  });
  std::exclusive_scan(slots.begin(), slots.end(), slots.begin(), std::int64_t{0});

  edges<Value, Id> list;
  list.sources = buffer<Id>(slots.back());
  list.targets = buffer<Id>(slots.back());
  if (head.columns == 3) list.weights = buffer<Value>(slots.back());
  std::vector<std::int64_t> counts(chunks.size(), 0);
  std::vector<std::int64_t> largest(chunks.size(), -1);
  const auto parse = [&](std::int64_t c, std::string_view chunk) {
    const auto i = static_cast<std::size_t>(c);
    counts[i] = parse_lines(input, chunk, head.columns, options.round_integers, list, slots[i], largest[i]);
  };
  for_each_chunk(chunks, parse, options.progress, "parsing");
  for (const std::int64_t each : largest) list.largest = std::max(list.largest, each);
  close_gaps(list, slots, counts);
  return list;
}

template <class Value, class Index>
csr_matrix<Value, Index> to_matrix(const text_input& input, const edges<Value, Index>& list, std::int64_t rows,
                                   const read_options& options, read_report& report) {
  require_sizes<Index>(rows, rows, input.name);
  require_justified_rows(rows, static_cast<std::int64_t>(input.text.size()), options, input.name,
                         "number the ids anew (read_options::compact_ids), or raise read_options::memory_limit");
  const auto count = static_cast<std::size_t>(list.count);
  const bool weighted = !list.weights.empty();
  const Value one(1);
  coo_view<Value, Index> entries;
  entries.rows = rows;
  entries.cols = rows;
  entries.row_indices = std::span<const Index>(list.sources).first(count);
  entries.columns = std::span<const Index>(list.targets).first(count);
  entries.values = weighted ? values_view<Value>(std::span<const Value>(list.weights).first(count))
                            : values_view<Value>(std::span<const Value>(&one, 1), true);
  report.format = file_format::edge_list;
  report.field = weighted ? "real" : "pattern";
  report.stored_entries = list.count;
  return assemble(entries, options.undirected ? mirror::symmetric : mirror::none,
                  weighted ? duplicates::sum : duplicates::keep_first, &report.duplicates);
}

}  // namespace

template <value Value, index Index>
csr_matrix<Value, Index> parse_edge_list(const text_input& input, const read_options& options, read_report& report) {
  const preamble head = find_first_edge(input);
  if (options.compact_ids) {
    auto list = parse_edges<Value, std::int64_t>(input, head, options);
    const auto ids = [&](const buffer<std::int64_t>& all) {
      return std::span<const std::int64_t>(all).first(static_cast<std::size_t>(list.count));
    };
    const id_ranks ranks(ids(list.sources), ids(list.targets), list.largest);
    const std::int64_t rows = ranks.size();
    require_sizes<Index>(rows, rows, input.name);
    edges<Value, Index> reordered;
    reordered.sources = buffer<Index>(list.count);
    reordered.targets = buffer<Index>(list.count);
    parallel_for(list.count, [&](std::int64_t k) {
      reordered.sources[k] = static_cast<Index>(ranks(list.sources[k]));
      reordered.targets[k] = static_cast<Index>(ranks(list.targets[k]));
    });
    reordered.weights = std::move(list.weights);
    reordered.count = list.count;
    return to_matrix<Value, Index>(input, reordered, rows, options, report);
  }
  const auto list = parse_edges<Value, Index>(input, head, options);
  return to_matrix<Value, Index>(input, list, std::max(head.nodes, list.largest + 1), options, report);
}

#define LACIS_INSTANTIATE(Value, Index) \
  template csr_matrix<Value, Index> parse_edge_list(const text_input&, const read_options&, read_report&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace lacis::detail

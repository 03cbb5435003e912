// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading METIS graphs: one pass counts lines and numbers, a second one stores.
#include "io/graph/metis.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/assemble.hpp"
#include "io/chunks.hpp"
#include "io/exact.hpp"
#include "io/limits.hpp"
#include "io/numbers.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

bool is_comment_line(const char* line, const char* last) {
  const char* first = skip_blanks(line, last);
  return first != last && *first == '%';
}

std::int64_t count_numbers(const char* p, const char* last) {
  std::int64_t count = 0;
  for (p = skip_blanks(p, last); !at_line_end(p, last); p = skip_blanks(p, last)) {
    ++count;
    while (!at_line_end(p, last) && !is_blank(*p)) ++p;
  }
  return count;
}

struct line_counts {
  std::int64_t lines = 0;  ///< that are no comments
  std::int64_t numbers = 0;
  std::int64_t neighbours = 0;

  line_counts& operator+=(const line_counts& more) {
    lines += more.lines;
    numbers += more.numbers;
    neighbours += more.neighbours;
    return *this;
  }
};

line_counts count_lines(const metis_header& header, std::string_view chunk) {
  line_counts counts;
  const char* const last = chunk.data() + chunk.size();
  for (const char* line = chunk.data(); line != last; line = next_line(line, last)) {
    if (is_comment_line(line, last)) continue;
    const std::int64_t numbers = count_numbers(line, last);
    ++counts.lines;
    counts.numbers += numbers;
    counts.neighbours += std::max<std::int64_t>(0, numbers - header.numbers_before) / header.numbers_a_neighbour();
  }
  return counts;
}

/// Cuts blank lines off the end that no vertex needs: `counted` lines are there for `wanted`. Returns how many stay.
std::int64_t cut_spare_lines(std::string_view& body, std::int64_t counted, std::int64_t wanted) {
  for (; counted > wanted; --counted) {
    const std::string_view rest = body.substr(0, body.size() - (body.ends_with('\n') ? 1 : 0));
    const std::size_t start = rest.rfind('\n') + 1;  // 0 in the first line: npos + 1
    if (rest.find_first_not_of(" \t\r", start) != std::string_view::npos) break;
    body = body.substr(0, start);
  }
  return counted;
}

/// The place of the line of vertex `vertex`, for messages.
const char* line_of(const metis_header& header, std::int64_t vertex) {
  const char* const last = header.body.data() + header.body.size();
  const char* line = header.body.data();
  for (; line != last; line = next_line(line, last))
    if (!is_comment_line(line, last) && vertex-- == 0) break;
  return line;
}

/// Reads the numbers of one line, one after the other.
class line_reader {
 public:
  line_reader(const text_input& input, const char* line, const char* last)
      : input_(input), next_(skip_blanks(line, last)), last_(last) {}

  [[nodiscard]] bool at_end() const { return at_line_end(next_, last_); }
  [[nodiscard]] const char* place() const { return next_; }

  std::int64_t number(std::string_view what) {
    std::int64_t value = 0;
    const parsed_number parsed = parse_digits(next_, last_, value);
    if (parsed.status == number_status::out_of_range)
      throw error_at(input_, next_, text(what, ' ', quoted_word(input_.text, next_), " does not fit in 64 bits"));
    if (parsed.status == number_status::malformed || !(at_line_end(parsed.end, last_) || is_blank(*parsed.end)))
      throw error_at(input_, next_,
                     text(what, ' ', quoted_word(input_.text, next_),
                          " is not an integer that is at least 0; if this is an edge list, say so "
                          "(read_options::format)"));
    next_ = skip_blanks(parsed.end, last_);
    return value;
  }

 private:
  const text_input& input_;
  const char* next_;
  const char* last_;
};

template <class Value, class Index> class metis_parser {
 public:
  metis_parser(const text_input& input, const metis_header& header, const read_options& options)
      : input_(input), header_(header), options_(options) {}

  csr_matrix<Value, Index> parse() {
    const std::vector<std::string_view> chunks = cut_at_lines(header_.body);
    std::vector<line_counts> starts(chunks.size());
    for_each_chunk(chunks, [&](std::int64_t c, std::string_view chunk) {
      starts[static_cast<std::size_t>(c)] = count_lines(header_, chunk);
    });
    line_counts total;
    for (line_counts& start : starts) {
      const line_counts counts = start;
      start = total;
      total += counts;
    }
    if (total.lines > header_.vertices && cut_spare_lines(header_.body, total.lines, header_.vertices) < total.lines)
      return parse();
    if (total.lines != header_.vertices) refuse_line_count(total.lines);

    a_.rows = a_.cols = header_.vertices;
    a_.row_offsets = buffer<std::int64_t>(header_.vertices + 1);
    a_.columns = buffer<Index>(total.neighbours);
    a_.values = header_.edge_weights ? values_array<Value>(total.neighbours) : values_array<Value>::same(Value(1));
    const auto store = [&](std::int64_t c, std::string_view chunk) {
      const line_counts start = starts[static_cast<std::size_t>(c)];
      store_lines(chunk, start.lines, start.neighbours);
    };
    for_each_chunk(chunks, store, options_.progress, "parsing");
    a_.row_offsets[header_.vertices] = total.neighbours;
    return std::move(a_);
  }

 private:
  [[noreturn]] void refuse_line_count(std::int64_t lines) const {
    if (lines > header_.vertices)
      throw error_at(input_, line_of(header_, header_.vertices),
                     text("a line for vertex ", header_.vertices + 1, ", but the header declares ", header_.vertices,
                          " vertices"));
    throw error_at(input_, header_.line,
                   text("the header declares ", header_.vertices, " vertices, but ", lines,
                        " lines follow; a vertex without neighbours has a blank line"));
  }

  /// A line stores exactly as many neighbours as were counted for it, or is an error.
  void store_lines(std::string_view chunk, std::int64_t vertex, std::int64_t slot) {
    const char* const last = chunk.data() + chunk.size();
    for (const char* line = chunk.data(); line != last; line = next_line(line, last)) {
      if (is_comment_line(line, last)) continue;
      const std::int64_t rest = count_numbers(line, last) - header_.numbers_before;
      if (rest < 0)
        throw error_at(input_, line,
                       text("vertex ", vertex + 1, " has fewer than the ", header_.numbers_before,
                            " size and weights that the header promises"));
      if (rest % header_.numbers_a_neighbour() != 0)
        throw error_at(input_, line, text("the last neighbour of vertex ", vertex + 1, " has no weight"));
      a_.row_offsets[vertex] = slot;
      line_reader reader(input_, line, last);
      for (std::int64_t k = 0; k < header_.numbers_before; ++k) reader.number("the vertex size or weight");
      while (!reader.at_end()) store_neighbour(reader, vertex, slot++);
      ++vertex;
    }
  }

  void store_neighbour(line_reader& reader, std::int64_t vertex, std::int64_t slot) {
    const char* place = reader.place();
    const std::int64_t neighbour = reader.number("the neighbour");
    if (neighbour == 0) throw error_at(input_, place, "neighbour 0; METIS numbers vertices from 1");
    if (neighbour > header_.vertices)
      throw error_at(input_, place,
                     text("neighbour ", neighbour, " exceeds the declared ", header_.vertices,
                          " vertices; if this is an edge list, say so (read_options::format)"));
    if (neighbour == vertex + 1)
      throw error_at(input_, place, text("vertex ", neighbour, " is its own neighbour; METIS graphs have no loops"));
    a_.columns[slot] = static_cast<Index>(neighbour - 1);
    if (!header_.edge_weights) return;
    place = reader.place();
    const std::int64_t weight = reader.number("the edge weight");
    if (weight == 0) throw error_at(input_, place, "an edge weight of 0; METIS allows positive ones only");
    if (!options_.round_integers && !fits_double(weight))
      throw error_at(input_, place, text("no double equals the edge weight ", weight, inexact_hint));
    a_.values.data[slot] = Value(static_cast<real_of<Value>>(weight));
  }

  const text_input& input_;
  metis_header header_;
  const read_options& options_;
  csr_matrix<Value, Index> a_;
};

}  // namespace

std::optional<metis_header> find_metis_header(std::string_view text) {
  const char* line = text.data();
  const char* const last = line + text.size();
  while (line != last && (is_comment_line(line, last) || at_line_end(skip_blanks(line, last), last)))
    line = next_line(line, last);
  std::int64_t numbers[4] = {0, 0, 0, 1};
  std::size_t count = 0;
  std::string_view format;
  for (const char* p = skip_blanks(line, last); !at_line_end(p, last); p = skip_blanks(p, last)) {
    if (count == 4) return {};
    const parsed_number parsed = parse_digits(p, last, numbers[count]);
    if (parsed.status != number_status::ok || !(at_line_end(parsed.end, last) || is_blank(*parsed.end))) return {};
    if (count == 2) format = {p, parsed.end};
    p = parsed.end;
    ++count;
  }
  // fmt is three digits, of which leading zeros may be left out: vertex sizes, vertex weights, edge weights.
  if (count < 2 || format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) return {};
  const auto flag = [&](std::size_t from_the_right) {
    return format.size() > from_the_right && format[format.size() - 1 - from_the_right] == '1';
  };
  metis_header header;
  header.vertices = numbers[0];
  header.edges = numbers[1];
  header.edge_weights = flag(0);
  // No line can hold more numbers than the text has bytes: a larger ncon is no header, and the sum cannot wrap.
  if (numbers[3] > static_cast<std::int64_t>(text.size())) return {};
  header.numbers_before = (flag(1) ? numbers[3] : 0) + (flag(2) ? 1 : 0);
  header.line = line;
  const char* body = next_line(line, last);
  header.body = {body, last};
  return header;
}

bool looks_like_metis(std::string_view text) {
  const std::optional<metis_header> header = find_metis_header(text);
  if (!header || header->vertices == 0 || header->vertices > static_cast<std::int64_t>(text.size())) return false;
  const std::vector<std::string_view> chunks = cut_at_lines(header->body);
  std::atomic<std::int64_t> lines = 0;
  for_each_chunk(chunks, [&](std::int64_t, std::string_view chunk) {
    lines += std::count(chunk.begin(), chunk.end(), '\n') + (chunk.back() != '\n');
  });
  if (lines < header->vertices) return false;
  std::vector<line_counts> counts(chunks.size());
  for_each_chunk(chunks, [&](std::int64_t c, std::string_view chunk) {
    counts[static_cast<std::size_t>(c)] = count_lines(*header, chunk);
  });
  line_counts total;
  for (const line_counts& each : counts) total += each;
  std::string_view body = header->body;
  if (cut_spare_lines(body, total.lines, header->vertices) != header->vertices) return false;
  __extension__ using wide = __int128;
  return wide{total.numbers} ==
         2 * wide{header->edges} * header->numbers_a_neighbour() + wide{header->vertices} * header->numbers_before;
}

template <value Value, index Index> std::optional<one_sided_entry> find_one_sided(const csr_view<Value, Index>& a) {
  std::vector<std::optional<one_sided_entry>> found(static_cast<std::size_t>(std::max(1, thread_count())));
  const auto parts = static_cast<int>(found.size());
  on_threads(parts, [&](int part, int) {
    const summation::rounding_guard guard;
    const std::int64_t end = balanced_cut(a.row_offsets, part + 1, parts);
    for (std::int64_t i = balanced_cut(a.row_offsets, part, parts); i < end; ++i) {
      for (std::int64_t k = a.row_offsets[static_cast<std::size_t>(i)];
           k < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++k) {
        const auto j = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)]);
        const auto first = a.columns.begin() + a.row_offsets[j];
        const auto last = a.columns.begin() + a.row_offsets[j + 1];
        const auto other = std::lower_bound(first, last, static_cast<Index>(i));
        const bool missing = other == last || *other != static_cast<Index>(i);
        if (missing || a.values[k] != a.values[other - a.columns.begin()]) {
          found[static_cast<std::size_t>(part)] = {i, static_cast<std::int64_t>(j), missing};
          return;
        }
      }
    }
  });
  for (const auto& entry : found)
    if (entry) return entry;
  return {};
}

template <value Value, index Index>
csr_matrix<Value, Index> parse_metis(const text_input& input, const read_options& options, read_report& report) {
  const std::optional<metis_header> header = find_metis_header(input.text);
  if (!header)
    throw error_at(input, input.text.data(),
                   "no METIS header; the first line is \"vertices edges [fmt [ncon]]\" with fmt of the digits 0 and 1");
  require_sizes<Index>(header->vertices, header->vertices, input.name);
  // Each vertex has a line of its own, so the bytes bound the vertices.
  if (header->vertices > static_cast<std::int64_t>(header->body.size()) + 1)
    throw error_at(
        input, header->line,
        text("the header declares ", header->vertices, " vertices, but only ", header->body.size(), " bytes follow"));
  const auto parse = [&] { return metis_parser<Value, Index>(input, *header, options).parse(); };
  csr_matrix<Value, Index> a = parse();

  if (a.nnz() % 2 != 0 || a.nnz() / 2 != header->edges)
    throw error_at(input, header->line,
                   text("the header declares ", header->edges, " edges, but ", a.nnz(),
                        " neighbours are listed; each edge is listed by both of its vertices"));
  report.format = file_format::metis;
  report.field = header->edge_weights ? "integer" : "pattern";
  report.symmetry = "symmetric";
  report.stored_entries = a.nnz();
  const auto at_vertex = [&](std::int64_t vertex, const std::string& what) {
    return error_at(input, line_of(*header, vertex), what);
  };
  if (make_canonical(a, duplicates::keep_first) != 0) {
    const csr_matrix<Value, Index> before = parse();
    std::int64_t vertex = 0;
    while (a.row_offsets[vertex + 1] == before.row_offsets[vertex + 1]) ++vertex;
    throw at_vertex(vertex, text("vertex ", vertex + 1, " lists a neighbour twice"));
  }
  if (const auto entry = find_one_sided(a.view())) {
    if (entry->missing)
      throw at_vertex(entry->row, text("vertex ", entry->row + 1, " lists ", entry->column + 1, ", but ",
                                       entry->column + 1, " does not list ", entry->row + 1));
    throw at_vertex(entry->row, text("the edge between ", entry->row + 1, " and ", entry->column + 1,
                                     " has another weight on the line of ", entry->column + 1));
  }
  return a;
}

#define LACIS_INSTANTIATE(Value, Index)                                                                \
  template csr_matrix<Value, Index> parse_metis(const text_input&, const read_options&, read_report&); \
  template std::optional<one_sided_entry> find_one_sided(const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading vectors.
#include "io/vector_read.hpp"

#include <charconv>
#include <vector>

#include "io/bytes/source.hpp"
#include "io/read.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

/// The number that a blank or the end of the line follows; nothing when there is none. Steps behind it and its blanks.
std::optional<double> take_number(const char*& at, const char* last) {
  const char* const first = at != last && *at == '+' ? at + 1 : at;
  double number = 0;
  const auto [end, problem] = std::from_chars(first, last, number);
  if (problem != std::errc() || !(at_line_end(end, last) || is_blank(*end))) return {};
  at = skip_blanks(end, last);
  return number;
}

/// How many numbers are the whole of the first line that is not blank: 0 where something else stands there.
int numbers_per_line(std::string_view text) {
  const char* const last = text.data() + text.size();
  for (const char* line = text.data(); line != last; line = next_line(line, last)) {
    const char* at = skip_blanks(line, last);
    if (at_line_end(at, last)) continue;
    int count = 0;
    while (!at_line_end(at, last)) {
      if (!take_number(at, last)) return 0;
      ++count;
    }
    return count;
  }
  return 0;
}

template <class T> buffer<T> parse_lines(const text_input& input) {
  constexpr int per_line = is_complex<T> ? 2 : 1;
  std::vector<T> x;
  const char* const last = input.text.data() + input.text.size();
  for (const char* line = input.text.data(); line != last; line = next_line(line, last)) {
    const char* at = skip_blanks(line, last);
    if (at_line_end(at, last)) continue;
    double parts[2] = {};
    for (int k = 0; k < per_line; ++k) {
      const std::optional<double> number = take_number(at, last);
      if (!number)
        throw error_at(input, at,
                       text(quoted_word(input.text, at), " is not a number; a vector has ",
                            is_complex<T> ? "two per line, as the first line has" : "one per line"));
      parts[k] = *number;
    }
    if (!at_line_end(at, last))
      throw error_at(input, at,
                     text("the line goes on with ", quoted_word(input.text, at), "; the first one has ", per_line,
                          per_line == 1 ? " number" : " numbers"));
    if constexpr (is_complex<T>)
      x.emplace_back(parts[0], parts[1]);
    else
      x.push_back(parts[0]);
  }
  return buffer<T>(std::span<const T>(x));
}

template <class T, class Matrix> buffer<T> column_of(const Matrix& a, const std::string& name) {
  if (a.cols != 1) throw error(errc::bad_input, text(name, ": a vector has one column; this matrix has ", a.cols));
  buffer<T> x(a.rows, T{});
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) x[i] = a.values[k];
  return x;
}

any_vector column_of(const any_csr& matrix, const std::string& name) {
  return std::visit(
      [&]<class Value, class Index>(const csr_matrix<Value, Index>& a) -> any_vector {
        if constexpr (is_complex<Value>)
          return column_of<std::complex<double>>(a, name);
        else
          return column_of<double>(a, name);
      },
      matrix);
}

}  // namespace

any_vector read_vector(const std::filesystem::path& path, const read_options& options) {
  const summation::rounding_guard guard;
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) return column_of(read_any(path, options), path.string());
  const source opened = open_source(path, options);
  text_input input{opened.bytes.text(), opened.name};
  if (input.text.starts_with(byte_order_mark)) input.text.remove_prefix(byte_order_mark.size());
  // No format of matrices with one column begins with a line of one number, nor with one of two.
  const int numbers = options.format ? 0 : numbers_per_line(input.text);
  if (numbers == 1) return parse_lines<double>(input);
  if (numbers == 2) return parse_lines<std::complex<double>>(input);
  read_report report;
  return column_of(parse_any(input, options, report), opened.name);
}

}  // namespace lacis::detail

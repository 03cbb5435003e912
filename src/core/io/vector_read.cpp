// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading vectors.
#include "io/vector_read.hpp"

#include <vector>

#include "io/bytes/source.hpp"
#include "io/matrix_market/matrix_market.hpp"
#include "io/read.hpp"
#include "io/sniff.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

constexpr std::string_view vector_hint = "; a vector is text with one number per line, or a matrix file of one column";

bool is_skipped(const char* at, const char* last) { return at_line_end(at, last) || *at == '#' || *at == '%'; }

/// The first line that is neither blank nor a comment, or the end.
const char* first_line_of(std::string_view text) {
  const char* const last = text.data() + text.size();
  const char* line = text.data();
  while (line != last && is_skipped(skip_blanks(line, last), last)) line = next_line(line, last);
  return line;
}

int words_of_line(const char* at, const char* last) {
  int words = 0;
  for (at = skip_blanks(at, last); !at_line_end(at, last); at = skip_blanks(at, last)) {
    ++words;
    while (!at_line_end(at, last) && !is_blank(*at)) ++at;
  }
  return words;
}

/// The number at `at`, which a blank or the end of the line must follow. Steps behind it and its blanks.
double take_number(const text_input& input, const char*& at, const char* last, std::string_view hint) {
  double number = 0;
  const parsed_number parsed = parse_real(at, last, number);
  if (parsed.status == number_status::malformed || !(at_line_end(parsed.end, last) || is_blank(*parsed.end)))
    throw error_at(input, at, text(quoted_word(input.text, at), " is not a number", hint));
  if (parsed.status == number_status::out_of_range)
    throw error_at(input, at, text("the number ", quoted_word(input.text, at), " is too large for double precision"));
  at = skip_blanks(parsed.end, last);
  return number;
}

/// Whether lines begin with 0, 1, 2, ... or 1, 2, 3, ..., without a decimal point: what follows are values then, not
/// imaginary parts.
class counted_lines {
 public:
  void see(const char* at, const char* last) {
    std::int64_t number = 0;
    const parsed_number parsed = parse_digits(at, last, number);
    const bool is_index = parsed.status == number_status::ok && parsed.end != last && is_blank(*parsed.end);
    if (lines_ == 0) first_ = number;
    is_counted_ = is_counted_ && is_index && first_ <= 1 && number == first_ + lines_;
    ++lines_;
  }
  [[nodiscard]] bool found() const { return is_counted_ && lines_ > 1; }
  [[nodiscard]] std::int64_t first() const { return first_; }

 private:
  bool is_counted_ = true;
  std::int64_t first_ = 0;
  std::int64_t lines_ = 0;
};

template <class T> buffer<T> parse_lines(const text_input& input, const char* line) {
  constexpr int per_line = is_complex<T> ? 2 : 1;
  constexpr std::string_view hint =
      is_complex<T> ? "; a vector has two per line, as the first line has" : "; a vector has one per line";
  const char* const first = line;
  const char* const last = input.text.data() + input.text.size();
  std::vector<T> x;
  counted_lines counted;
  for (; line != last; line = next_line(line, last)) {
    const char* at = skip_blanks(line, last);
    if (is_skipped(at, last)) continue;
    if constexpr (is_complex<T>) counted.see(at, last);
    double parts[2] = {};
    for (int k = 0; k < per_line; ++k) parts[k] = take_number(input, at, last, hint);
    if (!at_line_end(at, last))
      throw error_at(input, at,
                     text("the line goes on with ", quoted_word(input.text, at), "; the first one has ", per_line,
                          per_line == 1 ? " number" : " numbers"));
    if constexpr (is_complex<T>)
      x.emplace_back(parts[0], parts[1]);
    else
      x.push_back(parts[0]);
  }
  if (is_complex<T> && counted.found())
    throw error_at(input, first,
                   text("the lines begin with ", counted.first(), ", ", counted.first() + 1,
                        ", ... as if they held an index and a value; remove the indices, or write ", counted.first(),
                        ".0 in the first line where the numbers are complex"));
  return buffer<T>(std::span<const T>(x));
}

/// Lines of one number, or of two for complex numbers: the first line decides.
any_vector parse_text(const text_input& input) {
  refuse_misplaced_banner(input);
  const char* const line = first_line_of(input.text);
  const char* const last = input.text.data() + input.text.size();
  const char* at = skip_blanks(line, last);
  if (line == last) return buffer<double>(0);  // comments alone
  take_number(input, at, last, vector_hint);
  const int words = words_of_line(line, last);
  if (words > 2) throw error_at(input, line, text("the first line has ", words, " numbers", vector_hint));
  if (words == 2) return parse_lines<std::complex<double>>(input, line);
  return parse_lines<double>(input, line);
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
  if (!options.format && !sniff_marks(input)) return parse_text(input);
  read_report report;
  return column_of(parse_any(input, options, report), opened.name);
}

}  // namespace lacis::detail

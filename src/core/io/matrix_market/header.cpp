// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The banner and the size line of a Matrix Market file.
#include <algorithm>
#include <array>
#include <optional>

#include "base/checked.hpp"
#include "io/matrix_market/matrix_market.hpp"
#include "io/numbers.hpp"

namespace lacis::detail {
namespace {

using field = matrix_market_field;
using symmetry = matrix_market_symmetry;

constexpr std::string_view banner = "%%MatrixMarket";
constexpr std::string_view nearly_the_name = "matrixmark";  ///< also of misspelt ones

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

bool begins_in_any_case(std::string_view text, std::string_view start) {
  return equal_in_any_case(text.substr(0, start.size()), start);
}

/// Words of one line, taken from the left.
class line_reader {
 public:
  line_reader(std::string_view text, const char* first)
      : at_(first), last_(find_newline(first, text.data() + text.size())) {}

  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] bool at_end() {
    at_ = skip_blanks(at_, last_);
    return at_line_end(at_, last_);
  }
  [[nodiscard]] std::string_view word() {
    if (at_end()) return {};
    const char* first = at_;
    while (!is_blank(*at_) && !at_line_end(at_, last_)) {
      ++at_;
      if (at_ == last_) break;
    }
    return {first, at_};
  }

 private:
  const char* at_;
  const char* last_;
};

void parse_banner(const text_input& input, matrix_market_header& header) {
  const char* start = input.text.data();
  if (input.text.empty()) throw error_at(input, start, "the file is empty; a Matrix Market file begins with a banner");
  if (input.text.starts_with(byte_order_mark))
    throw error_at(input, start, "a byte order mark stands before the banner; save the file without one");

  const std::string_view first_line(start, find_newline(start, start + input.text.size()));
  if (first_line.find('\r') < first_line.size() - 1)
    throw error_at(input, start, "a carriage return stands inside the banner; end lines with LF or CRLF");

  line_reader line(input.text, start);
  const std::string_view first = line.word();
  if (!equal_in_any_case(first, banner) || first.data() != start)
    throw error_at(input, start, "the file does not begin with %%MatrixMarket; is it another format?");

  const auto expect = [&](std::string_view what) {
    const std::string_view word = line.word();
    if (word.empty())
      throw error_at(input, start,
                     text("the banner ends before the ", what,
                          "; it reads %%MatrixMarket matrix coordinate|array FIELD SYMMETRY"));
    return word;
  };
  const auto unknown = [&](std::string_view what, std::string_view word, std::string_view hint) {
    return error_at(input, start, text("unknown ", what, ' ', quoted_word(input.text, word.data()), "; ", hint));
  };

  const std::string_view object = expect("object");
  if (!equal_in_any_case(object, "matrix")) throw unknown("object", object, "only 'matrix' can be read");

  const std::string_view format = expect("format");
  header.array = equal_in_any_case(format, "array");
  if (!header.array && !equal_in_any_case(format, "coordinate"))
    throw unknown("format", format, "it is 'coordinate' or 'array'");

  const std::string_view field_word = expect("field");
  std::optional<field> found_field;
  for (const field f : {field::real, field::integer, field::unsigned_integer, field::complex, field::pattern})
    if (equal_in_any_case(field_word, name_of(f))) found_field = f;
  if (equal_in_any_case(field_word, "double")) found_field = field::real;
  if (!found_field) throw unknown("field", field_word, "it is 'real', 'integer', 'complex' or 'pattern'");
  header.field = *found_field;

  const std::string_view symmetry_word = expect("symmetry");
  std::optional<symmetry> found_symmetry;
  for (const symmetry s : {symmetry::general, symmetry::symmetric, symmetry::skew_symmetric, symmetry::hermitian})
    if (equal_in_any_case(symmetry_word, name_of(s))) found_symmetry = s;
  if (!found_symmetry)
    throw unknown("symmetry", symmetry_word, "it is 'general', 'symmetric', 'skew-symmetric' or 'hermitian'");
  header.symmetry = *found_symmetry;

  if (!line.at_end())
    throw error_at(input, start,
                   text("the banner goes on with ", quoted_word(input.text, line.at()), "; it has five words"));
  if (header.array && header.field == field::pattern)
    throw error_at(input, start, "an array cannot be a pattern; every entry is present, so declare 'real'");
  if (header.symmetry == symmetry::hermitian && header.field != field::complex)
    throw error_at(input, start,
                   text("a ", name_of(header.field), " matrix cannot be hermitian; declare it 'symmetric'"));
  if (header.symmetry == symmetry::skew_symmetric &&
      (header.field == field::pattern || header.field == field::unsigned_integer))
    throw error_at(input, start,
                   text("a ", name_of(header.field),
                        " matrix cannot be skew-symmetric; without negative values it is 'symmetric'"));
}

/// The first line below the banner that is neither blank nor a comment, or the end of the text.
const char* find_size_line(std::string_view text) {
  const char* last = text.data() + text.size();
  const char* line = next_line(text.data(), last);
  for (; line != last; line = next_line(line, last)) {
    const char* at = skip_blanks(line, last);
    if (!at_line_end(at, last) && *at != '%') return line;
  }
  return last;
}

void parse_size_line(const text_input& input, matrix_market_header& header) {
  constexpr std::array<std::string_view, 3> names = {"rows", "columns", "entries"};
  std::array<std::int64_t*, 3> targets = {&header.rows, &header.cols, &header.entries};
  const int expected = header.array ? 2 : 3;
  const std::string_view form =
      header.array ? "; the size line of an array reads ROWS COLUMNS" : "; the size line reads ROWS COLUMNS ENTRIES";

  line_reader line(input.text, header.size_line);
  for (int i = 0; i < expected; ++i) {
    const std::string_view word = line.word();
    const std::string_view name = names[static_cast<std::size_t>(i)];
    if (word.empty()) throw error_at(input, header.size_line, text("the number of ", name, " is missing", form));
    std::int64_t& number = *targets[static_cast<std::size_t>(i)];
    const char* word_end = word.data() + word.size();
    const parsed_number parsed = parse_integer(word.data(), word_end, number);
    const std::string quoted = quoted_word(input.text, word.data());
    if (parsed.status == number_status::malformed || parsed.end != word_end)
      throw error_at(input, header.size_line, text("the number of ", name, ", ", quoted, ", is not a number", form));
    if (parsed.status == number_status::out_of_range)
      throw error_at(input, header.size_line,
                     text("the number of ", name, ", ", quoted, ", does not fit in 64 bits; is the file damaged?"));
    if (number < 0)
      throw error_at(input, header.size_line, text("the number of ", name, " is negative; is the file damaged?"));
  }
  if (!line.at_end())
    throw error_at(input, header.size_line,
                   text("the size line goes on with ", quoted_word(input.text, line.at()), form));
}

/// The entries that an array lists: all, those of the lower triangle, or those strictly below the diagonal.
std::int64_t array_entries(const matrix_market_header& header) {
  if (header.symmetry == symmetry::general || header.rows == 0)
    return checked_multiply(header.rows, header.cols, "the entries of the array");
  const std::int64_t height = header.symmetry == symmetry::skew_symmetric ? header.rows - 1 : header.rows;
  return checked_multiply(height, checked_add(height, 1, "the rows"), "the entries of the triangle") / 2;
}

void check_sizes(const text_input& input, matrix_market_header& header, std::int64_t body_bytes) {
  if (header.symmetry != symmetry::general && header.rows != header.cols)
    throw error_at(input, header.size_line,
                   text("a ", name_of(header.symmetry), " matrix is square, this one declares ", header.rows, " x ",
                        header.cols, "; correct the sizes or declare it 'general'"));
  if (header.array) {
    try {
      header.entries = array_entries(header);
    } catch (const error& overflow) {
      throw error_at(input, header.size_line, text(overflow.what(), "; is the file damaged?"));
    }
  }
  // The shortest entries are "1 1" and "1", each with a line end that only the last may lack. Where values are missing,
  // the line that lacks one makes the better message.
  const auto most = (body_bytes + 1) / (header.array ? 2 : 4);
  if (header.entries > most)
    throw error_at(input, header.size_line,
                   text(header.entries, " entries are declared, but the ", body_bytes,
                        " bytes that follow hold at most ", most, "; is the file cut off?"));
  if (header.entries > 0 && (header.rows == 0 || header.cols == 0))
    throw error_at(
        input, header.size_line,
        text("a matrix of ", header.rows, " x ", header.cols, " has no room for entries; correct the sizes"));
}

}  // namespace

std::string_view name_of(matrix_market_field f) {
  constexpr std::array<std::string_view, 5> names = {"real", "integer", "unsigned-integer", "complex", "pattern"};
  return names[static_cast<std::size_t>(f)];
}

std::string_view name_of(matrix_market_symmetry s) {
  constexpr std::array<std::string_view, 4> names = {"general", "symmetric", "skew-symmetric", "hermitian"};
  return names[static_cast<std::size_t>(s)];
}

bool looks_like_matrix_market(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return begins_in_any_case(text, banner) || begins_in_any_case(text, banner.substr(1));
}

void refuse_misplaced_banner(const text_input& input) {
  constexpr std::string_view marks = "%#";
  const char* const last = input.text.data() + input.text.size();
  const auto is_mark = [&](char c) { return marks.find(c) != std::string_view::npos; };
  for (const char* line = input.text.data(); line != last; line = next_line(line, last)) {
    const char* first = skip_blanks(line, last);
    while (std::string_view(first, last).starts_with(byte_order_mark))
      first = skip_blanks(first + byte_order_mark.size(), last);
    if (at_line_end(first, last)) continue;
    if (!is_mark(*first)) return;  // the data
    const char* const word = std::find_if_not(first, last, [&](char c) { return is_blank(c) || is_mark(c); });
    if (begins_in_any_case({word, last}, nearly_the_name))
      throw error_at(input, first,
                     "this comment resembles the banner of a Matrix Market file; the file has to begin with exactly "
                     "%%MatrixMarket; correct the banner, or remove the comment from what is no such file");
  }
}

bool holds_matrix_market_header(std::string_view beginning) {
  const char* const last = beginning.data() + beginning.size();
  return find_newline(find_size_line(beginning), last) != last;
}

matrix_market_header parse_matrix_market_header(const text_input& beginning, std::int64_t rest) {
  matrix_market_header header;
  parse_banner(beginning, header);
  header.size_line = find_size_line(beginning.text);
  const char* last = beginning.text.data() + beginning.text.size();
  if (header.size_line == last) throw error_at(beginning, last, "the file ends before the size line; is it cut off?");
  const char* body = next_line(header.size_line, last);
  header.body = std::string_view(body, last);
  parse_size_line(beginning, header);
  check_sizes(beginning, header, static_cast<std::int64_t>(header.body.size()) + rest);
  return header;
}

matrix_market_header parse_matrix_market_header(const text_input& input) {
  return parse_matrix_market_header(input, 0);
}

}  // namespace lacis::detail

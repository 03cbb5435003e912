// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What is wrong with a line of a Matrix Market file, in words.
#include "io/matrix_market/entry.hpp"

namespace lacis::detail {
namespace {

using field = matrix_market_field;

std::string describe_place(std::string_view kind, std::string_view word, std::int64_t size) {
  if (word.find_first_not_of("'0") == std::string_view::npos)
    return text(kind, " 0 does not exist; Matrix Market counts from 1");
  const std::string_view number = word.substr(1, word.size() - 2);
  return text(kind, ' ', number, " exceeds the declared ", size, "; is the size line wrong?");
}

std::string describe_malformed_place(std::string_view kind, std::string_view word) {
  if (word.starts_with("'-")) return text(kind, ' ', word, " is negative; Matrix Market counts from 1");
  return text("the ", kind, ", ", word, ", is not an integer; an entry begins with its row and its column");
}

std::string describe_malformed_value(std::string_view word, const matrix_market_header& header) {
  if (word.find(',') != std::string_view::npos)
    return text("the value, ", word, ", has a comma; numbers have a decimal point");
  if (header.field == field::integer || header.field == field::unsigned_integer)
    return text("the value, ", word, ", is not an integer; declare the field 'real'");
  return text("the value, ", word, ", is not a number; is the file damaged?");
}

std::string describe_rest(std::string_view word, const matrix_market_header& header) {
  if (word.starts_with("'?")) return "a control character stands inside a line; end lines with LF or CRLF";
  const std::string found = text("the line goes on with ", word, " after the entry; ");
  if (header.array) return found + "an array has one value per line";
  if (header.field == field::pattern) return found + "a pattern has no values: declare the field 'real'";
  if (header.field == field::real) return found + "an entry has one value: is the field 'complex'?";
  return found + "an entry stands on a line of its own";
}

}  // namespace

std::string describe(const entry_fault& fault, const text_input& input, const matrix_market_header& header,
                     bool single_precision) {
  const std::string word = quoted_word(input.text, fault.where);
  switch (fault.kind) {
    case fault_kind::none:
      break;
    case fault_kind::comment:
      return "a comment stands between the entries; comments belong above the size line";
    case fault_kind::row_malformed:
      return describe_malformed_place("row", word);
    case fault_kind::row_outside:
      return describe_place("row", word, header.rows);
    case fault_kind::column_missing:
      return "the column is missing; an entry begins with its row and its column";
    case fault_kind::column_malformed:
      return describe_malformed_place("column", word);
    case fault_kind::column_outside:
      return describe_place("column", word, header.cols);
    case fault_kind::value_missing:
      return "the value is missing; without values the field is 'pattern'";
    case fault_kind::value_malformed:
      return describe_malformed_value(word, header);
    case fault_kind::value_too_large:
      return text("the value, ", word,
                  single_precision ? ", is too large for float; read the matrix as double"
                                   : ", is too large for double; scale the matrix");
    case fault_kind::whole_number_inexact:
      return text("no double holds ", word, " exactly; set read_options::round_integers to take the nearest");
    case fault_kind::value_negative:
      return text("the value, ", word, ", of an unsigned integer is negative; declare the field 'integer'");
    case fault_kind::imaginary_missing:
      return "the imaginary part is missing; without imaginary parts the field is 'real'";
    case fault_kind::imaginary_dropped:
      return text("the imaginary part, ", word, ", is not 0; read the matrix as complex");
    case fault_kind::diagonal_not_zero:
      return text("the value, ", word, ", on the diagonal of a skew-symmetric matrix is not 0; declare it 'general'");
    case fault_kind::diagonal_not_real:
      return "the value on the diagonal of a hermitian matrix is not real; declare it 'general'";
    case fault_kind::goes_on:
      return describe_rest(word, header);
    case fault_kind::too_many_entries:
      return text("more entries follow than the declared ", header.entries, "; is the size line wrong?");
    case fault_kind::both_triangles:
      return text("this entry was given already, from the other side of the diagonal; a ", name_of(header.symmetry),
                  " file lists one triangle, or declare it 'general'");
  }
  return "unknown fault";
}

}  // namespace lacis::detail

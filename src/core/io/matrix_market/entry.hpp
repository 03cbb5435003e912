// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The lines of a Matrix Market body: the loop that turns a chunk of them into coordinates, and what can be wrong.
#pragma once

#include <cstdint>
#include <string>

#include "io/exact.hpp"
#include "io/matrix_market/matrix_market.hpp"
#include "io/numbers.hpp"

namespace lacis::detail {

enum class fault_kind {
  none,
  comment,
  row_malformed,
  row_outside,
  column_missing,
  column_malformed,
  column_outside,
  value_missing,
  value_malformed,
  value_too_large,
  whole_number_inexact,
  value_negative,
  imaginary_missing,
  imaginary_dropped,
  diagonal_not_zero,
  diagonal_not_real,
  goes_on,
  too_many_entries,
  both_triangles
};

/// The first thing wrong in a chunk, at the word that is to blame.
struct entry_fault {
  fault_kind kind = fault_kind::none;
  const char* where = nullptr;
};

/// The fault in words with a hint, without the place.
[[nodiscard]] std::string describe(const entry_fault& fault, const text_input& input,
                                   const matrix_market_header& header, bool single_precision);

/// What the loop has to know of the file.
struct entry_rules {
  std::int64_t rows;
  std::int64_t cols;
  matrix_market_symmetry symmetry;
  bool non_negative;    ///< unsigned-integer
  bool round_integers;  ///< read_options.round_integers
  const char* last;     ///< the end of the body
};

/// A piece of the body that begins and ends with a line, and the slots that its entries go to.
struct line_chunk {
  std::string_view text;
  std::int64_t first_entry;
  std::int64_t entries;  ///< at most
};

struct chunk_result {
  std::int64_t entries = 0;
  bool below = false;  ///< an entry stands below the diagonal
  bool above = false;
  entry_fault fault;
};

/// An integer; one that no double holds is rounded once where that is allowed and a fault otherwise.
template <std::floating_point Real>
inline const char* parse_whole(const char* first, const entry_rules& rules, Real& number, entry_fault& fault) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  std::int64_t whole = 0;
  const parsed_number parsed = parse_integer(first, rules.last, whole);
  if (parsed.status == number_status::malformed)
    fault = {fault_kind::value_malformed, first};
  else if (rules.non_negative && *first == '-')
    fault = {fault_kind::value_negative, first};
  else if (parsed.status == number_status::ok && whole >= -exact && whole <= exact)
    number = static_cast<Real>(whole);
  else if (parse_real(first, parsed.end, number).status == number_status::out_of_range)
    fault = {fault_kind::value_too_large, first};
  else if (!rules.round_integers && is_inexact_whole(first, parsed.end))
    fault = {fault_kind::whole_number_inexact, first};
  return parsed.end;
}

/// One part of a value, followed by a blank or the end of its line.
template <matrix_market_field Field, std::floating_point Real>
inline const char* parse_part(const char* first, const entry_rules& rules, Real& number, entry_fault& fault) {
  const char* end = first;
  if constexpr (Field == matrix_market_field::integer) {
    end = parse_whole(first, rules, number, fault);
  } else {
    const parsed_number parsed = parse_real(first, rules.last, number);
    if (parsed.status == number_status::malformed) fault = {fault_kind::value_malformed, first};
    if (parsed.status == number_status::out_of_range) fault = {fault_kind::value_too_large, first};
    end = parsed.end;
  }
  if (!at_line_end(end, rules.last) && !is_blank(*end)) fault = {fault_kind::value_malformed, first};
  return end;
}

/// The value of an entry; a real Value takes a complex one whose imaginary part is 0.
template <matrix_market_field Field, value Value>
inline const char* parse_value(const char* first, const entry_rules& rules, Value& number, entry_fault& fault) {
  using real = real_of<Value>;
  if (at_line_end(first, rules.last)) {
    fault = {fault_kind::value_missing, first};
    return first;
  }
  real part = 0;
  const char* end = parse_part<Field>(first, rules, part, fault);
  number = Value(part);
  if constexpr (Field == matrix_market_field::complex) {
    if (fault.kind != fault_kind::none) return end;
    const char* second = skip_blanks(end, rules.last);
    if (at_line_end(second, rules.last)) {
      fault = {fault_kind::imaginary_missing, second};
      return second;
    }
    real imaginary = 0;
    end = parse_part<Field>(second, rules, imaginary, fault);
    if constexpr (is_complex<Value>) {
      number = Value(part, imaginary);
    } else {
      if (fault.kind == fault_kind::none && imaginary != 0) fault = {fault_kind::imaginary_dropped, second};
    }
  }
  return end;
}

/// A row or column number from 1 to `size`, followed by a blank or the end of its line.
inline const char* parse_place(const char* first, const entry_rules& rules, std::int64_t size, std::int64_t& number,
                               fault_kind malformed, fault_kind outside, entry_fault& fault) {
  const parsed_number parsed = parse_digits(first, rules.last, number);
  const bool ends = parsed.end == rules.last || is_blank(*parsed.end) || at_line_end(parsed.end, rules.last);
  if (parsed.status == number_status::malformed || !ends) {
    fault = {malformed, first};
  } else if (parsed.status == number_status::out_of_range ||
             static_cast<std::uint64_t>(number) - 1 >= static_cast<std::uint64_t>(size)) {
    fault = {outside, first};
  }
  return parsed.end;
}

/// The value at (row, row) of a skew-symmetric matrix is 0, of a Hermitian one real.
template <value Value> inline fault_kind check_diagonal(const entry_rules& rules, Value number) {
  if (rules.symmetry == matrix_market_symmetry::skew_symmetric && number != Value(0))
    return fault_kind::diagonal_not_zero;
  if (rules.symmetry == matrix_market_symmetry::hermitian && std::imag(number) != 0)
    return fault_kind::diagonal_not_real;
  return fault_kind::none;
}

/// Calls read_entry(place in the line, slot, fault), which returns the end of the entry, for each line that is not
/// blank, until one is at fault.
template <class ReadEntry>
inline void for_each_entry(const line_chunk& chunk, const entry_rules& rules, chunk_result& result,
                           ReadEntry&& read_entry) {
  const char* p = chunk.text.data();
  const char* const chunk_last = p + chunk.text.size();
  const char* const last = rules.last;
  while (p != chunk_last) {
    p = skip_blanks(p, last);
    if (!at_line_end(p, last)) {
      if (result.entries == chunk.entries) {
        result.fault = {fault_kind::too_many_entries, p};
        return;
      }
      p = read_entry(p, chunk.first_entry + result.entries, result.fault);
      if (result.fault.kind != fault_kind::none) return;
      p = skip_blanks(p, last);
      if (!at_line_end(p, last)) {
        result.fault = {fault_kind::goes_on, p};
        return;
      }
      ++result.entries;
    }
    if (p != last && *p == '\r') ++p;
    if (p != last) ++p;
  }
}

/// Lines of a coordinate file. `values` is unused for patterns.
template <matrix_market_field Field, value Value, index Index>
chunk_result parse_coordinates(const line_chunk& chunk, const entry_rules& rules, Index* rows, Index* columns,
                               Value* values) {
  chunk_result result;
  bool below = false;
  bool above = false;
  for_each_entry(chunk, rules, result, [&](const char* p, std::int64_t slot, entry_fault& fault) {
    const char* const start = p;
    std::int64_t row = 0;
    std::int64_t column = 0;
    p = parse_place(p, rules, rules.rows, row, fault_kind::row_malformed, fault_kind::row_outside, fault);
    if (fault.kind != fault_kind::none) {
      if (*start == '%') fault.kind = fault_kind::comment;
      return p;
    }
    p = skip_blanks(p, rules.last);
    if (at_line_end(p, rules.last)) {
      fault = {fault_kind::column_missing, p};
      return p;
    }
    p = parse_place(p, rules, rules.cols, column, fault_kind::column_malformed, fault_kind::column_outside, fault);
    if (fault.kind != fault_kind::none) return p;
    rows[slot] = static_cast<Index>(row - 1);
    columns[slot] = static_cast<Index>(column - 1);
    below |= row > column;
    above |= row < column;
    if constexpr (Field != matrix_market_field::pattern) {
      const char* const value_start = skip_blanks(p, rules.last);
      p = parse_value<Field>(value_start, rules, values[slot], fault);
      if (row == column && fault.kind == fault_kind::none) fault = {check_diagonal(rules, values[slot]), value_start};
    }
    return p;
  });
  result.below = below;
  result.above = above;
  return result;
}

/// The place of an entry of an array file, which lists columns one after the other: whole, from the diagonal down, or
/// from below it.
class array_place {
 public:
  array_place(const entry_rules& rules, std::int64_t entry) : rows_(rules.rows) {
    using symmetry = matrix_market_symmetry;
    triangle_ = rules.symmetry != symmetry::general;
    below_ = rules.symmetry == symmetry::skew_symmetric ? 1 : 0;
    std::int64_t low = 0;
    std::int64_t high = rules.cols;
    while (low + 1 < high) {
      const std::int64_t middle = low + (high - low) / 2;
      (column_start(middle) <= entry ? low : high) = middle;
    }
    column = low;
    row = first_row() + entry - column_start(low);
  }

  void advance() {
    if (++row < rows_) return;
    ++column;
    row = first_row();
  }

  std::int64_t row = 0;
  std::int64_t column = 0;

 private:
  [[nodiscard]] std::int64_t column_start(std::int64_t j) const {
    if (!triangle_) return j * rows_;
    return j * (rows_ - below_) - j * (j - 1) / 2;
  }
  [[nodiscard]] std::int64_t first_row() const { return triangle_ ? column + below_ : 0; }

  std::int64_t rows_;
  std::int64_t below_ = 0;
  bool triangle_ = false;
};

/// Lines of an array file.
template <matrix_market_field Field, value Value, index Index>
chunk_result parse_array(const line_chunk& chunk, const entry_rules& rules, Index* rows, Index* columns,
                         Value* values) {
  chunk_result result;
  array_place place(rules, chunk.first_entry);
  for_each_entry(chunk, rules, result, [&](const char* p, std::int64_t slot, entry_fault& fault) {
    rows[slot] = static_cast<Index>(place.row);
    columns[slot] = static_cast<Index>(place.column);
    const char* const start = p;
    p = parse_value<Field>(p, rules, values[slot], fault);
    if (fault.kind != fault_kind::none && *start == '%') fault.kind = fault_kind::comment;
    if (place.row == place.column && fault.kind == fault_kind::none)
      fault = {check_diagonal(rules, values[slot]), start};
    place.advance();
    return p;
  });
  return result;
}

}  // namespace lacis::detail

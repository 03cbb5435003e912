// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers in text: exact, locale-free, and with the spellings that matrix files have.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace lacis::detail {

enum class number_status {
  ok,
  malformed,    ///< no number stands here
  out_of_range  ///< a number that does not fit the type: an integer too long, a real beyond the largest finite one
};

/// `end` is the first character that does not belong to the number; where none stands, the place that was tried.
/// Whether what follows may follow a number is for the caller to say.
struct parsed_number {
  const char* end;
  number_status status;
};

[[nodiscard]] inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[nodiscard]] inline const char* skip_blanks(const char* first, const char* last) {
  while (first != last && is_blank(*first)) ++first;
  return first;
}

/// A line ends at '\n', at "\r\n" and at the end of the text; a '\r' inside a line is an ordinary character.
[[nodiscard]] inline bool at_line_end(const char* first, const char* last) {
  if (first == last || *first == '\n') return true;
  return *first == '\r' && (first + 1 == last || first[1] == '\n');
}

/// The '\n' that ends the line `first` stands in, or `last`.
[[nodiscard]] inline const char* find_newline(const char* first, const char* last) {
  if (first == last) return last;
  const void* found = std::memchr(first, '\n', static_cast<std::size_t>(last - first));
  return found == nullptr ? last : static_cast<const char*>(found);
}

/// The first character of the line after the one `first` stands in, or `last`.
[[nodiscard]] inline const char* next_line(const char* first, const char* last) {
  const char* newline = find_newline(first, last);
  return newline == last ? last : newline + 1;
}

/// How many of the eight characters of `word` are digits before the first that is not one.
[[nodiscard]] inline int leading_digits(std::uint64_t word) {
  constexpr std::uint64_t high = 0x8080808080808080u;
  // A digit is 0x30 .. 0x39: it neither borrows when 0x30 is taken off nor passes 0x7f when 0x46 is added. A borrow or
  // a carry reaches later characters only, so the lowest flag is true.
  const std::uint64_t flags = ((word - 0x3030303030303030u) | (word + 0x4646464646464646u) | word) & high;
  return std::countr_zero(flags) / 8;
}

/// The number that eight digits spell, the most significant in the lowest byte.
[[nodiscard]] inline std::uint32_t eight_digits(std::uint64_t word) {
  word = (word & 0x0f0f0f0f0f0f0f0fu) * 2561 >> 8;
  word = (word & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
  return static_cast<std::uint32_t>((word & 0x0000ffff0000ffffu) * 42949672960001u >> 32);
}

inline constexpr auto powers_of_ten = [] {
  std::array<std::uint64_t, 8> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

/// Up to 15 digits at `first`, where 16 characters can be read: how many there are (0 when more than 15 are), and their
/// number.
[[nodiscard]] inline int take_digits(const char* first, std::uint64_t& number) {
  std::uint64_t word = 0;
  std::memcpy(&word, first, 8);
  int digits = leading_digits(word);
  if (digits < 8) {
    number = digits == 0 ? 0 : eight_digits(word << (64 - 8 * digits));
    return digits;
  }
  number = eight_digits(word);
  std::memcpy(&word, first + 8, 8);
  digits = leading_digits(word);
  if (digits == 8) return 0;
  if (digits != 0)
    number = number * powers_of_ten[static_cast<std::size_t>(digits)] + eight_digits(word << (64 - 8 * digits));
  return 8 + digits;
}

/// Digits without a sign: the hot loop of every reader.
[[nodiscard]] inline parsed_number parse_digits(const char* first, const char* last, std::int64_t& number) {
  if (std::endian::native == std::endian::little && last - first >= 16) [[likely]] {
    std::uint64_t taken = 0;
    if (const int digits = take_digits(first, taken); digits != 0) [[likely]] {
      number = static_cast<std::int64_t>(taken);
      return {first + digits, number_status::ok};
    }
  }
  if (first == last || !is_digit(*first)) return {first, number_status::malformed};
  const auto [end, code] = std::from_chars(first, last, number);
  return {end, code == std::errc{} ? number_status::ok : number_status::out_of_range};
}

/// An integer with an optional sign, '+' included.
[[nodiscard]] inline parsed_number parse_integer(const char* first, const char* last, std::int64_t& number) {
  const char* digits = first;
  if (first != last && (*first == '+' || *first == '-')) ++digits;
  if (digits == last || !is_digit(*digits)) return {first, number_status::malformed};
  if (digits == first || *first == '+') return parse_digits(digits, last, number);
  const auto [end, code] = std::from_chars(first, last, number);
  return {end, code == std::errc{} ? number_status::ok : number_status::out_of_range};
}

/// Whether the real number spelled in first .. last, which fits no finite and no subnormal number, is tiny rather than
/// huge: the place of its first digit that is not 0, plus its exponent, is negative.
[[nodiscard]] inline bool is_tiny(const char* first, const char* last) {
  std::int64_t place = 0;  // of the first digit that is not 0; 1 for 1.5, 0 for 0.15, -1 for 0.015
  bool found = false;
  bool fraction = false;
  const char* p = first;
  for (; p != last && *p != 'e' && *p != 'E'; ++p) {
    if (*p == '.') {
      fraction = true;
    } else if (is_digit(*p)) {
      found = found || *p != '0';
      if (found && !fraction) ++place;
      if (!found && fraction) --place;
    }
  }
  std::int64_t exponent = 0;
  if (p != last) {
    const bool negative = p + 1 != last && p[1] == '-';
    const parsed_number parsed = parse_integer(p + 1, last, exponent);
    if (parsed.status != number_status::ok) return negative;
  }
  return exponent < -place;
}

/// A real number as std::from_chars reads it (decimal; "inf", "infinity" and "nan" in any case), and more: a leading
/// '+', Fortran's exponent letter D; a number too small for Real gives a zero of its sign, which is its correct
/// rounding; every NaN becomes the quiet NaN of numeric_limits.
template <std::floating_point Real>
[[nodiscard]] parsed_number parse_real(const char* first, const char* last, Real& number) {
  const char* start = first;
  if (first != last && *first == '+') {
    ++start;
    if (start == last || *start == '-') return {first, number_status::malformed};
  }
  auto [end, code] = std::from_chars(start, last, number);
  if (code == std::errc::invalid_argument) return {first, number_status::malformed};

  const bool fortran = end != last && (*end == 'd' || *end == 'D') && (is_digit(end[-1]) || end[-1] == '.');
  if (fortran) {
    const char* digits = end + 1;
    if (digits != last && (*digits == '+' || *digits == '-')) ++digits;
    const char* stop = digits;
    while (stop != last && is_digit(*stop)) ++stop;
    if (stop != digits && std::string_view(start, end).find_first_of("eE") == std::string_view::npos) {
      std::string spelled(start, stop);
      spelled[static_cast<std::size_t>(end - start)] = 'e';
      const char* spelled_last = spelled.data() + spelled.size();
      return {stop, parse_real(spelled.data(), spelled_last, number).status};
    }
  }

  if (code == std::errc::result_out_of_range) {
    if (!is_tiny(start, end)) return {end, number_status::out_of_range};
    number = *start == '-' ? -Real(0) : Real(0);
  }
  if (number != number) number = std::numeric_limits<Real>::quiet_NaN();
  return {end, number_status::ok};
}

}  // namespace lacis::detail

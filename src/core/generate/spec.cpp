// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Descriptions of generated matrices: their grammar, their numbers and what is said when they are wrong.
#include "generate/spec.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include "base/text.hpp"

namespace lacis::detail {
namespace {

constexpr int most_digits = 18;  // fit 64 bits
constexpr std::int64_t least_with_most_digits = 100'000'000'000'000'000;
constexpr int most_places = 36;  // 10^36 fits 128 bits

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// digits[.digits][e[sign]digits][k|M|G], or nothing when the text is anything else or cannot be held exactly.
std::optional<decimal> parse_decimal(std::string_view written) {
  decimal number;
  std::size_t at = 0;
  bool any = false;
  bool after_point = false;
  int zeros = 0;  // zeros not yet known to be followed by another digit
  for (; at < written.size(); ++at) {
    if (written[at] == '.' && !after_point) {
      after_point = true;
      continue;
    }
    if (!is_digit(written[at])) break;
    any = true;
    if (after_point) --number.power;
    if (written[at] == '0') {
      if (number.digits != 0) ++zeros;
      continue;
    }
    for (; zeros >= 0; --zeros) {
      if (number.digits >= least_with_most_digits) return std::nullopt;
      number.digits *= 10;
    }
    number.digits += written[at] - '0';
    zeros = 0;
  }
  if (!any) return std::nullopt;
  number.power += zeros;
  if (at < written.size() && (written[at] == 'e' || written[at] == 'E')) {
    const char* first = written.data() + at + 1;
    const char* last = written.data() + written.size();
    if (first != last && *first == '+' && first + 1 != last && is_digit(first[1])) ++first;
    int exponent = 0;
    const auto [end, failure] = std::from_chars(first, last, exponent);
    if (failure != std::errc() || exponent < -1000 || exponent > 1000) return std::nullopt;
    number.power += exponent;
    at = static_cast<std::size_t>(end - written.data());
  }
  if (at + 1 == written.size()) {
    const std::size_t scale = std::string_view("kMG").find(written[at]);
    if (scale == std::string_view::npos) return std::nullopt;
    number.power += 3 * static_cast<int>(scale + 1);
    ++at;
  }
  if (at != written.size()) return std::nullopt;
  if (number.digits == 0) number.power = 0;
  if (number.power < -most_places) return std::nullopt;
  return number;
}

/// The number when it is whole and fits 64 bits.
std::optional<std::int64_t> whole_value(decimal number) {
  if (number.power < 0) return std::nullopt;
  std::int64_t value = number.digits;
  for (int i = 0; i < number.power; ++i)
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return std::nullopt;
  return value;
}

/// How many letters must be changed, inserted, dropped or swapped with their neighbour to turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(current);
  }
  return last.back();
}

}  // namespace

bool decimal::above_one() const {
  std::int64_t one = 1;
  for (int i = 0; i > power && one <= digits; --i) one *= 10;
  return power > 0 || digits > one;
}

std::int64_t rounded_product(std::int64_t count, decimal factor, std::string_view what) {
  using wide = unsigned __int128;
  constexpr wide most = std::numeric_limits<std::int64_t>::max();
  wide product = static_cast<wide>(count) * static_cast<wide>(factor.digits);
  wide divisor = 1;
  for (int i = 0; i > factor.power; --i) divisor *= 10;
  bool fits = true;
  for (int i = 0; fits && product != 0 && i < factor.power; ++i) {
    fits = product <= most;
    product *= 10;
  }
  product = (2 * product + divisor) / (2 * divisor);
  if (!fits || product > most) throw error(errc::overflow, text(what, " do not fit in 64 bits"));
  return static_cast<std::int64_t>(product);
}

spec_parts parse_spec(std::string_view written) {
  const auto malformed = [&](std::string_view problem) {
    return error(errc::invalid_argument,
                 text('\'', written, "': ", problem, "; a description looks like @name:argument,argument"));
  };
  if (!is_generator_spec(written)) throw malformed("a description of a generated matrix begins with '@'");
  spec_parts spec;
  spec.written = written;
  const std::size_t colon = written.find(':');
  spec.name = written.substr(1, colon == written.npos ? written.npos : colon - 1);
  if (spec.name.empty()) throw malformed("there is no name after '@'");
  if (colon == written.npos) return spec;
  for (std::size_t at = colon + 1; at <= written.size();) {
    const std::size_t comma = std::min(written.find(',', at), written.size());
    const std::string_view part = written.substr(at, comma - at);
    at = comma + 1;
    if (part.empty()) throw malformed("an argument is empty");
    const std::size_t equals = part.find('=');
    if (equals == part.npos) {
      if (spec.seed) throw malformed(text("'", part, "' stands after the seed, which comes last"));
      spec.arguments.push_back(part);
      continue;
    }
    if (part.substr(0, equals) != "seed")
      throw malformed(text("'", part.substr(0, equals), "' is no option; the only one is seed=NUMBER"));
    if (spec.seed) throw malformed("the seed is given twice");
    const std::string_view digits = part.substr(equals + 1);
    std::uint64_t seed = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
    if (failure != std::errc() || end != digits.data() + digits.size())
      throw malformed(text("the seed '", digits, "' is not an integer from 0 to 2^64 - 1"));
    spec.seed = seed;
  }
  return spec;
}

std::string name_hint(std::string_view name, const std::vector<generator_info>& known) {
  std::string_view nearest;
  std::size_t distance = 3;
  std::string all;
  for (const generator_info& info : known) {
    const std::size_t d = edit_distance(name, info.name);
    if (d < distance) {
      distance = d;
      nearest = info.name;
    }
    all += all.empty() ? "" : ", ";
    all += info.name;
  }
  if (!nearest.empty()) return text("; did you mean '", nearest, "'?");
  return text("; the generators are ", all);
}

void argument_reader::fail(std::string_view problem) const {
  throw error(errc::invalid_argument, text('\'', spec_.written, "': ", problem, "; usage: @", info_.name, ':',
                                           info_.arguments, "[,seed=NUMBER]"));
}

std::string argument_reader::naming(std::string_view what) const { return text("the ", what, " of ", spec_.written); }

void argument_reader::require_count(std::size_t least, std::size_t most) const {
  const std::size_t given = spec_.arguments.size();
  if (given >= least && given <= most) return;
  fail(text(given, given == 1 ? " argument" : " arguments", " given, ", given < least ? "at least " : "at most ",
            given < least ? least : most, given < least ? " needed" : " allowed"));
}

decimal argument_reader::number(std::size_t position, std::string_view what) const {
  const std::string_view argument = spec_.arguments[position];
  const auto parsed = parse_decimal(argument);
  if (!parsed)
    fail(text(what, " is '", argument, "', not a number from 0 up with at most ", most_digits, " digits and ",
              most_places, " places"));
  return *parsed;
}

std::int64_t argument_reader::whole(std::size_t position, std::string_view what, std::int64_t least,
                                    std::int64_t most) const {
  const std::string_view argument = spec_.arguments[position];
  const auto parsed = parse_decimal(argument);
  const auto value = parsed ? whole_value(*parsed) : std::nullopt;
  if (!value) fail(text(what, " is '", argument, "', not an integer (1000000, 1e6 or 1M) that fits 64 bits"));
  if (*value < least || *value > most) fail(text(what, " is ", *value, ", not from ", least, " to ", most));
  return *value;
}

bool argument_reader::flag(std::size_t position, std::string_view word) const {
  if (!has(position)) return false;
  if (spec_.arguments[position] != word) fail(text("'", spec_.arguments[position], "' is not '", word, "'"));
  return true;
}

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The text that describes a generated matrix, "@name:argument,argument,seed=7", cut into its parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>

namespace lacis::detail {

/// digits x 10^power, exactly as written. Trailing zeros of the digits are in the power, so integers have
/// power >= 0.
struct decimal {
  std::int64_t digits = 0;
  int power = 0;
  [[nodiscard]] bool above_one() const;
};

/// count x factor, rounded half up. Throws error(overflow) with `what` when it does not fit 64 bits.
[[nodiscard]] std::int64_t rounded_product(std::int64_t count, decimal factor, std::string_view what);

/// The parts of a description. The views point into the text it was parsed from.
struct spec_parts {
  std::string_view written;
  std::string_view name;
  std::vector<std::string_view> arguments;
  std::optional<std::uint64_t> seed;
};

/// Throws error(invalid_argument) unless `written` has the form of a description.
[[nodiscard]] spec_parts parse_spec(std::string_view written);

/// "; did you mean 'rmat'?" when one of the generators' names is near `name`, otherwise the list of all.
[[nodiscard]] std::string name_hint(std::string_view name, const std::vector<generator_info>& known);

/// Reads the arguments of one generator and knows its usage, which ends every error.
class argument_reader {
 public:
  argument_reader(const spec_parts& spec, const generator_info& info) : spec_(spec), info_(info) {}

  /// Throws unless there are between `least` and `most` arguments.
  void require_count(std::size_t least, std::size_t most) const;
  [[nodiscard]] bool has(std::size_t position) const { return position < spec_.arguments.size(); }
  /// An integer from `least` to `most`: 1000, 1e3, 1k.
  [[nodiscard]] std::int64_t whole(std::size_t position, std::string_view what, std::int64_t least,
                                   std::int64_t most) const;
  /// A number that is not negative: 0.001, 1e-3, 8.5.
  [[nodiscard]] decimal number(std::size_t position, std::string_view what) const;
  /// True when the argument is there; throws when it is another word than `word`.
  [[nodiscard]] bool flag(std::size_t position, std::string_view word) const;
  /// Throws error(invalid_argument) with the description, `problem` and the usage.
  [[noreturn]] void fail(std::string_view problem) const;
  /// "the entries of @rmat:20", for messages about sizes.
  [[nodiscard]] std::string naming(std::string_view what) const;

 private:
  const spec_parts& spec_;
  const generator_info& info_;
};

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers that use every bit of their type, the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <lacis/types.hpp>

#include "verify/test_matrices.hpp"

namespace lacis::verification {

/// A number with a full significand and one of sixteen exponents: sums and products of such numbers nearly always
/// round.
template <value T> T full_number(std::uint64_t key) {
  const auto part = [](std::uint64_t k) {
    using real = real_of<T>;
    constexpr int digits = std::numeric_limits<real>::digits;
    const std::uint64_t h = mix(k ^ 0x5eed);
    const auto whole = static_cast<std::int64_t>(h >> (63 - digits)) - (std::int64_t{1} << digits);
    return std::ldexp(static_cast<real>(whole), static_cast<int>(mix(k) % 16) - 8 - digits);
  };
  if constexpr (is_complex<T>)
    return {part(2 * key), part(2 * key + 1)};
  else
    return part(2 * key);
}

template <value T> std::vector<T> full_numbers(std::int64_t count, std::uint64_t salt = 1) {
  std::vector<T> all;
  for (std::int64_t k = 0; k < count; ++k)
    all.push_back(full_number<T>(salt * 1000003 + static_cast<std::uint64_t>(k)));
  return all;
}

/// Small integers: their sums are exact in every order.
template <value Value> [[nodiscard]] std::vector<Value> whole_numbers(std::int64_t count, std::uint64_t salt) {
  std::vector<Value> all;
  for (std::int64_t k = 0; k < count; ++k)
    all.push_back(entry_value<Value>(salt * 7919 + static_cast<std::uint64_t>(k), entries::integers));
  return all;
}

}  // namespace lacis::verification

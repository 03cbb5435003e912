// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers that --type cannot hold.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <limits>
#include <string>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/types.hpp>

namespace lacis::app {

/// Throws error(bad_input) where a finite number is infinite in To, or where all that are not zero vanish in it.
template <class To, class Numbers> void require_in_type(const std::string& name, const Numbers& numbers) {
  const auto size_of = [](const auto& x) {
    return std::max(std::fabs(static_cast<double>(std::real(x))), std::fabs(static_cast<double>(std::imag(x))));
  };
  double largest = 0;
  for (const auto& one : numbers)
    if (const double size = size_of(one); std::isfinite(size)) largest = std::max(largest, size);
  constexpr auto most = static_cast<double>(std::numeric_limits<real_of<To>>::max());
  const auto refuse = [&](const char* why) {
    throw error(errc::bad_input, fmt::format("{}: {:g} {} {}; take --type {}", name, largest, why, type_name<To>(),
                                             is_complex<To> ? "complex-double" : "double"));
  };
  if (largest > most) refuse("is above the range of");
  if (largest > 0 && static_cast<double>(static_cast<real_of<To>>(largest)) == 0)
    refuse("is the largest number, and it is zero in");
}

}  // namespace lacis::app

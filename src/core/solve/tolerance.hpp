// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The tolerance that options ask for.
#pragma once

#include <lacis/error.hpp>
#include <lacis/solve.hpp>

namespace lacis::solver {

/// Throws error(invalid_argument) where it is negative or not a number.
template <value T> [[nodiscard]] double settled_tolerance(double given) {
  if (given == tolerance_of_type) return default_tolerance<T>;
  if (!(given >= 0)) throw error(errc::invalid_argument, "the tolerance must not be negative");
  return given;
}

/// Options with the tolerance that they ask for.
template <value T, class Options> [[nodiscard]] Options settled(Options options) {
  options.tolerance = settled_tolerance<T>(options.tolerance);
  return options;
}

}  // namespace lacis::solver

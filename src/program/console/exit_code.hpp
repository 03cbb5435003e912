// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the program's exit status means.
#pragma once

#include <stdexcept>

#include "base/exit_code.hpp"

namespace lacis::app {

/// Thrown when results that must agree do not; ends the program with exit_not_verified.
struct not_verified : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown when a solver has not reached what was asked of it; the same exit code.
struct not_converged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace lacis::app

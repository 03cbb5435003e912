// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the program's exit status means.
#pragma once

#include <stdexcept>

#include <lacis/error.hpp>

namespace lacis::app {

inline constexpr int exit_ok = 0;
inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_not_verified = 3;
inline constexpr int exit_bad_input = 4;
inline constexpr int exit_no_resource = 5;

/// Thrown when results that must agree do not; ends the program with exit_not_verified.
struct not_verified : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown when a solver has not reached what was asked of it; the same exit code.
struct not_converged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An io error counts as a failure here; where it concerns input, load.cpp reports it as bad input.
[[nodiscard]] constexpr int exit_code_of(errc code) {
  switch (code) {
    case errc::invalid_argument:
      return exit_usage;
    case errc::bad_input:
    case errc::invalid_matrix:
      return exit_bad_input;
    case errc::out_of_memory:
    case errc::no_device:
      return exit_no_resource;
    case errc::io:
    case errc::unsupported:
    case errc::overflow:
    case errc::kernel_fault:
      break;
  }
  return exit_failure;
}

}  // namespace lacis::app

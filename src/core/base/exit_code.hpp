// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The exit status that an error ends a program with: lacis, or all ranks of a program that uses it.
#pragma once

#include <lacis/error.hpp>

namespace lacis {

inline constexpr int exit_ok = 0;
inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_not_verified = 3;
inline constexpr int exit_bad_input = 4;
inline constexpr int exit_no_resource = 5;

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

}  // namespace lacis

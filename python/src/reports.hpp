// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a solver found, for lacis/_solve.py.
#pragma once

#include <cstdint>
#include <span>

#include "arrays.hpp"

namespace lacis_python {

/// The report of a solver, from the C interface or from C++; outcomes have the same numbers in both.
struct solved {
  int outcome = 0;
  std::int64_t iterations = 0;
  double recurrence_residual = 0;
  double residual = 0;
  double seconds = 0;
  const char* method = "";
  const char* reason = "";
};

[[nodiscard]] nb::dict dict_of(const solved& found, std::span<const double> history);

}  // namespace lacis_python

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The state of the floating-point unit that the order needs: round to nearest, subnormals kept.
#pragma once

namespace lacis::summation {

/// Sets this thread to round to nearest and to keep subnormals, whatever another library has set, and puts the former
/// modes back when it goes. Exception flags that the work raised stay raised. Every thread of a region needs its own.
class rounding_guard {
 public:
  rounding_guard() noexcept;
  ~rounding_guard();
  rounding_guard(const rounding_guard&) = delete;
  rounding_guard& operator=(const rounding_guard&) = delete;

 private:
  unsigned modes_;
};

}  // namespace lacis::summation

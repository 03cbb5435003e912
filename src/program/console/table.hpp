// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Tables on a terminal: columns as wide as their widest cell.
#pragma once

#include <string>
#include <vector>

namespace lacis::app {

/// One line of a table; the headings are one too.
using cells = std::vector<std::string>;

/// How wide each column has to be.
[[nodiscard]] std::vector<std::size_t> widths_of(const std::vector<cells>& table);
/// The cells two spaces apart, the first `left` of them flush left and the others flush right.
[[nodiscard]] std::string line_of(const cells& row, const std::vector<std::size_t>& widths, std::size_t left = 1);

/// Seconds in a unit that suits a whole column.
struct time_unit {
  const char* name;
  double factor;

  /// Microseconds for a column whose shortest time is below a millisecond, otherwise milliseconds.
  [[nodiscard]] static time_unit for_times_from(double shortest, bool unicode);
  [[nodiscard]] std::string text(double seconds) const;
};

/// A time with its own unit: "12.3 µs", "1.24 ms", "2.5 s".
[[nodiscard]] std::string time_text(double seconds, bool unicode);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Columns, and times in them.
#include "console/table.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "console/console.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {

std::vector<std::size_t> widths_of(const std::vector<cells>& table) {
  std::vector<std::size_t> widths(table.front().size());
  for (const cells& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  return widths;
}

std::string line_of(const cells& row, const std::vector<std::size_t>& widths, std::size_t left) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i)
    line += "  " + (i < left ? pad_right(row[i], widths[i]) : pad_left(row[i], widths[i]));
  return line;
}

time_unit time_unit::for_times_from(double shortest, bool unicode) {
  return shortest < 1e-3 ? time_unit{unicode ? "µs" : "us", 1e6} : time_unit{"ms", 1e3};
}

std::string time_unit::text(double seconds) const {
  const double number = seconds * factor;
  return fmt::format("{:.{}f}", number, number < 9.9995 ? 3 : number < 99.995 ? 2 : number < 999.95 ? 1 : 0);
}

std::string time_text(double seconds, bool unicode) {
  if (seconds >= 0.9995e-3) return plot::duration_text(seconds);
  return plot::significant(seconds * 1e6) + (unicode ? " µs" : " us");
}

}  // namespace lacis::app

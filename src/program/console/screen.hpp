// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What people read, as wide as their terminal.
#pragma once

#include <string>
#include <string_view>

namespace lacis::app {

/// The lines of a screen that are longer than `columns`, broken at spaces and continued below their own text; a word
/// that is longer is cut.
[[nodiscard]] std::string fitted(std::string_view screen, std::size_t columns);

/// Prints a screen: on a terminal, and where COLUMNS is set, no line passes the edge.
void print_screen(std::string_view screen);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What people read, as wide as their terminal.
#pragma once

#include <string>
#include <string_view>

#include "console/console.hpp"

namespace lacis::app {

/// The lines of a screen that are longer than `columns`, broken at spaces and continued below their own text; a word
/// that is longer is cut.
[[nodiscard]] std::string fitted(std::string_view screen, std::size_t columns);

/// The first line of a screen: a name in bold and words, which are wrapped beside it, or below a long name.
[[nodiscard]] std::string title_line(std::string_view name, std::string_view words, const terminal& where);

/// "  label     words": the label dimmed, the words from column `indent` and wrapped there.
[[nodiscard]] std::string labelled_line(std::string_view label, std::string_view words, std::size_t indent,
                                        const terminal& where);

/// Prints a screen: on a terminal, and where COLUMNS is set, no line passes the edge.
void print_screen(std::string_view screen);

}  // namespace lacis::app

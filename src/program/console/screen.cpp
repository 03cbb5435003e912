// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Breaking the lines that a terminal has no room for.
#include "console/screen.hpp"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace lacis::app {
namespace {

/// Of a line that is broken.
constexpr std::size_t deepest_indent = 4;

/// How many bytes of the text take the first `columns`; escape sequences take none.
std::size_t bytes_of_columns(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t next = end + 1;
    while (next < text.size() && columns_of(text.substr(0, next + 1)) == columns_of(text.substr(0, next))) ++next;
    if (columns_of(text.substr(0, next)) > columns) break;
    end = next;
  }
  return end;
}

/// Where the continuation of a line begins: below the text behind its label, or a little behind its beginning where
/// that leaves too little room.
std::size_t hanging_indent(std::string_view line, std::size_t columns) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", begin);
  const std::size_t text = gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
  if (text != std::string_view::npos && columns_of(line.substr(0, text)) <= columns / 2)
    return columns_of(line.substr(0, text));
  return std::min(begin, deepest_indent) + 2;
}

std::string fitted_line(std::string_view line, std::size_t columns) {
  if (columns_of(line) <= columns) return std::string(line);
  const std::size_t indent = hanging_indent(line, columns);
  const std::size_t least_indent = std::min(indent, std::size_t{2});
  std::string result;
  std::size_t used = 0;
  bool is_empty = true;  // nothing but an indent in this line
  while (!line.empty()) {
    const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    std::string_view word = line.substr(spaces, line.find(' ', spaces) - spaces);
    line.remove_prefix(spaces + word.size());
    if (word.empty()) break;
    const std::size_t width = columns_of(word);
    if (used + spaces + width > columns && !is_empty) {
      used = indent + width > columns ? least_indent : indent;
      result += '\n' + std::string(used, ' ');
    } else {
      const std::size_t kept = is_empty ? std::min(spaces, deepest_indent) : spaces;
      result += std::string(kept, ' ');
      used += kept;
    }
    while (used + columns_of(word) > columns) {
      const std::size_t cut = bytes_of_columns(word, columns - used);
      result += word.substr(0, cut);
      word.remove_prefix(cut);
      used = least_indent;
      result += '\n' + std::string(used, ' ');
    }
    result += word;
    used += columns_of(word);
    is_empty = false;
  }
  return result;
}

}  // namespace

std::string fitted(std::string_view screen, std::size_t columns) {
  std::string result;
  while (!screen.empty()) {
    const std::size_t end = std::min(screen.find('\n'), screen.size());
    result += fitted_line(screen.substr(0, end), columns);
    if (end < screen.size()) result += '\n';
    screen.remove_prefix(std::min(end + 1, screen.size()));
  }
  return result;
}

std::string title_line(std::string_view name, std::string_view words, const terminal& where) {
  const auto columns = static_cast<std::size_t>(where.columns);
  const std::size_t beside = columns_of(name) + 2;
  const std::string title = painter{where.color}.bold(name);
  if (beside > columns / 2) return title + "\n  " + wrapped(words, 2, columns) + '\n';
  return title + "  " + wrapped(words, beside, columns) + '\n';
}

std::string labelled_line(std::string_view label, std::string_view words, std::size_t indent, const terminal& where) {
  const std::string text = wrapped(words, indent, static_cast<std::size_t>(where.columns));
  return "  " + painter{where.color}.dim(pad_right(label, indent - 2)) + text + '\n';
}

void print_screen(std::string_view screen) {
  const terminal where = terminal_of(STDOUT_FILENO);
  const bool has_edge = where.is_terminal || std::getenv("COLUMNS") != nullptr;
  print(has_edge ? fitted(screen, static_cast<std::size_t>(where.columns)) : screen);
}

}  // namespace lacis::app

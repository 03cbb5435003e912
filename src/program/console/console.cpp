// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Terminals, colours and the two streams.
#include "console/console.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <sys/ioctl.h>
#include <unistd.h>

#include <lacis/error.hpp>

#include "base/output_file.hpp"

namespace lacis::app {
namespace {

constexpr int fewest_columns = 20;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

int columns_of_terminal(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return std::max<int>(fewest_columns, size.ws_col);
  if (const char* columns = std::getenv("COLUMNS"))
    if (const int number = std::atoi(columns); number >= fewest_columns && number <= 1000) return number;
  return 80;
}

[[noreturn]] void refuse_output(int error_number) {
  throw error(errc::io, std::string("cannot write to standard output: ") + std::strerror(error_number) +
                            detail::advice_on_writing(error_number));
}

struct character {
  char32_t code;
  std::size_t size;  ///< bytes; 0 where the text does not begin with UTF-8
};

/// The first character of a text that is not empty. Forms that are too long, halves of pairs and numbers past the last
/// character are no UTF-8.
character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return {0, 0};
  char32_t code = byte(0) & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_half = code >= 0xD800 && code <= 0xDFFF;
  return code < least[size] || code > 0x10FFFF || is_half ? character{0, 0} : character{code, size};
}

bool is_harmless(char32_t code) {
  struct range {
    char32_t first;
    char32_t last;
  };
  constexpr range harmful[] = {
      {0x00, 0x1F},        // control characters
      {0x7F, 0x9F},        // the same, with delete
      {0xAD, 0xAD},        // a hyphen that is seldom seen
      {0x061C, 0x061C},    // the direction of writing
      {0x200B, 0x200F},    // nothing to see, and direction
      {0x2028, 0x202E},    // ends of lines, and direction
      {0x2060, 0x206F},    // the same
      {0xFE00, 0xFE0F},    // variants of the character before
      {0xFEFF, 0xFEFF},    // the byte order mark
      {0xFFF9, 0xFFFB},    // remarks
      {0xE0000, 0xE0FFF},  // tags
  };
  return std::none_of(std::begin(harmful), std::end(harmful),
                      [&](const range& each) { return code >= each.first && code <= each.last; });
}

std::string escaped(char byte) {
  constexpr char digits[] = "0123456789abcdef";
  const auto number = static_cast<unsigned char>(byte);
  return {'\\', 'x', digits[number / 16], digits[number % 16]};
}

}  // namespace

void open_standard_streams() {
  constexpr int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF) static_cast<void>(open("/dev/null", modes[number]));
}

bool is_utf8_locale(const char* lc_all, const char* lc_ctype, const char* lang) {
  for (const char* name : {lc_all, lc_ctype, lang}) {
    if (name == nullptr || *name == '\0') continue;
    std::string upper;
    for (const char* c = name; *c != '\0'; ++c)
      upper += static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
    return upper.find("UTF-8") != std::string::npos || upper.find("UTF8") != std::string::npos;
  }
  return false;
}

terminal terminal_of(int descriptor) {
  terminal result;
  result.is_terminal = isatty(descriptor) == 1;
  result.unicode = is_utf8_locale(std::getenv("LC_ALL"), std::getenv("LC_CTYPE"), std::getenv("LANG"));
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || std::strcmp(kind, "dumb") == 0;
  result.rewrites = result.is_terminal && !dumb;
  result.color = result.rewrites && !is_set("NO_COLOR");
  result.columns = columns_of_terminal(descriptor);
  return result;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) ++columns;
  }
  return columns;
}

std::string pad_right(std::string_view text, std::size_t columns) {
  const std::size_t taken = columns_of(text);
  return std::string(text) + std::string(taken < columns ? columns - taken : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t columns) {
  const std::size_t taken = columns_of(text);
  return std::string(taken < columns ? columns - taken : 0, ' ') + std::string(text);
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string result;
  std::size_t used = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (used > indent && used + 1 + end > columns) {
      result += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (used > indent) {
      result += ' ';
      ++used;
    }
    result += text.substr(0, end);
    used += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string painter::with(std::string_view code, std::string_view words) const {
  if (!color || words.empty()) return std::string(words);
  return "\x1b[" + std::string(code) + 'm' + std::string(words) + "\x1b[0m";
}

std::string shown(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [code, size] = first_character(text);
    const bool as_it_is = size > 0 && is_harmless(code);
    for (const char byte : text.substr(0, std::max<std::size_t>(size, 1)))
      result += as_it_is ? std::string(1, byte) : escaped(byte);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output(errno);
}

void flush_output() {
  const bool failed_before = std::ferror(stdout) != 0;
  if (std::fflush(stdout) != 0 || failed_before) refuse_output(errno);
}

void finish_output() {
  flush_output();
  // Some file systems tell only when a file is closed that a write has failed.
  detail::descriptor another(detail::duplicate_descriptor(STDOUT_FILENO));
  if (another.is_open() && another.close() != 0 && errno != EINTR) refuse_output(errno);
}

void complain(std::string_view message) {
  const terminal where = terminal_of(STDERR_FILENO);
  std::string line = painter{where.color}.red("lacis:");
  line += ' ';
  line += shown(message);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace lacis::app

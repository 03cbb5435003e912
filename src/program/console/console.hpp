// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the terminal behind a stream can show, and how words are coloured on it.
#pragma once

#include <string>
#include <string_view>

namespace lacis::app {

struct terminal {
  bool is_terminal = false;
  bool unicode = false;   ///< the locale's characters are UTF-8
  bool rewrites = false;  ///< a terminal that can write a line over: not "dumb"
  bool color = false;     ///< the same, and NO_COLOR is not set
  int columns = 80;
};

/// The terminal behind a file descriptor (1 or 2) and the environment.
[[nodiscard]] terminal terminal_of(int descriptor);

/// Whether the first of LC_ALL, LC_CTYPE and LANG that is set and not empty names UTF-8.
[[nodiscard]] bool is_utf8_locale(const char* lc_all, const char* lc_ctype, const char* lang);

/// How many columns a text takes: UTF-8 characters outside escape sequences.
[[nodiscard]] std::size_t columns_of(std::string_view text);
/// The text padded with spaces to that many columns, on the right or on the left.
[[nodiscard]] std::string pad_right(std::string_view text, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t columns);

/// The text in lines of at most `columns`, each but the first indented by `indent`: the first begins there already.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns);

/// Wraps words in escape sequences, or leaves them alone.
struct painter {
  bool color = false;
  [[nodiscard]] std::string bold(std::string_view words) const { return with("1", words); }
  [[nodiscard]] std::string dim(std::string_view words) const { return with("2", words); }
  [[nodiscard]] std::string red(std::string_view words) const { return with("31", words); }
  [[nodiscard]] std::string green(std::string_view words) const { return with("32", words); }
  [[nodiscard]] std::string yellow(std::string_view words) const { return with("33", words); }
  [[nodiscard]] std::string cyan(std::string_view words) const { return with("36", words); }

 private:
  [[nodiscard]] std::string with(std::string_view code, std::string_view words) const;
};

/// Text from outside (a file, its name, an argument) as a terminal may show it: what a terminal would act on, what
/// turns the direction of writing or is invisible, and bytes that are no UTF-8 become \x1b and the like. Once is
/// enough: the result stays the same when it goes through again.
[[nodiscard]] std::string shown(std::string_view text);

/// Gives a closed standard stream a descriptor with which reading or writing fails, so that no file that is opened
/// later is taken for it. For the beginning of a program.
void open_standard_streams();

/// Writes to standard output, through a buffer. Throws error(io) when that could not take everything.
void print(std::string_view text);
/// What was printed has left the buffer afterwards. Throws error(io) when standard output could not take everything.
void flush_output();
/// The same for the end of a program: also what standard output tells only when it is closed.
void finish_output();
/// "lacis: message" on standard error; the message goes through shown().
void complain(std::string_view message);

}  // namespace lacis::app

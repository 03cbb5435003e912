// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix from a file, a pipe or a description.
#pragma once

#include <string>

#include <lacis/any_csr.hpp>
#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/io.hpp>
#include <lacis/isa.hpp>

#include "parse/options.hpp"

namespace lacis::app {

struct loaded {
  std::string name;  ///< fit for a terminal (shown() in console.hpp)
  any_csr matrix;
  bool generated = false;
  read_report report;  ///< of a file
  double seconds = 0;
};

/// Reads or generates, with a progress bar. Input that cannot be read is error(bad_input); a misspelt generator, format
/// or kind of value is error(invalid_argument) with a suggestion.
[[nodiscard]] loaded load(const source_options& source, const common_options& common);

/// Throws error(invalid_argument) when a command would read two things from standard input.
void require_one_standard_input(const source_options& source, const std::string& other);

/// What the options say of generated matrices and of files.
[[nodiscard]] generate_options generate_options_of(const source_options& source);
[[nodiscard]] read_options read_options_of(const source_options& source);

/// The limits on input of --max-bytes and --max-ratio.
void set_limits(const source_options& source, read_options& options);

/// A message of the library with the fields of read_options called as they are on the command line.
[[nodiscard]] std::string with_flags(std::string message);
/// Throws the error of reading a file as one of the program: what the system refuses, and what no type holds, is
/// error(bad_input).
[[noreturn]] void refuse_input(const error& problem);
/// What read() gives; its errors go through refuse_input.
template <class Read> auto as_input(Read&& read) {
  try {
    return read();
  } catch (const error& problem) {
    refuse_input(problem);
  }
}

/// The matrix with values of the type of that name, as --type spells it; as it is when the name is empty.
[[nodiscard]] any_csr with_type(any_csr matrix, const std::string& name);

/// Throws error(bad_input) where an entry is infinite or not a number; rows and columns count from 1, as in a file.
void require_finite_values(const any_csr& matrix, const std::string& name);

/// The file format of that name, with a suggestion when there is none.
[[nodiscard]] file_format parse_file_format(const std::string& name);
/// Its name as it is typed on a command line: "matrix-market".
[[nodiscard]] std::string spelt(file_format format);

/// The instruction set of that name, as --isa spells it.
[[nodiscard]] isa parse_isa(const std::string& name);

/// From here on at most that many threads; 0 leaves it to OpenMP.
void use_threads(int threads);

}  // namespace lacis::app

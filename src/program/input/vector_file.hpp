// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in files: read from a matrix of one column or from lines of numbers, written as lines of numbers.
#pragma once

#include <span>
#include <string>

#include "io/vector_read.hpp"
#include "parse/options.hpp"

namespace lacis::app {

using detail::any_vector;

/// The vector in a file or a pipe, "-" for standard input, within the limits that `source` has for its matrix. Throws
/// error(bad_input), and error(out_of_memory) past a limit.
[[nodiscard]] any_vector read_vector(const std::string& path, const source_options& source,
                                     const common_options& common);

/// One number per line, the shortest that reads back to the same bits; complex numbers as two with a space between.
/// "-" is standard output.
template <class T> void write_vector(const std::string& path, std::span<const T> x);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in files: read from a matrix of one column or from lines of numbers, written as lines of numbers.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <variant>

#include <lacis/buffer.hpp>

#include "app/options.hpp"

namespace lacis::app {

/// In buffers, which are on huge pages when they are large: a product that reads x at random takes half the time so.
using any_vector = std::variant<buffer<double>, buffer<std::complex<double>>>;

/// The vector in a file: text as write_vector() makes it, or a matrix of any format that has one column. Throws
/// error(bad_input).
[[nodiscard]] any_vector read_vector(const std::string& path, const common_options& common);

/// One number per line, the shortest that reads back to the same bits; complex numbers as two with a space between.
/// "-" is standard output.
template <class T> void write_vector(const std::string& path, std::span<const T> x);

}  // namespace lacis::app

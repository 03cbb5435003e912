// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors from files and pipes: lines of numbers, or a matrix of one column.
#pragma once

#include <complex>
#include <filesystem>
#include <variant>

#include <lacis/buffer.hpp>
#include <lacis/export.hpp>
#include <lacis/io.hpp>

namespace lacis::detail {

/// In buffers, which are on huge pages when they are large: a product that reads x at random takes half the time so.
using any_vector = std::variant<buffer<double>, buffer<std::complex<double>>>;

/// The vector in a file or a pipe ("-" is standard input), which is read once: a matrix of one column where the content
/// begins as a Matrix Market or .npz file does, otherwise text with one number per line, or two for complex numbers.
/// Lines that begin with # or % are comments; text of comments alone is a vector without elements. Lines of two numbers
/// that begin with 0, 1, 2, ... or 1, 2, 3, ... are an error: they may be indices and values. Throws error(bad_input)
/// and whatever reading throws.
[[nodiscard]] LACIS_API any_vector read_vector(const std::filesystem::path& path, const read_options& options);

}  // namespace lacis::detail

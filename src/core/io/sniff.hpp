// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which format a file has, told by its content.
#pragma once

#include <optional>

#include <lacis/io.hpp>

#include "io/text_input.hpp"

namespace lacis::detail {

/// Matrix Market by its banner, .npz as a zip file. Other text is what its name says: METIS for .graph, an edge list
/// for .el and .wel. Where the name leaves that open, it is METIS when lines and numbers are exactly as many as its
/// first line says for at least one vertex, an edge list otherwise. Throws error(bad_input) that names what it saw
/// instead, also for text whose name is that of a Matrix Market file.
[[nodiscard]] file_format sniff(const text_input& input);

/// The first part of that: the format whose mark the content begins with, nothing for text without one.
[[nodiscard]] std::optional<file_format> sniff_marks(const text_input& input);

}  // namespace lacis::detail

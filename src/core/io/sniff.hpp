// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which format a file has, told by its content.
#pragma once

#include <lacis/io.hpp>

#include "io/text_input.hpp"

namespace lacis::detail {

/// Matrix Market by its banner, .npz as a zip file. Text of numbers is METIS when lines and numbers are exactly as many
/// as its first line says for at least one vertex, an edge list otherwise. Throws error(bad_input) that names what it
/// saw instead.
[[nodiscard]] file_format sniff(const text_input& input);

}  // namespace lacis::detail

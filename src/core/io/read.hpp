// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading a matrix from bytes in memory: what lacis::read does once the file is there.
#pragma once

#include <lacis/any_csr.hpp>
#include <lacis/io.hpp>

#include "io/text_input.hpp"

namespace lacis::detail {

/// The matrix in decompressed bytes; fills every field of the report but its time.
template <value Value, index Index>
[[nodiscard]] csr_matrix<Value, Index> parse(text_input input, const read_options& options, read_report& report);

/// The same in the types that the content asks for.
[[nodiscard]] any_csr parse_any(text_input input, const read_options& options, read_report& report);

}  // namespace lacis::detail

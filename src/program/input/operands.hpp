// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Two matrices for one product: of the same types, and sizes that fit.
#pragma once

#include <string>

#include <lacis/any_csr.hpp>

namespace lacis::app {

/// Gives both the types that hold either: complex when one is, double when one is, 64-bit columns when one has them.
void make_alike(any_csr& a, any_csr& b);

/// A^T, not conjugated.
[[nodiscard]] any_csr transpose_of(const any_csr& a);

/// Throws error(bad_input) where a matrix that a command has read is not square, as `what` needs.
void require_square(const std::string& name, std::int64_t rows, std::int64_t cols, const std::string& what);
/// Whether it has as many rows as columns.
[[nodiscard]] bool is_square(const any_csr& a);

/// The bytes of the arrays.
[[nodiscard]] std::int64_t bytes_of(const any_csr& a);

}  // namespace lacis::app

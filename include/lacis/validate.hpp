// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Checks that a matrix keeps the invariants of its format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <lacis/convert.hpp>
#include <lacis/error.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// The first invariant that a matrix breaks.
struct violation {
  std::int64_t row = -1;  ///< the row (of CSC: the column, of BSR: the block row), or -1 when no single one is at fault
  std::string message;    ///< what is broken and where, in words
};

namespace detail {
template <class View> LACIS_API std::optional<violation> find_violation(const View& view);
template <class View> LACIS_API void require_valid_view(const View& view);
}  // namespace detail

/// The first broken invariant, or nothing. Sizes are checked first, then offsets, permutations and lengths, then
/// indices and masks; of several rows at fault the lowest is named. The order of columns in a row is no invariant:
/// is_canonical tells.
template <class Matrix> [[nodiscard]] std::optional<violation> validate(const Matrix& matrix) {
  return detail::find_violation(detail::wide(matrix).view());
}

/// Throws error(invalid_matrix) with the first broken invariant.
template <class Matrix> void require_valid(const Matrix& matrix) {
  detail::require_valid_view(detail::wide(matrix).view());
}

}  // namespace lacis

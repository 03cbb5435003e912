// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The invariants of formats, as operations ask for them before they read a matrix.
#pragma once

#include <optional>

#include <lacis/validate.hpp>

namespace lacis::detail {

/// The first size of an array, or end of its offsets, that does not fit: what is told without a look at the entries.
template <class View> [[nodiscard]] std::optional<violation> find_size_violation(const View& view);

/// Throws error(invalid_matrix) where a size does not fit.
template <class View> void require_sizes(const View& view) {
  if (const auto broken = find_size_violation(view)) throw error(errc::invalid_matrix, broken->message);
}

}  // namespace lacis::detail

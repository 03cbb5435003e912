// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows in strips, so that those that a row reaches back to are still in the cache.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpu/spmv/stencil.hpp"

namespace lacis::detail {

/// The rows of a grid come in planes of `period` rows. A strip is `width` of them in each plane, and a product visits
/// all planes of one strip before the next strip. Without strips (`period` 0) rows are visited in their order.
struct stencil_strips {
  std::int64_t period = 0;
  std::int64_t width = 0;

  /// The share of rows that have a row so far back in their own strip.
  [[nodiscard]] double near(std::int64_t diagonal) const;
};

/// The rows of a plane, for diagonals on and above the main one: the farthest are those of the next plane, and it is
/// in their middle. 0: there is no other than the main one.
[[nodiscard]] std::int64_t rows_of_plane(std::span<const std::int64_t> upper);
/// For a matrix whose diagonals on and above the main one are `upper`, with values of so many bytes.
[[nodiscard]] stencil_strips strips_for(std::span<const std::int64_t> upper, std::int64_t value_bytes);
/// Runs that are in the order of rows, strip by strip.
[[nodiscard]] std::vector<cpu::stencil_run> runs_in_strips(std::span<const cpu::stencil_run> runs,
                                                           const stencil_strips& strips);

}  // namespace lacis::detail

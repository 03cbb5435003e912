// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows in strips.
#include "plan/layouts/stencil/strips.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lacis::detail {
namespace {

/// Bytes of one plane of a strip: its values, x and y. The L2 cache holds two planes on every machine that was
/// tried.
constexpr std::int64_t strip_bytes = 256 << 10;

}  // namespace

double stencil_strips::near(std::int64_t diagonal) const {
  if (period == 0) return 1;
  const std::int64_t away = std::min(std::abs(diagonal), std::abs(diagonal - period));
  return std::max(0.0, 1 - static_cast<double>(away) / static_cast<double>(width));
}

std::int64_t rows_of_plane(std::span<const std::int64_t> upper) {
  if (upper.empty() || upper.back() == 0) return 0;
  const std::int64_t first =
      *std::find_if(upper.begin(), upper.end(), [&](std::int64_t d) { return 2 * d > upper.back(); });
  return (first + upper.back()) / 2;
}

stencil_strips strips_for(std::span<const std::int64_t> upper, std::int64_t value_bytes) {
  const std::int64_t period = rows_of_plane(upper);
  const std::int64_t width = strip_bytes / ((static_cast<std::int64_t>(upper.size()) + 2) * value_bytes);
  return width >= period ? stencil_strips{} : stencil_strips{period, width};
}

std::vector<cpu::stencil_run> runs_in_strips(std::span<const cpu::stencil_run> runs, const stencil_strips& strips) {
  std::vector<cpu::stencil_run> sorted(runs.begin(), runs.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](const cpu::stencil_run& one, const cpu::stencil_run& other) {
    return one.first_row % strips.period / strips.width < other.first_row % strips.period / strips.width;
  });
  return sorted;
}

}  // namespace lacis::detail

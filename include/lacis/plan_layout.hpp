// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layouts of plans: the one list from which names, choices, benchmarks, checks and the build take them.
#pragma once

#include <string_view>

#include <lacis/export.hpp>

/// Layout(name, what it keeps), one line each. A layout is the folder `src/core/plan/layouts/<name>` and its line here:
/// CMake reads these lines too.
// clang-format off
#define LACIS_FOR_EACH_PLAN_LAYOUT(Layout)                                                                   \
  Layout(csr, "rows one after the other")                                                                    \
  Layout(sell, "short rows packed side by side in slices of one vector; longer rows as csr")                 \
  Layout(stencil, "slices of rows whose diagonals are one of a few patterns: no column indices; the rest as sell") \
  Layout(symmetric, "as stencil, with the values of a symmetric matrix stored once: those above the diagonal serve the rows below") \
  Layout(staged, "two phases: x is copied into one buffer per block of rows that fits L2, then rows read their buffer") \
  Layout(bsr, "rows in full square blocks with one column index per block; the rest as sell")
// clang-format on

namespace lacis {

/// How a plan on the processor keeps a matrix. All of them give the same bits.
#define LACIS_LAYOUT_NAME(name, words) name,
enum class plan_layout { LACIS_FOR_EACH_PLAN_LAYOUT(LACIS_LAYOUT_NAME) };
#undef LACIS_LAYOUT_NAME

/// All of them.
#define LACIS_LAYOUT_VALUE(name, words) plan_layout::name,
inline constexpr plan_layout plan_layouts[] = {LACIS_FOR_EACH_PLAN_LAYOUT(LACIS_LAYOUT_VALUE)};
#undef LACIS_LAYOUT_VALUE

/// "csr", "sell", ...
[[nodiscard]] LACIS_API std::string_view name_of(plan_layout layout);
/// What a layout keeps, in a few words.
[[nodiscard]] LACIS_API std::string_view words_of(plan_layout layout);

}  // namespace lacis

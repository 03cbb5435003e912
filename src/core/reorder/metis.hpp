// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A graph cut by METIS.
#pragma once

#include <cstdint>

#include <lacis/buffer.hpp>

#include "reorder/graph.hpp"

namespace lacis::detail {

/// The part of each vertex, from 0 to count - 1 in the order of recursive bisection, where vertices weigh what
/// `weights` says. `count` is at least 2 and at most the number of vertices. Throws error(overflow) when the graph or
/// the sum of weights is larger than METIS counts, and error(out_of_memory).
template <class Index>
[[nodiscard]] buffer<std::int32_t> bisected(const graph<Index>& g, const buffer<std::int64_t>& weights,
                                            std::int64_t count);

}  // namespace lacis::detail

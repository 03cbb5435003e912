// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The orderings, each in a file of its own: element k of the result is the vertex that gets number k.
#pragma once

#include <cstdint>

#include <lacis/buffer.hpp>

#include "reorder/graph.hpp"

namespace lacis::detail {

/// Id is the type in which vertices are kept on the way, at best the narrowest that their number fits.
template <class Id, class Index> [[nodiscard]] buffer<std::int64_t> rcm_order(const graph<Index>& g);
template <class Id, class Index> [[nodiscard]] buffer<std::int64_t> chain_order(const graph<Index>& g);
/// Of the matrix itself: its columns are counted, whether or not it is symmetric.
template <class Index> [[nodiscard]] buffer<std::int64_t> degree_order(const pattern_view<Index>& a);

}  // namespace lacis::detail

/// Expands Macro(Id, Index) for the pairs that occur.
#define LACIS_FOR_EACH_ID(Macro) \
  Macro(std::int32_t, std::int32_t) Macro(std::int32_t, std::int64_t) Macro(std::int64_t, std::int64_t)

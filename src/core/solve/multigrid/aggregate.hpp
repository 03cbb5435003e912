// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which rows become one row of the next level.
#pragma once

#include <cstdint>
#include <string>

#include <lacis/buffer.hpp>

#include "base/internal.hpp"
#include "solve/multigrid/strength.hpp"

namespace lacis::multigrid {

template <class Index> struct aggregates {
  std::int64_t count = 0;
  buffer<Index> of;  ///< the aggregate of each row; -1 for a row without strong entries, which smoothing alone solves
  std::string how;   ///< in words
};

/// Depends on the connections alone, not on the number of threads. Where most connections stay inside of ranges of
/// rows, each range is gone through in order (greedily); elsewhere roots are an independent set of distance two.
/// `mutual`: it is known that j is strong in row i wherever i is strong in row j; otherwise that is found out.
template <class Index>
[[nodiscard]] LACIS_INTERNAL aggregates<Index> aggregate(const connections<Index>& strong, bool mutual = false);

/// Both ways by name, for tests and for measuring.
template <class Index> [[nodiscard]] aggregates<Index> aggregate_greedily(const connections<Index>& strong);
/// `by_sweep`: by one thread, where connections are mutual; the aggregates are the same.
template <class Index>
[[nodiscard]] aggregates<Index> aggregate_independently(const connections<Index>& strong, bool by_sweep = false);

}  // namespace lacis::multigrid

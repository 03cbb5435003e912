// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Who needs what from whom.
#include <algorithm>

#include "mpi/exchange.hpp"

namespace lacis::dist {

exchange_lists make_lists(const processes& group, std::span<const std::int64_t> col_ranges,
                          std::span<const std::int64_t> ghosts) {
  exchange_lists lists;
  // Ghosts ascend, so those of one owner are neighbours.
  std::vector<std::int64_t> wanted(static_cast<std::size_t>(group.size()), 0);
  auto next = ghosts.begin();
  for (int rank = 0; rank < group.size(); ++rank) {
    const auto end = std::lower_bound(next, ghosts.end(), col_ranges[static_cast<std::size_t>(rank) + 1]);
    if (end != next) lists.in.push_back({rank, next - ghosts.begin(), end - next});
    wanted[static_cast<std::size_t>(rank)] = end - next;
    next = end;
  }
  const auto asked = exchange<std::int64_t>(group, ghosts, wanted);
  const std::int64_t first_own = col_ranges[static_cast<std::size_t>(group.rank())];
  lists.elements = buffer<std::int32_t>(asked.data.size());
  for (std::int64_t k = 0; k < asked.data.size(); ++k)
    lists.elements[k] = static_cast<std::int32_t>(asked.data[k] - first_own);
  for (int rank = 0; rank < group.size(); ++rank) {
    const std::int64_t first = asked.begins[static_cast<std::size_t>(rank)];
    const std::int64_t count = asked.begins[static_cast<std::size_t>(rank) + 1] - first;
    if (count == 0) continue;
    const bool side_by_side = lists.elements[first + count - 1] - lists.elements[first] == count - 1;
    lists.out.push_back({rank, first, count, side_by_side});
  }
  return lists;
}

}  // namespace lacis::dist

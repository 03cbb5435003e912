// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Ranges of rows of the layout `sell`.
#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "base/instantiate.hpp"
#include "base/pieces.hpp"
#include "plan/layouts/sell/layout.hpp"

namespace lacis::detail {

template <class T, class Index> row_reach reach_of(const sell_layout<T, Index>& l) {
  row_reach reach;
  if (l.in_parts())
    reach.obstacle = "columns are in several ranges";
  else if (!l.long_rows.empty() || l.blocks.empty() || l.blocks[0].places() != l.rows)
    reach.obstacle = "rows of more than 32 entries are kept apart";
  if (!reach.obstacle.empty()) return reach;
  const auto& block = l.blocks[0];
  std::atomic<bool> in_order = true;
  parallel_piece_ranges(block.headers.size(), block.places() + block.entries,
                        [&](std::int64_t begin, std::int64_t end) {
                          std::int64_t farthest = 0;
                          for (std::int64_t slice = begin; slice < end; ++slice)
                            for (std::int64_t lane = 0; lane < block.headers[slice].count; ++lane) {
                              const auto row = static_cast<std::int64_t>(block.rows[slice * block.height + lane]);
                              if (row != slice * block.height + lane) in_order.store(false, std::memory_order_relaxed);
                              for_each_entry(block, slice, lane, [&](std::int64_t, std::int64_t column) {
                                farthest = std::max(farthest, std::abs(column - row));
                              });
                            }
                          raise_to(std::atomic_ref<std::int64_t>(reach.band), farthest);
                        });
  reach.step = in_order ? block.height : sort_window;
  reach.slice = reach.step;
  return reach;
}

template <class T, class Index>
void multiply_range(isa set, const sell_layout<T, Index>& l, const row_reach&, const T* x, std::int64_t begin,
                    std::int64_t end, T* y) {
  const auto& block = l.blocks[0];
  cpu::kernels_for<T, Index, T>(set).packed_rows(block.view(), x + block.first_column, begin / block.height,
                                                 (end + block.height - 1) / block.height, false,
                                                 cpu::scaling<T>(T(1), T(0)), y);
}

#define LACIS_SELL_RANGES(T, Index)                                                                         \
  template row_reach reach_of(const sell_layout<T, Index>&);                                                \
  template void multiply_range(isa, const sell_layout<T, Index>&, const row_reach&, const T*, std::int64_t, \
                               std::int64_t, T*);
LACIS_FOR_EACH_TYPE(LACIS_SELL_RANGES)

}  // namespace lacis::detail

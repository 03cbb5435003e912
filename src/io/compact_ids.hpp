// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Ids with gaps, numbered anew from 0 in ascending order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include <lacis/buffer.hpp>

#include "base/parallel.hpp"

namespace lacis::detail {

inline void sort_unique(std::vector<std::int64_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// The ids among the first `count` of both arrays, ascending, each once: every thread sorts its share, then neighbours
/// are united.
[[nodiscard]] inline std::vector<std::int64_t> distinct_ids(const buffer<std::int64_t>& sources,
                                                            const buffer<std::int64_t>& targets, std::int64_t count) {
  const int threads = threads_for(count);
  std::vector<std::vector<std::int64_t>> parts(static_cast<std::size_t>(threads));
  on_threads(threads, [&](int t, int) {
    std::vector<std::int64_t>& part = parts[static_cast<std::size_t>(t)];
    const std::int64_t begin = even_cut(count, t, threads);
    const std::int64_t end = even_cut(count, t + 1, threads);
    part.assign(sources.begin() + begin, sources.begin() + end);
    sort_unique(part);
    part.insert(part.end(), targets.begin() + begin, targets.begin() + end);
    sort_unique(part);
  });
  while (parts.size() > 1) {
    std::vector<std::vector<std::int64_t>> united((parts.size() + 1) / 2);
    on_threads(static_cast<int>(united.size()), [&](int t, int) {
      const auto i = static_cast<std::size_t>(t);
      if (2 * i + 1 == parts.size())
        united[i] = std::move(parts[2 * i]);
      else
        std::set_union(parts[2 * i].begin(), parts[2 * i].end(), parts[2 * i + 1].begin(), parts[2 * i + 1].end(),
                       std::back_inserter(united[i]));
    });
    parts = std::move(united);
  }
  return std::move(parts.front());
}

/// The place of each of the first `count` ids in `distinct`.
template <class Index>
[[nodiscard]] buffer<Index> ranks_of(const buffer<std::int64_t>& ids, std::int64_t count,
                                     const std::vector<std::int64_t>& distinct) {
  buffer<Index> ranks(count);
  parallel_for(count, [&](std::int64_t i) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), ids[i]);
    ranks[i] = static_cast<Index>(place - distinct.begin());
  });
  return ranks;
}

}  // namespace lacis::detail

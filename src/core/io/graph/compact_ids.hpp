// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Ids with gaps, numbered anew from 0 in ascending order.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <lacis/buffer.hpp>

#include "base/parallel.hpp"

namespace lacis::detail {

/// Knows how many of the ids that occur are smaller than a given one. Ids below 64 times their number are bits of a map
/// with a count before each word: two reads a look-up, no more memory than the ids. Others are sorted and searched.
class id_ranks {
 public:
  /// Ids from 0 to `largest`, in two lists.
  id_ranks(std::span<const std::int64_t> first, std::span<const std::int64_t> second, std::int64_t largest) {
    if (largest / 64 < static_cast<std::int64_t>(first.size() + second.size()))
      mark(first, second, largest);
    else
      sort(first, second);
  }

  /// The number of different ids.
  [[nodiscard]] std::int64_t size() const {
    return before_.empty() ? static_cast<std::int64_t>(sorted_.size()) : before_[before_.size() - 1];
  }

  [[nodiscard]] std::int64_t operator()(std::int64_t id) const {
    if (before_.empty()) return std::lower_bound(sorted_.begin(), sorted_.end(), id) - sorted_.begin();
    const std::uint64_t smaller = (std::uint64_t{1} << id % 64) - 1;
    return before_[id / 64] + std::popcount(words_[id / 64] & smaller);
  }

 private:
  void mark(std::span<const std::int64_t> first, std::span<const std::int64_t> second, std::int64_t largest) {
    words_ = buffer<std::uint64_t>(largest / 64 + 1, 0);
    for (const auto ids : {first, second})
      parallel_for(static_cast<std::int64_t>(ids.size()), [&](std::int64_t i) {
        const std::int64_t id = ids[static_cast<std::size_t>(i)];
        std::atomic_ref(words_[id / 64]).fetch_or(std::uint64_t{1} << id % 64, std::memory_order_relaxed);
      });
    before_ = buffer<std::int64_t>(words_.size() + 1);
    parallel_for(words_.size(), [&](std::int64_t w) { before_[w] = std::popcount(words_[w]); });
    counts_to_offsets(before_);
  }

  /// Every thread sorts its share, then neighbours are united.
  void sort(std::span<const std::int64_t> first, std::span<const std::int64_t> second) {
    const auto count = static_cast<std::int64_t>(first.size());
    const int threads = threads_for(count);
    std::vector<std::vector<std::int64_t>> parts(static_cast<std::size_t>(threads));
    on_threads(threads, [&](int t, int) {
      std::vector<std::int64_t>& part = parts[static_cast<std::size_t>(t)];
      const std::int64_t begin = even_cut(count, t, threads);
      const std::int64_t end = even_cut(count, t + 1, threads);
      part.assign(first.begin() + begin, first.begin() + end);
      part.insert(part.end(), second.begin() + begin, second.begin() + end);
      std::sort(part.begin(), part.end());
      part.erase(std::unique(part.begin(), part.end()), part.end());
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
    sorted_ = std::move(parts.front());
  }

  buffer<std::uint64_t> words_;
  buffer<std::int64_t> before_;
  std::vector<std::int64_t> sorted_;
};

}  // namespace lacis::detail

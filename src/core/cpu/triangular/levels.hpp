// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a triangle in an order for threads. A *chain* is a run of neighbours each of which needs the one before; a
// chain's level is one more than the highest that it needs. Threads take chains of one level side by side, and each
// goes through several at once: row after row of one chain alone waits for the division of the row before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <omp.h>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "cpu/launch.hpp"

namespace lacis::cpu {

/// Parts that threads share, or that one thread does faster alone.
struct level_stage {
  std::int64_t first = 0;  ///< part
  std::int64_t last = 0;
  bool shared = false;
};

template <class Index> struct row_schedule {
  buffer<Index> order;              ///< all rows
  std::vector<std::int64_t> parts;  ///< where each begins in the order, and the end: one thread takes a whole one
  std::vector<level_stage> stages;
  std::int64_t levels = 0;
  std::int64_t longest = 0;  ///< rows that the busiest thread goes through, and what waiting costs, as rows
};

namespace schedule {

/// Chains that one thread goes through side by side.
constexpr std::int64_t side_by_side = 4;
/// Rows of a level that are worth waiting for each other, and what that costs.
constexpr std::int64_t shared_rows = 256;
constexpr std::int64_t rows_of_a_barrier = 60;

struct chain {
  std::int64_t first = 0;  ///< in the order of elimination: ascending, for upper triangles descending rows
  std::int64_t last = 0;
  std::int64_t level = 0;
};

template <class T, class Index> class chain_finder {
 public:
  chain_finder(const csr_view<T, Index>& a, bool upper) : a_(a), upper_(upper), level_(a.rows) {}

  [[nodiscard]] std::int64_t row_at(std::int64_t k) const { return upper_ ? a_.rows - 1 - k : k; }

  /// Chains, or every row as one of its own.
  std::vector<chain> find(bool single) {
    std::vector<chain> all;
    for (std::int64_t k = 0; k < a_.rows;) {
      chain one{k, k, 0};
      do {
        one.level = std::max(one.level, level_of_row(row_at(k), one.first));
        ++k;
      } while (!single && k < a_.rows && needs(row_at(k), row_at(k - 1)));
      one.last = k;
      for (std::int64_t i = one.first; i < k; ++i) level_[row_at(i)] = static_cast<Index>(one.level);
      all.push_back(one);
    }
    return all;
  }

 private:
  /// One more than the levels of the rows before `first` that it needs.
  [[nodiscard]] std::int64_t level_of_row(std::int64_t row, std::int64_t first) const {
    const std::int64_t edge = row_at(first);
    std::int64_t level = 0;
    for (std::int64_t e = begin_of(row); e < begin_of(row + 1); ++e) {
      const std::int64_t j = a_.columns[static_cast<std::size_t>(e)];
      if (upper_ ? j > edge : j < edge) level = std::max(level, static_cast<std::int64_t>(level_[j]) + 1);
    }
    return level;
  }
  [[nodiscard]] bool needs(std::int64_t row, std::int64_t other) const {
    const auto* columns = a_.columns.data();
    return std::binary_search(columns + begin_of(row), columns + begin_of(row + 1), static_cast<Index>(other));
  }
  [[nodiscard]] std::int64_t begin_of(std::int64_t row) const { return a_.row_offsets[static_cast<std::size_t>(row)]; }

  const csr_view<T, Index>& a_;
  bool upper_;
  buffer<Index> level_;
};

inline std::vector<chain> by_level(std::vector<chain> all) {
  std::stable_sort(all.begin(), all.end(), [](const chain& x, const chain& y) { return x.level < y.level; });
  return all;
}

/// Fewer than so many in a level, on average.
inline bool is_narrow(const std::vector<chain>& all, std::int64_t count) {
  return !all.empty() && static_cast<std::int64_t>(all.size()) < count * (all.back().level + 1);
}

}  // namespace schedule

/// `upper`: a row needs those behind it. Columns ascend in each row; entries beyond the triangle are not looked at.
template <class T, class Index> row_schedule<Index> schedule_of(const csr_view<T, Index>& a, bool upper, int threads) {
  using namespace schedule;
  chain_finder<T, Index> finder(a, upper);
  std::vector<chain> chains = by_level(finder.find(false));
  // Chains that need one another leave nothing to do side by side; their rows, level by level, may.
  if (is_narrow(chains, 2))
    if (std::vector<chain> rows = by_level(finder.find(true)); !is_narrow(rows, side_by_side)) chains = std::move(rows);
  row_schedule<Index> all{buffer<Index>(a.rows), {}, {}, chains.empty() ? 0 : chains.back().level + 1, 0};
  std::int64_t place = 0;
  for (std::size_t begin = 0; begin < chains.size();) {
    std::size_t end = begin;
    std::int64_t rows = 0;
    for (; end < chains.size() && chains[end].level == chains[begin].level; ++end)
      rows += chains[end].last - chains[end].first;
    const auto count = static_cast<std::int64_t>(end - begin);
    const bool shared = threads > 1 && count > 1 && rows >= shared_rows;
    const auto group = static_cast<std::size_t>(std::clamp<std::int64_t>(count / threads, 1, side_by_side));
    const auto first_part = static_cast<std::int64_t>(all.parts.size());
    std::int64_t longest_part = 0;
    for (std::size_t c = begin; c < end; c += group) {
      all.parts.push_back(place);
      const std::size_t last = std::min(c + group, end);
      std::int64_t longest = 0;
      for (std::size_t one = c; one < last; ++one) longest = std::max(longest, chains[one].last - chains[one].first);
      for (std::int64_t t = 0; t < longest; ++t)
        for (std::size_t one = c; one < last; ++one)
          if (chains[one].first + t < chains[one].last)
            all.order[place++] = static_cast<Index>(finder.row_at(chains[one].first + t));
      longest_part = std::max(longest_part, place - all.parts.back());
    }
    all.longest += shared ? std::max(rows / threads, longest_part) + rows_of_a_barrier : rows;
    const auto last_part = static_cast<std::int64_t>(all.parts.size());
    if (!shared && !all.stages.empty() && !all.stages.back().shared)
      all.stages.back().last = last_part;
    else
      all.stages.push_back({first_part, last_part, shared});
    begin = end;
  }
  all.parts.push_back(place);
  return all;
}

/// work(first, last) on ranges of the order, stage after stage, on threads that wait for each other in between. It must
/// not throw.
template <class Index, class Work> void in_stages(int threads, const row_schedule<Index>& rows, Work&& work) {
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    const summation::rounding_guard guard;
    const int thread = omp_get_thread_num();
    const int team = omp_get_num_threads();
    const auto place_of = [&](std::int64_t part) { return rows.parts[static_cast<std::size_t>(part)]; };
    for (const level_stage& stage : rows.stages) {
      // The part in which a thread's even share begins is taken by the one before.
      const auto cut = [&](int t) {
        const std::int64_t first = place_of(stage.first);
        const std::int64_t target = first + detail::even_cut(place_of(stage.last) - first, t, team);
        return *std::lower_bound(rows.parts.begin() + stage.first, rows.parts.begin() + stage.last, target);
      };
      if (stage.shared)
        work(cut(thread), cut(thread + 1));
      else if (thread == 0)
        work(place_of(stage.first), place_of(stage.last));
#pragma omp barrier
    }
  }
}

}  // namespace lacis::cpu

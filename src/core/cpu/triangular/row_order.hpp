// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Orders of the rows of a triangle: as they are, by level, or in blocks of neighbours and by level in each or in strips
// of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include <lacis/buffer.hpp>

#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "cpu/triangular/schedule.hpp"

namespace lacis::cpu {

/// Rows in an order, and where in it their levels begin: rows of one level do not need each other.
template <class Index> struct ordered_rows {
  buffer<Index> order;
  std::vector<std::int64_t> levels;  ///< with the end
  std::vector<std::int64_t> blocks;  ///< as numbers of levels; with the end
};

template <class Index> class row_orders {
 public:
  explicit row_orders(const triangle_pattern<Index>& pattern) : pattern_(pattern), depths_(pattern.rows()) {}

  /// Levels of the whole triangle.
  [[nodiscard]] std::int64_t levels() {
    std::int64_t deepest = -1;
    for (std::int64_t k = 0; k < pattern_.rows(); ++k) deepest = std::max(deepest, set_depth(k, 0));
    return deepest + 1;
  }
  /// The last of the steps that step k needs, far before all where it needs none.
  [[nodiscard]] std::int64_t last_needed(std::int64_t k) const {
    const std::int64_t row = pattern_.turned(k);
    if (pattern_.length(row) == 0) return -pattern_.rows();
    return pattern_.turned(pattern_.column(pattern_.upper() ? pattern_.first(row) : pattern_.last(row) - 1));
  }
  [[nodiscard]] bool needs_the_one_before(std::int64_t k) const { return last_needed(k) == k - 1; }

  /// Rows that do not need each other, from first to last in the order, by length; those of one length stay as they
  /// are.
  void sort_by_length(std::int64_t first, std::int64_t last, buffer<Index>& order) const {
    const auto shorter = [&](Index x, Index y) { return pattern_.length(x) < pattern_.length(y); };
    auto* const rows = order.data();
    if (!std::is_sorted(rows + first, rows + last, shorter)) std::stable_sort(rows + first, rows + last, shorter);
  }

  /// The rows as they are.
  ordered_rows<Index> by_step() {
    ordered_rows<Index> all{buffer<Index>(pattern_.rows()), {0}, {0}};
    detail::parallel_for(pattern_.rows(),
                         [&](std::int64_t k) { all.order[k] = static_cast<Index>(pattern_.turned(k)); });
    if (pattern_.rows() > 0) {
      all.levels.push_back(pattern_.rows());
      all.blocks.push_back(1);
    }
    return all;
  }

  ordered_rows<Index> by_level() {
    ordered_rows<Index> all{buffer<Index>(pattern_.rows()), {}, {0}};
    all.levels = sort_steps(0, pattern_.rows(), all.order);
    all.blocks.push_back(static_cast<std::int64_t>(all.levels.size()));
    all.levels.push_back(pattern_.rows());
    return all;
  }

  /// Blocks in which `width` rows are side by side, on average, by level and in each level by length. `in_strips`: each
  /// block strip by strip instead.
  ordered_rows<Index> by_block(std::int64_t width, int workers, bool in_strips) {
    const std::vector<std::int64_t> cuts = block_cuts(width, workers);
    const auto blocks = static_cast<std::int64_t>(cuts.size()) - 1;
    ordered_rows<Index> all{buffer<Index>(pattern_.rows()), {}, {0}};
    std::vector<std::vector<std::int64_t>> levels(static_cast<std::size_t>(blocks));
    std::atomic<std::int64_t> next{0};
    detail::on_threads(detail::threads_for(pattern_.rows()), [&](int, int) {
      for (std::int64_t b = next++; b < blocks; b = next++) {
        const auto at = static_cast<std::size_t>(b);
        if (in_strips) {
          levels[at] = sort_strips(cuts[at], cuts[at + 1], all.order);
          continue;
        }
        levels[at] = sort_steps(cuts[at], cuts[at + 1], all.order);
        for (std::size_t l = 0; l < levels[at].size(); ++l)
          sort_by_length(levels[at][l], l + 1 < levels[at].size() ? levels[at][l + 1] : cuts[at + 1], all.order);
      }
    });
    for (const auto& of_block : levels) {
      all.levels.insert(all.levels.end(), of_block.begin(), of_block.end());
      all.blocks.push_back(static_cast<std::int64_t>(all.levels.size()));
    }
    all.levels.push_back(pattern_.rows());
    return all;
  }

 private:
  /// A block need not have more rows.
  static constexpr std::int64_t most_block_rows = 1 << 16;

  /// One more than the depths of the steps from `edge` on that step k needs.
  std::int64_t set_depth(std::int64_t k, std::int64_t edge) {
    stop_.at(k);
    const std::int64_t row = pattern_.turned(k);
    Index depth = 0;
    for (std::int64_t e = pattern_.first(row); e < pattern_.last(row); ++e)
      if (const std::int64_t other = pattern_.turned(pattern_.column(e)); other >= edge)
        depth = std::max(depth, static_cast<Index>(depths_[other] + 1));
    depths_[k] = depth;
    return depth;
  }
  /// Steps first .. last by their depth among themselves, to the same places of `order`.
  /// Where each depth begins.
  std::vector<std::int64_t> sort_steps(std::int64_t first, std::int64_t last, buffer<Index>& order) {
    std::int64_t deepest = -1;
    for (std::int64_t k = first; k < last; ++k) deepest = std::max(deepest, set_depth(k, first));
    std::vector<std::int64_t> places(static_cast<std::size_t>(deepest + 2), 0);
    for (std::int64_t k = first; k < last; ++k) ++places[static_cast<std::size_t>(depths_[k]) + 1];
    places[0] = first;
    for (std::size_t d = 1; d < places.size(); ++d) places[d] += places[d - 1];
    std::vector<std::int64_t> levels(places.begin(), places.end() - 1);
    for (std::int64_t k = first; k < last; ++k)
      order[places[static_cast<std::size_t>(depths_[k])]++] = static_cast<Index>(pattern_.turned(k));
    return levels;
  }

  /// Steps first .. last in strips of so few that about strip_rows are side by side, by level in each: few enough that
  /// neighbours in the order are alike where the rows are (some lines of a grid), and enough that one need not wait for
  /// the one before. A strip ends where the next row does not need the last. Where each level begins.
  std::vector<std::int64_t> sort_strips(std::int64_t first, std::int64_t last, buffer<Index>& order) {
    constexpr std::int64_t strip_rows = 3;
    std::vector<std::int64_t> levels;
    for (std::int64_t begin = first; begin < last;) {
      std::int64_t deepest = 0;
      std::int64_t end = begin;
      while (end < last && (end - begin < strip_rows * (deepest + 1) || needs_the_one_before(end)))
        deepest = std::max(deepest, set_depth(end++, begin));
      const std::vector<std::int64_t> of_strip = sort_steps(begin, end, order);
      levels.insert(levels.end(), of_strip.begin(), of_strip.end());
      begin = end;
    }
    return levels;
  }

  /// How many steps from `first` on are enough for `width` rows side by side, on average.
  [[nodiscard]] std::int64_t enough_steps(std::int64_t first, std::int64_t width) {
    std::int64_t deepest = 0;
    const std::int64_t last = std::min(pattern_.rows(), first + most_block_rows);
    for (std::int64_t k = first; k < last; ++k) {
      deepest = std::max(deepest, set_depth(k, first));
      if (k - first >= width * (deepest + 1)) return k - first;
    }
    return std::max<std::int64_t>(last - first, 1);
  }

  /// Where blocks of neighbouring steps begin, with the end. The steps fall into segments that begin where nothing of
  /// the steps just before is needed (planes of a grid); each has as many blocks as workers, or a multiple, so that a
  /// worker finds most of what it needs in its own cache. A block ends where the next row does not need the last (the
  /// end of a grid line): so the next can begin before this one ends.
  std::vector<std::int64_t> block_cuts(std::int64_t width, int workers) {
    constexpr std::size_t many_segments = 16;
    const std::int64_t rows = pattern_.rows();
    const std::int64_t enough = std::max(enough_steps(0, width), enough_steps(rows / 2, width));
    std::vector<std::int64_t> segments = {0};
    for (std::int64_t k = enough; k < rows; ++k)
      if (k - segments.back() >= workers * enough && k - last_needed(k) > enough) segments.push_back(k);
    segments.push_back(rows);
    std::vector<std::int64_t> cuts = {0};
    for (std::size_t s = 0; s + 1 < segments.size(); ++s) {
      const std::int64_t first = segments[s];
      const std::int64_t size = segments[s + 1] - first;
      const bool pipelined = workers > 1 && segments.size() > many_segments;
      const std::int64_t parts = pipelined ? workers : std::max<std::int64_t>(size / enough / workers, 1) * workers;
      for (std::int64_t part = 1; part < parts; ++part) {
        const std::int64_t target = first + size * part / parts;
        std::int64_t cut = target;
        while (cut < target + size / parts / 4 && cut > 0 && needs_the_one_before(cut)) ++cut;
        cuts.push_back(std::max(cut == target + size / parts / 4 ? target : cut, cuts.back()));
      }
      cuts.push_back(segments[s + 1]);
    }
    return cuts;
  }

  const triangle_pattern<Index>& pattern_;
  buffer<Index> depths_;  ///< of steps: in the whole triangle, or in a block
  detail::stop_check stop_;
};

}  // namespace lacis::cpu

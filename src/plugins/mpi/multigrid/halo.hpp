// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers that belong to rows, brought to the ranks that need them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/mpi.hpp>

#include "mpi/exchange.hpp"
#include "mpi/processes.hpp"

namespace lacis::dist {

/// `width` elements per element of the lists, from where they are in `own` to the ranks that asked for them. In the
/// order of what was asked.
template <class U>
[[nodiscard]] buffer<U> sent(const processes& group, const exchange_lists& lists, std::span<const U> own,
                             std::int64_t width = 1) {
  buffer<U> packed(lists.elements.size() * width);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(group.size()), 0);
  for (const auto& one : lists.out) counts[static_cast<std::size_t>(one.rank)] = one.count * width;
  for (std::int64_t k = 0; k < lists.elements.size(); ++k)
    std::copy_n(own.data() + lists.elements[k] * width, width, packed.data() + k * width);
  return std::move(exchange<U>(group, packed, counts).data);
}

/// The elements of `rows`, which ascend; rows lie in `ranges`, and `own` has those of this rank.
template <class U>
[[nodiscard]] buffer<U> fetched(const processes& group, std::span<const std::int64_t> ranges, std::span<const U> own,
                                std::span<const std::int64_t> rows) {
  return sent<U>(group, make_lists(group, ranges, rows), own);
}

/// `width` elements per row, to where rows lie in other ranges.
template <class U>
[[nodiscard]] buffer<U> moved_elements(const processes& group, std::span<const std::int64_t> from,
                                       std::span<const std::int64_t> to, std::span<const U> mine,
                                       std::int64_t width = 1) {
  const auto rank = static_cast<std::size_t>(group.rank());
  std::vector<std::int64_t> counts(static_cast<std::size_t>(group.size()), 0);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const std::int64_t shared = std::min(from[rank + 1], to[k + 1]) - std::max(from[rank], to[k]);
    counts[k] = std::max<std::int64_t>(shared, 0) * width;
  }
  return std::move(exchange<U>(group, mine, counts).data);
}

/// Everybody's elements, one after the other, on all ranks.
template <class U> [[nodiscard]] buffer<U> gathered(const processes& group, std::span<const U> mine) {
  const auto size = static_cast<std::size_t>(group.size());
  buffer<U> copies(static_cast<std::int64_t>(mine.size() * size));
  for (std::size_t k = 0; k < size; ++k)
    std::copy(mine.begin(), mine.end(), copies.data() + static_cast<std::int64_t>(k * mine.size()));
  const std::vector<std::int64_t> counts(size, static_cast<std::int64_t>(mine.size()));
  return std::move(exchange<U>(group, copies, counts).data);
}

/// The columns of a square matrix as this rank numbers them: those of its own rows, with ghosts before and behind. The
/// matrix must outlive it. What multigrid::all_rows_here is on one process.
class halo {
 public:
  template <value T>
  explicit halo(const distributed_csr<T>& a)
      : group_(*a.group),
        ghosts_(a.ghosts),
        lists_(make_lists(*a.group, a.col_ranges, a.ghosts)),
        before_(a.ghosts_before),
        own_(a.own_cols()) {}

  /// The column of the first own row.
  [[nodiscard]] std::int64_t first() const { return before_; }
  [[nodiscard]] std::int64_t columns(std::int64_t own_rows) const {
    return own_rows + static_cast<std::int64_t>(ghosts_.size());
  }
  /// The row of the whole matrix that a column is.
  [[nodiscard]] std::int64_t number(std::int64_t column) const {
    const std::int64_t own = column - before_;
    const std::int64_t rows = own_.last - own_.first;
    if (own < 0) return ghosts_[static_cast<std::size_t>(column)];
    return own < rows ? own_.first + own : ghosts_[static_cast<std::size_t>(column - rows)];
  }
  /// `width` elements per column, those of own rows known: the others too.
  template <class U> void bring(buffer<U>& all, std::int64_t width = 1) const {
    const std::int64_t rows = own_.last - own_.first;
    const auto own = std::span<const U>(all).subspan(static_cast<std::size_t>(before_ * width),
                                                     static_cast<std::size_t>(rows * width));
    const buffer<U> come = sent<U>(group_, lists_, own, width);
    std::copy_n(come.data(), before_ * width, all.data());
    std::copy_n(come.data() + before_ * width, come.size() - before_ * width, all.data() + (before_ + rows) * width);
  }
  /// One element per own row, and those of ghosts.
  template <class U> [[nodiscard]] buffer<U> with_ghosts(std::span<const U> own, std::int64_t width = 1) const {
    buffer<U> all(columns(own_.last - own_.first) * width);
    std::copy(own.begin(), own.end(), all.data() + before_ * width);
    bring(all, width);
    return all;
  }
  /// Whether it is so on any rank.
  [[nodiscard]] bool any(bool here) const { return !group_.all(!here); }

 private:
  const processes& group_;
  std::span<const std::int64_t> ghosts_;
  exchange_lists lists_;
  std::int64_t before_;
  row_range own_;
};

}  // namespace lacis::dist

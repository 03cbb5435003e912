// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a masked product. Each sum takes in its products in ascending k, as in the whole product.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include <lacis/csr.hpp>
#include <lacis/pattern.hpp>
#include <lacis/spgemm_masked.hpp>

#include "cpu/spgemm/column_slots.hpp"
#include "summation/arithmetic.hpp"

namespace lacis::cpu {

template <class T, class Index> struct masked_job {
  csr_view<T, Index> a;
  csr_view<T, Index> b;
  pattern_view<Index> mask;
  mask_side side = mask_side::stored;

  [[nodiscard]] std::span<const Index> mask_row(std::int64_t i) const {
    const std::int64_t begin = mask.row_offsets.data()[i];
    return {mask.columns.data() + begin, static_cast<std::size_t>(mask.row_offsets.data()[i + 1] - begin)};
  }
  /// Entries that row i has at most when it has so many products.
  [[nodiscard]] std::int64_t bound(std::int64_t i, std::int64_t products) const {
    const auto masked = static_cast<std::int64_t>(mask_row(i).size());
    return std::min(products, side == mask_side::stored ? masked : b.cols - masked);
  }
};

/// One thread's memory for rows.
template <class T, class Index> struct masked_scratch {
  dense_slots<Index> dense;
  hashed_slots<Index> hashed;
  buffer<T> sums;  ///< by slot
  buffer<std::uint8_t> met;

  void enlarge(std::int64_t slots) {
    if (sums.size() >= slots) return;
    sums = buffer<T>(slots);
    met = buffer<std::uint8_t>(slots);
  }
};

/// Whether an array over `width` columns serves a row better than a hash table of `used` of them: one that stays in the
/// L2 does, and a larger one where it is well filled.
[[nodiscard]] inline bool prefers_dense(std::int64_t width, std::int64_t used) {
  constexpr std::int64_t always = std::int64_t{1} << 18;
  constexpr std::int64_t never = std::int64_t{1} << 24;
  return width <= always || (width <= never && width / 16 <= used);
}

/// A row of B so much longer than the row of the mask is searched, not walked.
inline constexpr std::int64_t much_longer = 32;

/// The sums of a row at the places of its mask: slot p is the mask's p-th column.
template <class T, class Index> class masked_sums {
 public:
  masked_sums(const csr_view<T, Index>& b, std::span<const Index> mask, masked_scratch<T, Index>& scratch)
      : b_(b), mask_(mask), sums_(scratch.sums.data()), met_(scratch.met.data()) {
    std::fill_n(sums_, mask.size(), T{});
    std::fill_n(met_, mask.size(), std::uint8_t{0});
  }

  /// Takes in factor times entries q .. end of B, each of which is looked up. Those that count are gathered before they
  /// are added: whether one does is not to be foreseen.
  template <class Slots> void walk(T factor, std::int64_t q, std::int64_t end, const Slots& slots) {
    constexpr std::int64_t block = 128;
    std::array<Index, block> slot;
    std::array<std::uint8_t, block> place;
    for (; q < end; q += block) {
      const std::int64_t size = std::min(block, end - q);
      std::size_t found = 0;
      for (std::int64_t k = 0; k < size; ++k) {
        slot[found] = slots.find(b_.columns.data()[q + k]);
        place[found] = static_cast<std::uint8_t>(k);
        found += slot[found] != no_slot ? 1 : 0;
      }
      for (std::size_t f = 0; f < found; ++f) add(static_cast<std::int64_t>(slot[f]), factor, q + place[f]);
    }
  }

  /// The same by looking for each column of the mask, from where the one before it was.
  void search(T factor, std::int64_t q, std::int64_t end) {
    const Index* columns = b_.columns.data();
    for (std::size_t p = 0; p < mask_.size() && q < end; ++p) {
      std::int64_t step = 1;
      while (q + step < end && columns[q + step] < mask_[p]) step *= 2;
      q = std::lower_bound(columns + q + step / 2, columns + std::min(q + step + 1, end), mask_[p]) - columns;
      if (q < end && columns[q] == mask_[p]) add(static_cast<std::int64_t>(p), factor, q);
    }
  }

  /// Writes the entries that exist, in order; how many there are.
  [[nodiscard]] std::int64_t write(Index* columns, T* values) const {
    std::int64_t entries = 0;
    for (std::size_t p = 0; p < mask_.size(); ++p) {
      if (met_[p] == 0) continue;
      columns[entries] = mask_[p];
      values[entries] = sums_[p];
      ++entries;
    }
    return entries;
  }

 private:
  void add(std::int64_t slot, T factor, std::int64_t q) {
    sums_[slot] = summation::add(sums_[slot], summation::multiply(factor, b_.values[q]));
    met_[slot] = 1;
  }

  const csr_view<T, Index>& b_;
  std::span<const Index> mask_;
  T* sums_;
  std::uint8_t* met_;
};

template <class Slots, class T, class Index>
std::int64_t stored_row(const masked_job<T, Index>& job, std::int64_t i, Slots& slots,
                        masked_scratch<T, Index>& scratch, Index* columns, T* values) {
  const std::span<const Index> mask = job.mask_row(i);
  for (std::size_t p = 0; p < mask.size(); ++p) slots.at(mask[p]) = static_cast<Index>(p);
  masked_sums<T, Index> sums(job.b, mask, scratch);
  for (std::int64_t p = job.a.row_offsets.data()[i]; p < job.a.row_offsets.data()[i + 1]; ++p) {
    const std::int64_t k = job.a.columns.data()[p];
    const std::int64_t from = job.b.row_offsets.data()[k];
    const std::int64_t to = job.b.row_offsets.data()[k + 1];
    if (to - from > much_longer * static_cast<std::int64_t>(mask.size()))
      sums.search(job.a.values[p], from, to);
    else
      sums.walk(job.a.values[p], from, to, slots);
  }
  slots.forget(mask);
  slots.close();
  return sums.write(columns, values);
}

/// The part of an ascending list that lies in first .. last.
template <class Index>
std::span<const Index> within(std::span<const Index> columns, std::int64_t first, std::int64_t last) {
  const auto begin = std::lower_bound(columns.begin(), columns.end(), first);
  return {begin, std::upper_bound(begin, columns.end(), last)};
}

/// The row at all places but those of the mask. Columns are put in order by visiting them, or sorted.
template <class Slots, class T, class Index>
std::int64_t complement_row(const masked_job<T, Index>& job, std::int64_t i, std::span<const Index> mask, Slots& slots,
                            masked_scratch<T, Index>& scratch, Index* columns, T* values) {
  constexpr Index masked = no_slot - 1;
  for (const Index column : mask) slots.at(column) = masked;
  T* sums = scratch.sums.data();
  std::int64_t entries = 0;
  for (std::int64_t p = job.a.row_offsets.data()[i]; p < job.a.row_offsets.data()[i + 1]; ++p) {
    const std::int64_t k = job.a.columns.data()[p];
    const T factor = job.a.values[p];
    for (std::int64_t q = job.b.row_offsets.data()[k]; q < job.b.row_offsets.data()[k + 1]; ++q) {
      const Index column = job.b.columns.data()[q];
      Index& slot = slots.at(column);
      if (slot == masked) continue;
      if (slot == no_slot) {
        if constexpr (Slots::in_order)
          slots.list(column);
        else
          columns[entries] = column;
        slot = static_cast<Index>(entries);
        sums[entries++] = T{};
      }
      sums[slot] = summation::add(sums[slot], summation::multiply(factor, job.b.values[q]));
    }
  }
  if constexpr (Slots::in_order) {
    slots.drain([&](Index column, Index slot) {
      *columns++ = column;
      *values++ = sums[slot];
    });
  } else {
    std::sort(columns, columns + entries);
    for (std::int64_t e = 0; e < entries; ++e) values[e] = sums[slots.find(columns[e])];
  }
  slots.forget(mask);
  slots.close();
  return entries;
}

/// The first and the last column that row i of the whole product may have; the last is before the first where there is
/// none.
template <class T, class Index>
std::pair<std::int64_t, std::int64_t> columns_of_row(const masked_job<T, Index>& job, std::int64_t i) {
  std::pair<std::int64_t, std::int64_t> range{job.b.cols, -1};
  for (std::int64_t p = job.a.row_offsets.data()[i]; p < job.a.row_offsets.data()[i + 1]; ++p) {
    const std::int64_t k = job.a.columns.data()[p];
    const std::int64_t from = job.b.row_offsets.data()[k];
    const std::int64_t to = job.b.row_offsets.data()[k + 1];
    if (from == to) continue;
    range.first = std::min<std::int64_t>(range.first, job.b.columns.data()[from]);
    range.second = std::max<std::int64_t>(range.second, job.b.columns.data()[to - 1]);
  }
  return range;
}

/// Row i, which has so many products; how many entries it has.
template <class T, class Index>
std::int64_t masked_row(const masked_job<T, Index>& job, std::int64_t i, std::int64_t products,
                        masked_scratch<T, Index>& scratch, Index* columns, T* values) {
  const std::span<const Index> mask = job.mask_row(i);
  if (job.side == mask_side::stored) {
    const auto size = static_cast<std::int64_t>(mask.size());
    scratch.enlarge(size);
    if (prefers_dense(std::int64_t{mask.back()} - mask.front() + 1, size)) {
      scratch.dense.open(mask.front(), mask.back());
      return stored_row(job, i, scratch.dense, scratch, columns, values);
    }
    scratch.hashed.open(size);
    return stored_row(job, i, scratch.hashed, scratch, columns, values);
  }
  const auto [first, last] = columns_of_row(job, i);
  const std::span<const Index> masked = within(mask, first, last);
  const std::int64_t width = last - first + 1;
  const std::int64_t most = std::min(products, width);
  const bool is_worth_a_visit = width / 512 <= most;  // a cache line of bits for each product, at most
  scratch.enlarge(most);
  if (is_worth_a_visit && prefers_dense(width, most)) {
    scratch.dense.open(first, last);
    return complement_row(job, i, masked, scratch.dense, scratch, columns, values);
  }
  scratch.hashed.open(most + static_cast<std::int64_t>(masked.size()));
  return complement_row(job, i, masked, scratch.hashed, scratch, columns, values);
}

}  // namespace lacis::cpu

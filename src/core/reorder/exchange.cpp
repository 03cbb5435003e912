// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product exchanges between ranges of rows: distinct columns outside of each range, by their owner.
#include <algorithm>
#include <atomic>
#include <numeric>

#include <lacis/error.hpp>
#include <lacis/partition.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "reorder/graph.hpp"

namespace lacis {

std::int64_t memory_of(const range_exchange& range, const rank_storage& storage) {
  constexpr std::int64_t column_bytes = 4;
  constexpr std::int64_t offset_bytes = 8;
  constexpr std::int64_t id_bytes = 8;
  constexpr std::int64_t place_bytes = 4;
  const std::int64_t entry_bytes = column_bytes + (storage.stores_values ? storage.value_bytes : 0);
  return range.entries * entry_bytes + (range.rows + 1) * offset_bytes +
         storage.vectors * range.rows * storage.value_bytes + range.ghosts * (id_bytes + storage.value_bytes) +
         range.sent * (place_bytes + storage.value_bytes);
}

namespace detail {
namespace {

/// So many elements come from that range.
struct arrival {
  std::int32_t from;
  std::int64_t elements;
};

/// One thread's count of the ghosts of one range after the other.
template <index Index> class ghost_counter {
 public:
  ghost_counter(const pattern_view<Index>& a, std::span<const std::int64_t> ranges)
      : a_(a), ranges_(ranges), seen_(a.cols), elements_(ranges.size() - 1, 0) {}

  /// By ascending owner.
  std::vector<arrival> arrivals_of(std::int64_t range) {
    const std::int64_t first = ranges_.data()[range];
    const std::int64_t last = ranges_.data()[range + 1];
    for_each_outside(first, last, [&](std::int64_t column) {
      if (seen_.holds(column)) return;
      seen_.add(column);
      const std::int32_t from = owner_of(column);
      if (elements_[static_cast<std::size_t>(from)]++ == 0) owners_.push_back(from);
    });
    for_each_outside(first, last, [&](std::int64_t column) { seen_.remove(column); });
    std::sort(owners_.begin(), owners_.end());
    std::vector<arrival> all;
    for (const std::int32_t from : owners_)
      all.push_back({from, std::exchange(elements_[static_cast<std::size_t>(from)], 0)});
    owners_.clear();
    return all;
  }

 private:
  template <class Visit> void for_each_outside(std::int64_t first, std::int64_t last, Visit&& visit) const {
    for (std::int64_t k = a_.row_offsets.data()[first]; k < a_.row_offsets.data()[last]; ++k) {
      const auto column = static_cast<std::int64_t>(a_.columns.data()[k]);
      if (column < first || column >= last) visit(column);
    }
  }
  [[nodiscard]] std::int32_t owner_of(std::int64_t column) const {
    return static_cast<std::int32_t>(std::upper_bound(ranges_.begin(), ranges_.end(), column) - ranges_.begin() - 1);
  }

  const pattern_view<Index>& a_;
  std::span<const std::int64_t> ranges_;
  vertex_set seen_;
  std::vector<std::int64_t> elements_;  ///< of the range under way, by owner
  std::vector<std::int32_t> owners_;    ///< of the range under way
};

template <index Index> void require_ranges(const pattern_view<Index>& a, std::span<const std::int64_t> ranges) {
  if (a.rows != a.cols)
    throw error(errc::invalid_argument,
                text("only of a square matrix do ranges own rows and columns; this one is ", a.rows, " x ", a.cols));
  if (ranges.size() < 2 || ranges.front() != 0 || ranges.back() != a.rows ||
      !std::is_sorted(ranges.begin(), ranges.end()))
    throw error(errc::invalid_argument, text("ranges must ascend from 0 to ", a.rows));
}

csr_matrix<double> matrix_of(const std::vector<std::vector<arrival>>& arrivals) {
  csr_matrix<double> all;
  all.rows = all.cols = static_cast<std::int64_t>(arrivals.size());
  all.row_offsets = buffer<std::int64_t>(all.rows + 1);
  for (std::int64_t i = 0; i < all.rows; ++i)
    all.row_offsets[i] = static_cast<std::int64_t>(arrivals[static_cast<std::size_t>(i)].size());
  const std::int64_t messages = counts_to_offsets(all.row_offsets);
  all.columns = buffer<std::int32_t>(messages);
  buffer<double> elements(messages);
  std::int64_t k = 0;
  for (const std::vector<arrival>& row : arrivals)
    for (const arrival& each : row) {
      all.columns[k] = each.from;
      elements[k++] = static_cast<double>(each.elements);
    }
  all.values = values_array<double>(std::move(elements));
  return all;
}

template <index Index>
row_exchange exchange_of_pattern(const pattern_view<Index>& a, std::span<const std::int64_t> ranges) {
  require_ranges(a, ranges);
  const auto count = static_cast<std::int64_t>(ranges.size()) - 1;
  std::vector<std::vector<arrival>> arrivals(static_cast<std::size_t>(count));
  std::atomic<std::int64_t> next = 0;
  on_threads(static_cast<int>(std::min<std::int64_t>(threads_for(a.nnz()), count)), [&](int, int) {
    ghost_counter<Index> counter(a, ranges);
    for (std::int64_t r = next++; r < count; r = next++) arrivals[static_cast<std::size_t>(r)] = counter.arrivals_of(r);
  });

  row_exchange result;
  result.ranges.resize(static_cast<std::size_t>(count));
  for (std::size_t r = 0; r < result.ranges.size(); ++r) {
    range_exchange& range = result.ranges[r];
    range.rows = ranges[r + 1] - ranges[r];
    range.entries = a.row_offsets.data()[ranges[r + 1]] - a.row_offsets.data()[ranges[r]];
    range.messages_in = static_cast<std::int64_t>(arrivals[r].size());
    for (const arrival& each : arrivals[r]) {
      range_exchange& sender = result.ranges[static_cast<std::size_t>(each.from)];
      range.ghosts += each.elements;
      sender.sent += each.elements;
      ++sender.messages_out;
    }
    result.ghosts += range.ghosts;
  }
  result.transfers = matrix_of(arrivals);
  return result;
}

}  // namespace

template <class Value, class Index>
row_exchange exchange_of(const csr_view<Value, Index>& a, std::span<const std::int64_t> ranges) {
  return exchange_of_pattern(unit_pattern_of(a), ranges);
}

#define LACIS_EXCHANGE(Value, Index) \
  template LACIS_API row_exchange exchange_of(const csr_view<Value, Index>&, std::span<const std::int64_t>);
LACIS_FOR_EACH_TYPE(LACIS_EXCHANGE)

}  // namespace detail
}  // namespace lacis

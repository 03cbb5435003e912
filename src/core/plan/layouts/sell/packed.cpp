// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Packing short rows.
#include "plan/layouts/sell/packed.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

#include "base/instantiate.hpp"
#include "base/pieces.hpp"
#include "cpu/spmv/kernels.hpp"

namespace lacis::detail {
namespace {

/// Where a row's entries of columns first .. last are.
struct entry_range {
  std::int64_t begin = 0;
  std::int64_t length = 0;
};

template <class Value, class Index> struct packer {
  static constexpr std::int64_t height = packed_rows<Value, Index>::height;

  const csr_view<Value, Index>& a;
  std::int64_t first;
  std::int64_t last;
  packed_rows<Value, Index> result;
  std::int64_t places = 0;

  [[nodiscard]] entry_range range_of(std::int64_t row) const {
    const Index* columns = a.columns.data();
    const Index* begin = columns + a.row_offsets[static_cast<std::size_t>(row)];
    const Index* end = columns + a.row_offsets[static_cast<std::size_t>(row + 1)];
    if (first > 0) begin = std::lower_bound(begin, end, static_cast<Index>(first));
    if (last < a.cols) end = std::lower_bound(begin, end, static_cast<Index>(last));
    return {begin - columns, end - begin};
  }

  [[nodiscard]] std::int64_t row_at(std::int64_t place) const { return static_cast<std::int64_t>(result.rows[place]); }

  /// Counts the entries; how many slots of the slices, as the rows stand, are padding.
  [[nodiscard]] std::int64_t count_entries(const buffer<std::uint8_t>& lengths) {
    std::atomic<std::int64_t> slots = 0;
    std::atomic<std::int64_t> entries = 0;
    parallel_piece_ranges(lengths.size() / height, lengths.size(), [&](std::int64_t begin, std::int64_t end) {
      std::int64_t longest = 0;
      for (std::int64_t t = begin; t < end; ++t)
        longest += *std::max_element(lengths.data() + t * height, lengths.data() + (t + 1) * height);
      slots += longest * height;
      entries += std::accumulate(lengths.data() + begin * height, lengths.data() + end * height, std::int64_t{0});
    });
    result.entries = entries;
    return slots - entries;
  }

  void sort_windows(buffer<std::uint8_t>& lengths) {
    const std::int64_t windows = (places + sort_window - 1) / sort_window;
    parallel_pieces(windows, places, [&](std::int64_t w) {
      const std::int64_t begin = w * sort_window;
      const std::int64_t size = std::min(sort_window, places - begin);
      std::array<std::int64_t, static_cast<std::size_t>(cpu::short_limit) + 2> next{};  // by falling length
      const auto slot = [](std::uint8_t length) { return static_cast<std::size_t>(cpu::short_limit - length); };
      for (std::int64_t k = 0; k < size; ++k) ++next[slot(lengths[begin + k]) + 1];
      std::partial_sum(next.begin(), next.end(), next.begin());
      std::array<std::uint8_t, sort_window> sorted_lengths;
      std::array<Index, sort_window> sorted_rows;
      for (std::int64_t k = 0; k < size; ++k) {
        const auto at = static_cast<std::size_t>(next[slot(lengths[begin + k])]++);
        sorted_lengths[at] = lengths[begin + k];
        sorted_rows[at] = result.rows[begin + k];
      }
      std::copy_n(sorted_lengths.begin(), size, lengths.data() + begin);
      std::copy_n(sorted_rows.begin(), size, result.rows.data() + begin);
    });
  }

  /// The columns of slot s, by lane, of those lanes that have it; others get the column of the first that has. Whether
  /// they run on.
  bool columns_of_slot(const std::array<entry_range, static_cast<std::size_t>(height)>& ranges, std::int64_t s,
                       std::array<Index, static_cast<std::size_t>(height)>& columns) const {
    Index some = 0;
    for (const auto& range : ranges)
      if (range.length > s) some = static_cast<Index>(a.columns[static_cast<std::size_t>(range.begin + s)] - first);
    std::int64_t base = -1;
    bool runs_on = true;
    for (std::size_t l = 0; l < ranges.size(); ++l) {
      columns[l] = some;
      if (ranges[l].length <= s) continue;
      columns[l] = static_cast<Index>(a.columns[static_cast<std::size_t>(ranges[l].begin + s)] - first);
      const std::int64_t start = static_cast<std::int64_t>(columns[l]) - static_cast<std::int64_t>(l);
      runs_on &= start >= 0 && start + height <= last - first && (base < 0 || base == start);
      base = start;
    }
    if (runs_on) columns[0] = static_cast<Index>(base);
    return runs_on;
  }

  [[nodiscard]] std::array<entry_range, static_cast<std::size_t>(height)> ranges_of(std::int64_t slice) const {
    std::array<entry_range, static_cast<std::size_t>(height)> ranges{};
    for (std::int64_t l = 0; l < height && slice * height + l < places; ++l)
      ranges[static_cast<std::size_t>(l)] = range_of(row_at(slice * height + l));
    return ranges;
  }

  /// Whether slot s, which every lane has, runs on.
  [[nodiscard]] bool runs_on(const std::array<entry_range, static_cast<std::size_t>(height)>& ranges,
                             std::int64_t s) const {
    const Index* columns = a.columns.data() + s;
    const Index start = columns[ranges[0].begin];
    bool on = start + height <= last;
    for (std::int64_t l = 1; l < height; ++l)
      on &= columns[ranges[static_cast<std::size_t>(l)].begin] == start + static_cast<Index>(l);
    return on;
  }

  /// Everything about a slice but where its slots and columns begin.
  [[nodiscard]] cpu::slice_header describe(std::int64_t slice) const {
    cpu::slice_header h;
    const auto ranges = ranges_of(slice);
    const std::int64_t begin = slice * height;
    h.count = static_cast<std::uint8_t>(std::min(height, places - begin));
    h.first_row = row_at(begin);
    h.contiguous = true;
    for (std::int64_t l = 1; l < h.count; ++l) h.contiguous &= row_at(begin + l) == h.first_row + l;
    const auto shorter = [](const entry_range& left, const entry_range& right) { return left.length < right.length; };
    const auto ends = std::minmax_element(ranges.begin(), ranges.end(), shorter);
    h.shortest = static_cast<std::uint8_t>(ends.first->length);
    h.longest = static_cast<std::uint8_t>(ends.second->length);
    std::array<Index, static_cast<std::size_t>(height)> columns;
    for (std::int64_t s = 0; s < h.longest; ++s)
      if (s < h.shortest ? runs_on(ranges, s) : columns_of_slot(ranges, s, columns)) h.run_on |= std::uint32_t{1} << s;
    return h;
  }

  template <class Put> void fill(std::int64_t slice, Put&& put) {
    const cpu::slice_header& h = result.headers[slice];
    const auto ranges = ranges_of(slice);
    Index* column = result.columns.data() + h.columns;
    const Value* values = a.values.data.data();
    const std::int64_t each = a.values.iso ? 0 : 1;
    std::int64_t slot = h.slots;
    std::int64_t s = 0;
    for (; s < h.shortest; ++s, slot += height) {
      const std::int64_t lanes = (h.run_on >> s & 1) != 0 ? 1 : height;
      for (std::int64_t l = 0; l < lanes; ++l)
        *column++ = static_cast<Index>(
            a.columns[static_cast<std::size_t>(ranges[static_cast<std::size_t>(l)].begin + s)] - first);
      for (std::int64_t l = 0; l < height; ++l)
        put(slot + l, values[each * (ranges[static_cast<std::size_t>(l)].begin + s)]);
    }
    std::array<Index, static_cast<std::size_t>(height)> columns;
    for (; s < h.longest; ++s, slot += height) {
      column = std::copy_n(columns.begin(), columns_of_slot(ranges, s, columns) ? 1 : height, column);
      for (std::int64_t l = 0; l < height; ++l) {
        const auto& range = ranges[static_cast<std::size_t>(l)];
        put(slot + l, range.length > s ? a.values[range.begin + s] : Value{});
      }
    }
  }
};

}  // namespace

template <class Value, class Index> std::int64_t packed_rows<Value, Index>::cut(int part, int parts) const {
  if (part <= 0) return 0;
  if (part >= parts) return headers.size();
  const std::int64_t target = even_cut(slots() + headers.size() * height, part, parts);
  std::int64_t low = 0;
  std::int64_t high = headers.size();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (headers[middle].slots + middle * height < target)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

template <class Value, class Index>
packed_rows<Value, Index> pack(const csr_view<Value, Index>& a, buffer<Index> rows, std::int64_t first,
                               std::int64_t last, cpu::value_form form) {
  using packer_type = packer<Value, Index>;
  constexpr std::int64_t height = packer_type::height;
  packer_type work{a, first, last, {}, rows.size()};
  auto& result = work.result;
  result.first_column = first;
  result.cols = last - first;
  const std::int64_t slices = (work.places + height - 1) / height;
  result.rows = buffer<Index>(slices * height);
  parallel_for(rows.size(), [&](std::int64_t p) { result.rows[p] = rows[p]; });
  std::fill(result.rows.begin() + rows.size(), result.rows.end(), Index{0});
  buffer<std::uint8_t> lengths(slices * height);
  std::fill(lengths.begin() + rows.size(), lengths.end(), std::uint8_t{0});
  parallel_for(work.places,
               [&](std::int64_t p) { lengths[p] = static_cast<std::uint8_t>(work.range_of(work.row_at(p)).length); });
  const std::int64_t padding = work.count_entries(lengths);
  if (16 * padding > result.entries) work.sort_windows(lengths);
  result.lengths = std::move(lengths);
  result.headers = buffer<cpu::slice_header>(slices);
  buffer<std::int64_t> slot_offsets(slices + 1);
  buffer<std::int64_t> column_offsets(slices + 1);
  const std::int64_t all = work.places + result.entries;
  parallel_pieces(slices, all, [&](std::int64_t t) {
    const cpu::slice_header h = work.describe(t);
    result.headers[t] = h;
    slot_offsets[t] = h.longest * height;
    const int run_on = std::popcount(h.run_on);
    column_offsets[t] = run_on + (h.longest - run_on) * height;
  });
  const std::int64_t slots = counts_to_offsets(slot_offsets);
  result.columns = buffer<Index>(counts_to_offsets(column_offsets));
  result.values = packed_values<Value>(slots, form, a.values.data.empty() ? Value{} : a.values[0]);
  result.values.write([&](auto put) {
    parallel_pieces(slices, all, [&](std::int64_t t) {
      result.headers[t].slots = slot_offsets[t];
      result.headers[t].columns = column_offsets[t];
      work.fill(t, put);
    });
  });
  return std::move(result);
}

template <class Value, class Index> std::int64_t bytes_of(const packed_rows<Value, Index>& p) {
  const auto size = [](const auto& array) { return array.size() * static_cast<std::int64_t>(sizeof(*array.data())); };
  return size(p.headers) + size(p.lengths) + size(p.rows) + size(p.columns) + p.values.bytes();
}

#define LACIS_PACKED(Value, Index)                                                                                  \
  template std::int64_t packed_rows<Value, Index>::cut(int, int) const;                                             \
  template packed_rows<Value, Index> pack(const csr_view<Value, Index>&, buffer<Index>, std::int64_t, std::int64_t, \
                                          cpu::value_form);                                                         \
  template std::int64_t bytes_of(const packed_rows<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_PACKED)

}  // namespace lacis::detail

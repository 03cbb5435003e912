// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Features of a matrix.
#include "plan/features.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/pieces.hpp"
#include "cpu/spmv/packed.hpp"
#include "plan/layouts/sell/packed.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {
namespace {

/// Where samples are taken, and how much there.
constexpr std::int64_t sample_places = 8;
constexpr std::int64_t sampled_entries = 16 << 10;
/// An x of so few bytes stays near a core whoever reads it.
constexpr std::int64_t near_bytes = std::int64_t{1} << 20;

/// Lengths of at most short_limit are counted window by window, so the slots are exact without building anything.
void count_rows(std::span<const std::int64_t> offsets, std::int64_t height, features& f) {
  constexpr std::int64_t limit = summation::canonical.short_limit;
  const std::int64_t windows = (f.rows + sort_window - 1) / sort_window;
  std::vector<features> parts(static_cast<std::size_t>(threads_for(f.rows)));
  on_threads(static_cast<int>(parts.size()), [&](int t, int threads) {
    features& mine = parts[static_cast<std::size_t>(t)];
    const std::int64_t end = even_cut(windows, t + 1, threads);
    std::int64_t before = 0;
    for (std::int64_t w = even_cut(windows, t, threads); w < end; ++w) {
      std::array<std::int64_t, static_cast<std::size_t>(limit) + 1> counts{};
      for (std::int64_t i = w * sort_window; i < std::min(f.rows, (w + 1) * sort_window); ++i) {
        const std::int64_t length = offsets[static_cast<std::size_t>(i + 1)] - offsets[static_cast<std::size_t>(i)];
        mine.length_changes += length != before ? 1 : 0;
        before = length;
        if (length > limit)
          ++mine.long_rows;
        else
          ++counts[static_cast<std::size_t>(length)];
      }
      std::int64_t place = 0;
      for (std::int64_t length = limit; length > 0; --length) {
        const std::int64_t count = counts[static_cast<std::size_t>(length)];
        mine.short_entries += length * count;
        const std::int64_t slices_begun = (place + count + height - 1) / height - (place + height - 1) / height;
        mine.sell_slots += slices_begun * height * length;
        place += count;
      }
    }
  });
  for (const features& part : parts) {
    f.short_entries += part.short_entries;
    f.long_rows += part.long_rows;
    f.length_changes += part.length_changes;
    f.sell_slots += part.sell_slots;
  }
}

/// How many slots of a slice run on.
template <class Value, class Index> void sample_slices(const csr_view<Value, Index>& a, features& f) {
  constexpr std::int64_t height = cpu::slice_height<Value>;
  const auto offset = [&](std::int64_t row) { return a.row_offsets[static_cast<std::size_t>(row)]; };
  std::int64_t slots_seen = 0;
  std::int64_t slots_run_on = 0;
  for_each_sample(a.rows / height, [&](std::int64_t first, std::int64_t count) {
    for (std::int64_t row = first * height; row < (first + count) * height; row += height) {
      const std::int64_t length = offset(row + 1) - offset(row);
      for (std::int64_t s = 0; s < std::min<std::int64_t>(length, 4); ++s) {
        bool runs_on = true;
        for (std::int64_t l = 1; l < height; ++l)
          runs_on &=
              offset(row + l + 1) - offset(row + l) > s && a.columns[static_cast<std::size_t>(offset(row + l) + s)] ==
                                                               a.columns[static_cast<std::size_t>(offset(row) + s)] + l;
        ++slots_seen;
        slots_run_on += runs_on ? 1 : 0;
      }
    }
  });
  f.run_on = slots_seen == 0 ? 0 : static_cast<double>(slots_run_on) / static_cast<double>(slots_seen);
}

/// Counts how many numbers that are not negative differ from each other: those seen are in an open table.
template <class Index> class distinct_numbers {
 public:
  explicit distinct_numbers(std::size_t most) : places_(std::bit_ceil(2 * most), Index{-1}) {}

  void add(Index number) {
    const std::size_t last = places_.size() - 1;
    std::size_t at = static_cast<std::size_t>(static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15u >> 32) & last;
    while (places_[at] >= 0 && places_[at] != number) at = (at + 1) & last;
    count_ += places_[at] < 0 ? 1 : 0;
    places_[at] = number;
  }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  std::vector<Index> places_;
  std::int64_t count_ = 0;
};

/// How much of x neighbouring rows read, for each of their entries.
template <class Value, class Index> void sample_x(const csr_view<Value, Index>& a, features& f) {
  constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(Value));
  if (a.cols * static_cast<std::int64_t>(sizeof(Value)) <= near_bytes || f.entries == 0) return;
  const std::int64_t places = std::clamp<std::int64_t>(f.entries / (16 * sampled_entries), 1, sample_places);
  const std::int64_t size = std::min(sampled_entries, f.entries);
  std::vector<std::array<std::int64_t, 2>> found(static_cast<std::size_t>(places));
  parallel_pieces(places, places * size, [&](std::int64_t p) {
    const auto first = static_cast<std::size_t>(
        places == 1 ? (f.entries - size) / 2
                    : even_cut(f.entries - size, static_cast<int>(p), static_cast<int>(places - 1)));
    const auto columns = a.columns.subspan(first, static_cast<std::size_t>(size));
    distinct_numbers<Index> elements(columns.size());
    distinct_numbers<Index> lines(columns.size());
    for (const Index column : columns) {
      elements.add(column);
      lines.add(static_cast<Index>(column / line));
    }
    found[static_cast<std::size_t>(p)] = {elements.count(), lines.count()};
  });
  for (const auto& [elements, lines] : found) {
    f.elements_of_x += static_cast<double>(elements) / static_cast<double>(places * size);
    f.lines_of_x += static_cast<double>(lines) / static_cast<double>(places * size);
  }
}

}  // namespace

template <class Value, class Index> features features_of(const csr_view<Value, Index>& a, cpu::value_form form) {
  features f;
  f.rows = a.rows;
  f.cols = a.cols;
  f.entries = a.nnz();
  f.form = form;
  count_rows(a.row_offsets, cpu::slice_height<Value>, f);
  sample_slices(a, f);
  sample_x(a, f);
  return f;
}

#define LACIS_FEATURES(Value, Index) template features features_of(const csr_view<Value, Index>&, cpu::value_form);
LACIS_FOR_EACH_TYPE(LACIS_FEATURES)

}  // namespace lacis::detail

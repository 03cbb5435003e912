// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which layout a plan takes: a few features of the matrix and a simple rule.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/format.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "plan/layout.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {
namespace {

/// x is cut into pieces of this size, which stay near a core while a block of the matrix meets them.
constexpr std::int64_t piece_bytes = std::int64_t{8} << 20;
/// Columns of neighbouring rows within this distance are in or near the same lines of x.
constexpr std::int64_t near = 512;
constexpr std::int64_t sampled_rows = 4096;

/// What decides between the layouts.
struct features {
  std::int64_t short_entries = 0;  ///< in rows that the order sums from left to right
  std::int64_t long_rows = 0;
  std::int64_t slots = 0;  ///< of the short rows as SELL, padding included
};

/// Lengths of at most short_limit are counted window by window, so the slots are exact without building anything.
features features_of(std::span<const std::int64_t> offsets, std::int64_t height) {
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  constexpr std::int64_t limit = summation::canonical.short_limit;
  const std::int64_t windows = (rows + sort_window - 1) / sort_window;
  std::vector<features> parts(static_cast<std::size_t>(threads_for(rows)));
  on_threads(static_cast<int>(parts.size()), [&](int t, int threads) {
    features& mine = parts[static_cast<std::size_t>(t)];
    for (std::int64_t w = even_cut(windows, t, threads); w < even_cut(windows, t + 1, threads); ++w) {
      std::array<std::int64_t, static_cast<std::size_t>(limit) + 1> counts{};
      for (std::int64_t i = w * sort_window; i < std::min(rows, (w + 1) * sort_window); ++i) {
        const std::int64_t length = offsets[static_cast<std::size_t>(i + 1)] - offsets[static_cast<std::size_t>(i)];
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
        mine.slots += slices_begun * height * length;
        place += count;
      }
    }
  });
  return std::accumulate(parts.begin(), parts.end(), features{}, [](features a, const features& b) {
    return features{a.short_entries + b.short_entries, a.long_rows + b.long_rows, a.slots + b.slots};
  });
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return text(whole == 0 ? 0 : (200 * part + whole) / (2 * whole), " %");
}

/// Of the entries in a sample of short rows, how many are far from every column of the row above: x is read at random
/// there, and every read of a large x waits for memory.
template <class Value, class Index> double scattered_share(const csr_view<Value, Index>& a) {
  std::int64_t seen = 0;
  std::int64_t far = 0;
  const std::int64_t step = std::max<std::int64_t>(1, a.rows / sampled_rows);
  for (std::int64_t i = 1; i < a.rows; i += step) {
    const auto row = [&](std::int64_t r) {
      const auto first = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r)]);
      return a.columns.subspan(first, static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r + 1)]) - first);
    };
    const auto above = row(i - 1);
    if (static_cast<std::int64_t>(row(i).size()) > summation::canonical.short_limit) continue;
    for (const Index column : row(i)) {
      const auto next = std::lower_bound(above.begin(), above.end(), column);
      const bool close =
          (next != above.end() && *next - column <= near) || (next != above.begin() && column - *(next - 1) <= near);
      ++seen;
      far += close ? 0 : 1;
    }
  }
  return seen == 0 ? 0 : static_cast<double>(far) / static_cast<double>(seen);
}

/// Into how many ranges of columns short rows are cut: pieces of x that stay near a core, as long as a row has two
/// entries or more in each, so that its sum is not fetched and stored for too few.
template <class Value, class Index>
int blocks_for(const csr_view<Value, Index>& a, const features& f, const plan_options& options) {
  if (options.column_blocks > 0)
    return static_cast<int>(std::min<std::int64_t>(options.column_blocks, std::max<std::int64_t>(a.cols, 1)));
  const std::int64_t short_rows = a.rows - f.long_rows;
  const std::int64_t pieces = a.cols / (piece_bytes / static_cast<std::int64_t>(sizeof(Value)));
  const std::int64_t worth = short_rows == 0 ? 0 : f.short_entries / (2 * short_rows);
  const std::int64_t blocks = std::min({pieces, worth, std::int64_t{64}});
  return blocks >= 2 && scattered_share(a) > 0.5 ? static_cast<int>(blocks) : 1;
}

}  // namespace

/// SELL where it takes several rows at once and pads little: short rows hold a quarter of the entries or more, and
/// padding adds at most a quarter to them.
template <class Value, class Index>
layout_choice choose_layout(const csr_view<Value, Index>& a, const plan_options& options) {
  constexpr std::int64_t height = cpu::slice_height<Value>;
  const std::int64_t entries = a.nnz();
  const features f = features_of(a.row_offsets, height);
  const std::string facts =
      text(percent(f.short_entries, entries), " of the entries are in rows of at most ",
           summation::canonical.short_limit, ", which SELL-", height, " would pad by ",
           percent(f.slots - f.short_entries, f.short_entries), "; ", f.long_rows, " rows are longer");
  layout_choice choice;
  if (options.layout) {
    choice = {*options.layout != plan_layout::csr, 1, text(name_of(*options.layout), " was asked for: ", facts)};
  } else if (4 * f.short_entries < entries) {
    choice = {false, 1, text("CSR: ", facts, ", and those fill the lanes by themselves")};
  } else if (4 * (f.slots - f.short_entries) > f.short_entries) {
    choice = {false, 1, text("CSR: ", facts, ", and the padding would cost more than it gains")};
  } else {
    choice = {true, 1, text("SELL-", height, ": ", facts, f.long_rows > 0 ? " and kept apart as CSR" : "")};
  }
  if (choice.is_sell) choice.blocks = blocks_for(a, f, options);
  if (choice.blocks > 1)
    choice.reason += text(". x is large and read at random, so the columns are cut into ", choice.blocks, " ranges");
  return choice;
}

#define LACIS_CHOOSE(Value, Index) \
  template layout_choice choose_layout(const csr_view<Value, Index>&, const plan_options&);
LACIS_FOR_EACH_TYPE(LACIS_CHOOSE)

}  // namespace lacis::detail

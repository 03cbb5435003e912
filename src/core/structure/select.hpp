// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows and columns picked by lists: what permute and extract share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

#include <lacis/error.hpp>

#include "base/interruption.hpp"
#include "base/text.hpp"
#include "formats/row_sorter.hpp"
#include "formats/rows.hpp"

namespace lacis::detail {

/// Throws error(invalid_argument), naming the first bad position, unless every element is one of 0 .. size.
inline void require_within(std::span<const std::int64_t> list, std::int64_t size, std::string_view what) {
  std::atomic<bool> good{true};
  const auto outside = [&](std::int64_t element) { return element < 0 || element >= size; };
  parallel_ranges(static_cast<std::int64_t>(list.size()), [&](std::int64_t begin, std::int64_t end) {
    if (std::any_of(list.begin() + begin, list.begin() + end, outside)) good.store(false, std::memory_order_relaxed);
  });
  if (good) return;
  const auto bad = std::find_if(list.begin(), list.end(), outside);
  throw error(errc::invalid_argument, text("position ", bad - list.begin(), " of the list of ", what, " is ", *bad,
                                           ", but the matrix has ", size, ' ', what));
}

/// At which position of the list each of 0 .. size stands, -1 for those that do not. Throws error(invalid_argument),
/// naming the first bad position, when an element is outside or repeats an earlier one.
template <index Index>
buffer<Index> positions_in(std::span<const std::int64_t> list, std::int64_t size, std::string_view what) {
  require_within(list, size, what);
  buffer<Index> positions(size);
  parallel_for(size, [&](std::int64_t j) { positions[j] = -1; });
  std::atomic<bool> repeats{false};
  parallel_for(static_cast<std::int64_t>(list.size()), [&](std::int64_t k) {
    const std::atomic_ref<Index> position(positions[list.data()[k]]);
    if (position.exchange(static_cast<Index>(k), std::memory_order_relaxed) != -1)
      repeats.store(true, std::memory_order_relaxed);
  });
  if (!repeats) return positions;
  std::fill(positions.begin(), positions.end(), Index{-1});
  std::int64_t k = 0;
  while (positions[list.data()[k]] == -1) {
    positions[list.data()[k]] = static_cast<Index>(k);
    ++k;
  }
  throw error(errc::invalid_argument,
              text("position ", k, " of the list of ", what, " is ", list.data()[k], " again (", "as position ",
                   positions[list.data()[k]], " is); ", what, " may not repeat"));
}

/// Which columns a selection takes.
template <index Index> struct column_choice {
  std::int64_t cols = 0;            ///< of the result
  std::span<const Index> position;  ///< by column of A: its column in the result, or -1; empty means all, as they are
  bool ascending = true;            ///< positions ascend, so rows keep their order
};

/// Row i of the result is row source(i) of A, with the chosen columns; sorted when they are not taken in their order.
template <value Value, index Index, class Source>
csr_matrix<Value, Index> select(const csr_view<Value, Index>& a, std::int64_t rows, Source&& source,
                                const column_choice<Index>& choice) {
  const std::int64_t* offsets = a.row_offsets.data();
  const Index* position = choice.position.data();
  const bool drops = !choice.position.empty() && choice.cols < a.cols;

  buffer<std::int64_t> source_offsets(rows + 1);
  parallel_for(rows, [&](std::int64_t i) {
    const std::int64_t row = source(i);
    source_offsets[i] = offsets[row + 1] - offsets[row];
  });
  counts_to_offsets(source_offsets);

  auto result = with_row_lengths<Value, Index>(rows, choice.cols, a.values, source_offsets, [&](std::int64_t i) {
    const std::int64_t row = source(i);
    if (!drops) return offsets[row + 1] - offsets[row];
    return std::count_if(a.columns.data() + offsets[row], a.columns.data() + offsets[row + 1],
                         [&](Index j) { return position[j] >= 0; });
  });
  const stop_check stop;
  parallel_rows(source_offsets, [&](std::int64_t first, std::int64_t last) {
    row_sorter<Value, Index> sorter;
    for (std::int64_t i = first; i < last; ++i) {
      stop.at(i);
      const std::int64_t row = source(i);
      row_writer<Value, Index> out(result, i);
      for (std::int64_t k = offsets[row]; k < offsets[row + 1]; ++k) {
        const Index column = choice.position.empty() ? a.columns.data()[k] : position[a.columns.data()[k]];
        if (column >= 0) out.put(column, a.values[k]);
      }
      const std::int64_t begin = result.row_offsets[i];
      const std::int64_t end = result.row_offsets[i + 1];
      if (!choice.ascending)
        sorter.sort(result.columns.data() + begin, result.values.iso ? nullptr : result.values.data.data() + begin,
                    end - begin);
    }
  });
  return result;
}

}  // namespace lacis::detail

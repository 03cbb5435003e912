// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows made canonical in place: sorted by column, entries of one place merged.
#include <algorithm>
#include <limits>
#include <vector>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "formats/assemble.hpp"
#include "formats/row_sorter.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

/// The value of a run of entries at one place.
template <value Value>
Value merge_run(const values_array<Value>& values, std::int64_t begin, std::int64_t end, duplicates rule) {
  if (rule == duplicates::keep_last) return values[end - 1];
  Value merged = values[begin];
  if (rule == duplicates::sum)
    for (std::int64_t k = begin + 1; k < end; ++k) merged += values[k];
  return merged;
}

/// Copies the rows of `a`, with `unique` entries in each, merging runs of equal columns.
template <value Value, index Index>
void merge_rows(csr_matrix<Value, Index>& a, buffer<std::int64_t> unique_offsets, duplicates rule) {
  const std::int64_t total = unique_offsets[a.rows];
  const bool keeps_iso = a.values.iso && rule != duplicates::sum;
  buffer<Index> columns(total);
  values_array<Value> values = keeps_iso ? values_array<Value>(a.values.view()) : values_array<Value>(total);
  const stop_check stop;
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    const summation::rounding_guard guard;
    for (std::int64_t i = first; i < last; ++i) {
      stop.at(i);
      std::int64_t slot = unique_offsets[i];
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1];) {
        std::int64_t end = k + 1;
        while (end < a.row_offsets[i + 1] && a.columns[end] == a.columns[k]) ++end;
        columns[slot] = a.columns[k];
        if (!keeps_iso) values.data[slot] = merge_run(a.values, k, end, rule);
        ++slot;
        k = end;
      }
    }
  });
  a.row_offsets = std::move(unique_offsets);
  a.columns = std::move(columns);
  a.values = std::move(values);
}

}  // namespace

template <value Value, index Index> std::int64_t make_canonical(csr_matrix<Value, Index>& a, duplicates rule) {
  const std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> repeats;       // by thread
  std::vector<std::int64_t> first_repeat;  // by thread: the entry that repeats the one before it
  const int threads = threads_for(a.nnz() + a.rows);
  repeats.assign(static_cast<std::size_t>(threads), 0);
  first_repeat.assign(static_cast<std::size_t>(threads), none);
  const stop_check stop;
  on_threads(threads, [&](int t, int parts) {
    row_sorter<Value, Index> sorter;
    const std::int64_t last = balanced_cut(a.row_offsets, t + 1, parts);
    for (std::int64_t i = balanced_cut(a.row_offsets, t, parts); i < last; ++i) {
      stop.at(i);
      const std::int64_t begin = a.row_offsets[i];
      const std::int64_t end = a.row_offsets[i + 1];
      Index* columns = a.columns.data();
      if (!std::is_sorted(columns + begin, columns + end))
        sorter.sort(columns + begin, a.values.iso ? nullptr : a.values.data.data() + begin, end - begin);
      for (std::int64_t k = begin + 1; k < end; ++k)
        if (columns[k] == columns[k - 1]) {
          ++repeats[static_cast<std::size_t>(t)];
          first_repeat[static_cast<std::size_t>(t)] = std::min(first_repeat[static_cast<std::size_t>(t)], k);
        }
    }
  });
  std::int64_t merged = 0;
  for (const std::int64_t count : repeats) merged += count;
  if (merged == 0) return 0;

  if (rule == duplicates::reject) {
    const std::int64_t entry = *std::min_element(first_repeat.begin(), first_repeat.end());
    const auto row = std::upper_bound(a.row_offsets.begin(), a.row_offsets.end(), entry) - a.row_offsets.begin() - 1;
    throw error(errc::invalid_matrix, text("row ", row, " has column ", static_cast<std::int64_t>(a.columns[entry]),
                                           " more than once; sum or drop duplicates first"));
  }
  buffer<std::int64_t> unique(a.rows + 1);
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t count = a.row_offsets[i] < a.row_offsets[i + 1] ? 1 : 0;
      for (std::int64_t k = a.row_offsets[i] + 1; k < a.row_offsets[i + 1]; ++k)
        count += a.columns[k] != a.columns[k - 1] ? 1 : 0;
      unique[i] = count;
    }
  });
  counts_to_offsets(unique);
  merge_rows(a, std::move(unique), rule);
  return merged;
}

#define LACIS_MAKE_CANONICAL(Value, Index) template std::int64_t make_canonical(csr_matrix<Value, Index>&, duplicates);
LACIS_FOR_EACH_TYPE(LACIS_MAKE_CANONICAL)

}  // namespace lacis::detail

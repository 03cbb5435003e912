// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cutting long rows at the chunks of their sums.
#include "mpi/long_rows.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "mpi/processes.hpp"
#include "mpi/rows.hpp"
#include "summation/environment.hpp"
#include "summation/sum.hpp"

namespace lacis::dist {
namespace {

constexpr std::int64_t chunk = summation::canonical.chunk;

/// The first chunk of a row of so many entries that process `rank` sums.
std::int64_t first_chunk(std::int64_t entries, int rank, int processes) {
  return lacis::detail::even_cut(summation::chunks_of(entries, chunk), rank, processes);
}

std::int64_t first_entry(std::int64_t entries, int rank, int processes) {
  return std::min(first_chunk(entries, rank, processes) * chunk, entries);
}

}  // namespace

template <value T> long_rows<T> long_rows<T>::cut_from(distributed_csr<T>& a, std::int64_t longest) {
  const processes& group = *a.group;
  const auto& offsets = a.local.row_offsets;
  std::vector<std::int64_t> own;
  std::vector<std::int64_t> own_lengths;
  for (std::int64_t i = 0; i < a.local.rows; ++i)
    if (offsets[i + 1] - offsets[i] > longest) {
      own.push_back(i);
      own_lengths.push_back(offsets[i + 1] - offsets[i]);
    }
  const std::vector<std::int64_t> lengths = group.collect(own_lengths);
  long_rows cut;
  if (lengths.empty()) return cut;

  // Each process's entries of each row of ours; rows of other owners come before and behind, as their owners do.
  std::vector<std::int64_t> counts(static_cast<std::size_t>(group.size()), 0);
  std::vector<std::int64_t> columns;
  std::vector<T> values;
  for (int rank = 0; rank < group.size(); ++rank)
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::int64_t begin = offsets[own[k]] + first_entry(own_lengths[k], rank, group.size());
      const std::int64_t end = offsets[own[k]] + first_entry(own_lengths[k], rank + 1, group.size());
      counts[static_cast<std::size_t>(rank)] += end - begin;
      for (std::int64_t e = begin; e < end; ++e) {
        columns.push_back(a.column(a.local.columns[e]));
        if (!a.local.values.iso) values.push_back(a.local.values.data[e]);
      }
    }
  const auto my_columns = exchange<std::int64_t>(group, columns, counts);
  const bool iso = a.local.values.iso;
  const auto my_values = iso ? arrived<T>{} : exchange<T>(group, values, counts);

  // The rows that remain with those pieces behind them, so that one order of columns serves both.
  spread_rows<T, std::int64_t> both{a.group, a.row_ranges, a.col_ranges, {}};
  const std::int64_t rows = a.local.rows;
  auto& all = both.rows;
  all.rows = rows + static_cast<std::int64_t>(lengths.size());
  all.row_offsets = buffer<std::int64_t>(all.rows + 1);
  all.row_offsets[0] = 0;
  auto next = own.begin();
  for (std::int64_t i = 0; i < rows; ++i) {
    const bool is_long = next != own.end() && *next == i;
    if (is_long) ++next;
    all.row_offsets[i + 1] = all.row_offsets[i] + (is_long ? 0 : offsets[i + 1] - offsets[i]);
  }
  const std::int64_t kept = all.row_offsets[rows];
  const std::int64_t before = group.sum_before(static_cast<std::int64_t>(own.size()));
  std::int64_t begin = 0;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const auto number = static_cast<std::int64_t>(k) - before;
    const bool is_own = number >= 0 && number < static_cast<std::int64_t>(own.size());
    const std::int64_t first = first_chunk(lengths[k], group.rank(), group.size());
    const std::int64_t last = first_chunk(lengths[k], group.rank() + 1, group.size());
    cut.rows_.push_back({is_own ? own[static_cast<std::size_t>(number)] : -1, lengths[k], first, last, begin});
    begin +=
        first_entry(lengths[k], group.rank() + 1, group.size()) - first_entry(lengths[k], group.rank(), group.size());
    all.row_offsets[rows + static_cast<std::int64_t>(k) + 1] = kept + begin;
  }
  all.columns = buffer<std::int64_t>(kept + begin);
  all.values = iso ? a.local.values : values_array<T>(kept + begin);
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t count = all.row_offsets[i + 1] - all.row_offsets[i];
    for (std::int64_t e = 0; e < count; ++e) {
      all.columns[all.row_offsets[i] + e] = a.column(a.local.columns[offsets[i] + e]);
      if (!iso) all.values.data[all.row_offsets[i] + e] = a.local.values.data[offsets[i] + e];
    }
  }
  std::copy(my_columns.data.begin(), my_columns.data.end(), all.columns.data() + kept);
  if (!iso) std::copy(my_values.data.begin(), my_values.data.end(), all.values.data.data() + kept);
  auto parts = std::move(a.parts);
  a = with_ghosts(std::move(both));
  a.parts = std::move(parts);

  cut.columns_ = buffer<std::int32_t>(std::span<const std::int32_t>(a.local.columns)
                                          .subspan(static_cast<std::size_t>(kept), static_cast<std::size_t>(begin)));
  cut.values_ =
      iso ? a.local.values
          : values_array<T>(buffer<T>(std::span<const T>(a.local.values.data)
                                          .subspan(static_cast<std::size_t>(kept), static_cast<std::size_t>(begin))));
  a.local.rows = rows;
  a.local.row_offsets = buffer<std::int64_t>(
      std::span<const std::int64_t>(a.local.row_offsets).first(static_cast<std::size_t>(rows) + 1));
  a.local.columns =
      buffer<std::int32_t>(std::span<const std::int32_t>(a.local.columns).first(static_cast<std::size_t>(kept)));
  if (!iso)
    a.local.values =
        values_array<T>(buffer<T>(std::span<const T>(a.local.values.data).first(static_cast<std::size_t>(kept))));
  return cut;
}

template <value T> void long_rows<T>::multiply(const T* x, std::span<T> y, spread_space<T>& space) const {
  if (rows_.empty()) return;
  std::vector<summation::node_range<T>> sums;
  for (const long_row& one : rows_) {
    const std::int64_t skipped = one.first * chunk;
    const auto step = [&](T sum, std::int64_t k) {
      const std::int64_t at = one.begin + k - skipped;
      return summation::add(sum, summation::multiply(values_[at], x[columns_[at]]));
    };
    std::vector<T> leaves(static_cast<std::size_t>(one.last - one.first));
    lacis::detail::parallel_ranges(one.last - one.first, [&](std::int64_t begin, std::int64_t end) {
      const summation::rounding_guard guard;
      for (std::int64_t c = begin; c < end; ++c) {
        const std::int64_t first = (one.first + c) * chunk;
        leaves[static_cast<std::size_t>(c)] =
            summation::sum_of_chunk<T>(first, std::min(first + chunk, one.entries), step, summation::canonical.lanes);
      }
    });
    const summation::rounding_guard guard;
    sums.emplace_back(one.first);
    for (const T& leaf : leaves) sums.back().append(leaf);
  }
  const summation::rounding_guard guard;
  space.join(sums);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (rows_[k].own >= 0) y[static_cast<std::size_t>(rows_[k].own)] = sums[k].total();
}

template <value T> std::int64_t long_rows<T>::storage_bytes() const {
  return columns_.size() * 4 + values_.data.size() * static_cast<std::int64_t>(sizeof(T));
}

template <value T> std::string long_rows<T>::explain() const {
  return lacis::detail::text(rows_.size(), " long rows are summed by all processes, here ", columns_.size(),
                             " of their entries.");
}

template class long_rows<float>;
template class long_rows<double>;
template class long_rows<std::complex<float>>;
template class long_rows<std::complex<double>>;

}  // namespace lacis::dist

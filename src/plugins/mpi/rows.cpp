// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows under their ranges: evened out, and their columns numbered.
#include "mpi/rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>
#include <lacis/validate.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "mpi/column_set.hpp"

namespace lacis {
namespace dist {

std::vector<std::int64_t> even_ranges(std::int64_t rows, int processes) {
  const std::int64_t chunks = (rows + rows_in_chunk - 1) / rows_in_chunk;
  return cut_rows(rows, std::vector<std::int64_t>(static_cast<std::size_t>(chunks), 1), {}, processes);
}

template <value T, index Index> distributed_csr<T> with_ghosts(spread_rows<T, Index> given) {
  const auto rank = static_cast<std::size_t>(given.group->rank());
  const std::int64_t first = given.col_ranges[rank];
  const std::int64_t last = given.col_ranges[rank + 1];
  column_set others(given.col_ranges.back());
  for (const Index column : given.rows.columns)
    if (column < first || column >= last) others.add(column);
  const std::int64_t ghosts = others.number();
  if (last - first + ghosts > std::numeric_limits<std::int32_t>::max())
    throw error(errc::overflow, detail::text("would own ", last - first, " columns and use ", ghosts,
                                             " of others, more than 32 bits can number; use more processes"));
  distributed_csr<T> made;
  made.ghosts = others.list();
  made.ghosts_before = std::lower_bound(made.ghosts.begin(), made.ghosts.end(), first) - made.ghosts.begin();
  const std::int64_t before = made.ghosts_before;
  const auto number = [&](std::int64_t column) {
    if (column >= first && column < last) return before + column - first;
    const std::int64_t ghost = others.number_of(column);
    return ghost < before ? ghost : ghost + (last - first);
  };
  csr_matrix<T, Index>& rows = given.rows;
  made.local = {rows.rows, last - first + ghosts, std::move(rows.row_offsets), {}, std::move(rows.values)};
  if constexpr (sizeof(Index) == sizeof(std::int32_t)) {
    detail::parallel_for(rows.columns.size(),
                         [&](std::int64_t k) { rows.columns[k] = static_cast<Index>(number(rows.columns[k])); });
    made.local.columns = std::move(rows.columns);
  } else {
    made.local.columns = buffer<std::int32_t>(rows.columns.size());
    detail::parallel_for(rows.columns.size(), [&](std::int64_t k) {
      made.local.columns[k] = static_cast<std::int32_t>(number(rows.columns[k]));
    });
  }
  made.group = std::move(given.group);
  made.row_ranges = std::move(given.row_ranges);
  made.col_ranges = std::move(given.col_ranges);
  return made;
}

template <value T, index Index>
std::vector<std::int64_t> balanced_ranges(const spread_rows<T, Index>& given, std::span<const std::int64_t> parts) {
  const std::vector<std::int64_t> weights = given.group->collect(weights_of_chunks(given.rows.row_offsets));
  return cut_rows(given.row_ranges.back(), weights, parts, given.group->size());
}

template <value T, index Index>
spread_rows<T, Index> moved(spread_rows<T, Index> given, std::vector<std::int64_t> row_ranges) {
  if (row_ranges == given.row_ranges) return given;
  const processes& group = *given.group;
  const auto processes_count = static_cast<std::size_t>(group.size());
  const std::int64_t first = given.row_ranges[static_cast<std::size_t>(group.rank())];
  csr_matrix<T, Index>& mine = given.rows;
  const bool iso = mine.values.iso;
  std::vector<std::int64_t> rows_to(processes_count, 0);
  std::vector<std::int64_t> entries_to(processes_count, 0);
  for (std::size_t k = 0; k < processes_count; ++k) {
    const std::int64_t begin = std::clamp<std::int64_t>(row_ranges[k] - first, 0, mine.rows);
    const std::int64_t end = std::clamp<std::int64_t>(row_ranges[k + 1] - first, 0, mine.rows);
    rows_to[k] = end - begin;
    entries_to[k] = mine.row_offsets[end] - mine.row_offsets[begin];
  }
  // The lengths of rows go first; from them the offsets are made anew.
  buffer<std::int64_t> lengths(mine.rows);
  for (std::int64_t i = 0; i < mine.rows; ++i) lengths[i] = mine.row_offsets[i + 1] - mine.row_offsets[i];
  const auto new_lengths = exchange<std::int64_t>(group, lengths, rows_to);
  auto columns = exchange<Index>(group, mine.columns, entries_to);
  csr_matrix<T, Index> rows{new_lengths.data.size(),
                            mine.cols,
                            buffer<std::int64_t>(new_lengths.data.size() + 1),
                            std::move(columns.data),
                            {}};
  rows.row_offsets[0] = 0;
  for (std::int64_t i = 0; i < rows.rows; ++i) rows.row_offsets[i + 1] = rows.row_offsets[i] + new_lengths.data[i];
  if (iso)
    rows.values = std::move(mine.values);
  else
    rows.values = values_array<T>(std::move(exchange<T>(group, mine.values.data, entries_to).data));
  given.rows = std::move(rows);
  given.row_ranges = std::move(row_ranges);
  return given;
}

template <value T>
arrived<entry<T>> to_owners(const processes& group, std::span<const std::int64_t> row_ranges,
                            std::span<const entry<T>> entries) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(group.size()), 0);
  for (const entry<T>& one : entries) ++counts[static_cast<std::size_t>(owner_of(row_ranges, one.row))];
  std::vector<std::int64_t> next(counts.size(), 0);
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::int64_t{0});
  buffer<entry<T>> sorted(static_cast<std::int64_t>(entries.size()));
  for (const entry<T>& one : entries) sorted[next[static_cast<std::size_t>(owner_of(row_ranges, one.row))]++] = one;
  return exchange<entry<T>>(group, sorted, counts);
}

template <value T>
csr_matrix<T, std::int64_t> rows_of(std::span<const entry<T>> entries, row_range own, std::int64_t cols) {
  const auto count = static_cast<std::int64_t>(entries.size());
  csr_matrix<T, std::int64_t> rows{own.last - own.first, cols, buffer<std::int64_t>(own.last - own.first + 1, 0),
                                   buffer<std::int64_t>(count), values_array<T>(count)};
  for (const entry<T>& one : entries) ++rows.row_offsets[one.row - own.first + 1];
  for (std::int64_t i = 0; i < rows.rows; ++i) rows.row_offsets[i + 1] += rows.row_offsets[i];
  buffer<std::int64_t> next(rows.rows);
  std::copy_n(rows.row_offsets.data(), rows.rows, next.data());
  for (const entry<T>& one : entries) {
    const std::int64_t at = next[one.row - own.first]++;
    rows.columns[at] = one.column;
    rows.values.data[at] = one.value;
  }
  return rows;
}

}  // namespace dist

template <value T> std::int64_t distributed_csr<T>::nnz() const { return group->sum(local.nnz()); }
template <value T> row_range distributed_csr<T>::own_rows() const {
  const auto rank = static_cast<std::size_t>(group->rank());
  return {row_ranges[rank], row_ranges[rank + 1]};
}
template <value T> row_range distributed_csr<T>::own_cols() const {
  const auto rank = static_cast<std::size_t>(group->rank());
  return {col_ranges[rank], col_ranges[rank + 1]};
}

row_range even_rows(MPI_Comm communicator, std::int64_t rows) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  const auto ranges = dist::even_ranges(rows, size);
  return {ranges[static_cast<std::size_t>(rank)], ranges[static_cast<std::size_t>(rank) + 1]};
}

namespace {

/// One value for all entries is one for all processes; otherwise each spells its own out.
template <value T, index Index>
void require_one_kind_of_values(const dist::processes& group, csr_matrix<T, Index>& mine) {
  T first = mine.values.iso ? mine.values.data[0] : T(0);
  group.broadcast(std::as_writable_bytes(std::span<T>(&first, 1)), 0);
  const bool is_same = mine.values.iso && mine.values.data[0] == first;
  if (group.all(is_same) || !mine.values.iso) return;
  mine.values = values_array<T>(buffer<T>(mine.nnz(), mine.values.data[0]));
}

}  // namespace

template <value T, index Index>
distributed_csr<T> dist::distribute_rows(std::shared_ptr<const processes> group, std::int64_t rows,
                                         csr_matrix<T, Index> mine, const distribute_options& options) {
  group->require_same("distribute()", {{"number of rows", static_cast<std::uint64_t>(rows)},
                                       {"type of values", sizeof(T) * 2 + (is_complex<T> ? 1 : 0)},
                                       {"type of columns", sizeof(Index)},
                                       {"list of parts", number_of(options.parts)},
                                       {"options.by_entries", options.by_entries ? 1U : 0U}});
  spread_rows<T, Index> given;
  given.group = std::move(group);
  given.row_ranges = even_ranges(rows, given.group->size());
  const auto rank = static_cast<std::size_t>(given.group->rank());
  const std::int64_t expected = given.row_ranges[rank + 1] - given.row_ranges[rank];
  if (mine.rows != expected)
    throw error(errc::invalid_argument, lacis::detail::text("brings ", mine.rows, " rows of ", rows,
                                                            " and should bring ", expected, "; see even_rows()"));
  require_valid(mine);
  if (!is_canonical(mine)) mine = canonical(mine);
  require_one_kind_of_values(*given.group, mine);
  const std::int64_t cols = given.group->most(mine.cols);
  given.rows = std::move(mine);
  if (options.by_entries || !options.parts.empty()) {
    auto ranges = balanced_ranges(given, options.parts);
    given = moved(std::move(given), std::move(ranges));
  }
  given.col_ranges = cols == rows ? given.row_ranges : even_ranges(cols, given.group->size());
  auto made = with_ghosts(std::move(given));
  made.parts = options.parts;
  return made;
}

template <value T, index Index>
distributed_csr<T> distribute(MPI_Comm communicator, std::int64_t rows, csr_matrix<T, Index> mine,
                              const distribute_options& options) {
  const auto group = std::make_shared<const dist::processes>(communicator);
  return group->together([&] { return dist::distribute_rows(group, rows, std::move(mine), options); });
}

namespace {

template <value T> csr_matrix<T, std::int64_t> collected(const distributed_csr<T>& a) {
  const dist::processes& group = *a.group;
  group.require_same("collect()", {});
  const auto size = static_cast<std::size_t>(group.size());
  // Everything to everybody: each process sends its rows as many times as there are processes.
  const auto to_all = [&]<class U>(std::span<const U> mine) {
    buffer<U> copies(static_cast<std::int64_t>(mine.size() * size));
    for (std::size_t k = 0; k < size; ++k)
      std::copy(mine.begin(), mine.end(), copies.data() + static_cast<std::int64_t>(k * mine.size()));
    return dist::exchange<U>(group, copies, std::vector<std::int64_t>(size, static_cast<std::int64_t>(mine.size())));
  };
  buffer<std::int64_t> lengths(a.local.rows);
  for (std::int64_t i = 0; i < a.local.rows; ++i) lengths[i] = a.local.row_offsets[i + 1] - a.local.row_offsets[i];
  buffer<std::int64_t> columns(a.local.nnz());
  for (std::int64_t k = 0; k < columns.size(); ++k) columns[k] = a.column(a.local.columns[k]);
  csr_matrix<T, std::int64_t> whole{a.rows(), a.cols(), buffer<std::int64_t>(a.rows() + 1), {}, {}};
  const auto all_lengths = to_all(std::span<const std::int64_t>(lengths));
  whole.row_offsets[0] = 0;
  for (std::int64_t i = 0; i < a.rows(); ++i) whole.row_offsets[i + 1] = whole.row_offsets[i] + all_lengths.data[i];
  whole.columns = std::move(to_all(std::span<const std::int64_t>(columns)).data);
  if (a.local.values.iso)
    whole.values = a.local.values;
  else
    whole.values = values_array<T>(std::move(to_all(std::span<const T>(a.local.values.data)).data));
  return whole;
}

}  // namespace

template <value T> csr_matrix<T, std::int64_t> collect(const distributed_csr<T>& a) {
  return a.group->together([&] { return collected(a); });
}

#define LACIS_INSTANTIATE_INDEX(T, Index)                                                                   \
  template distributed_csr<T> dist::with_ghosts(dist::spread_rows<T, Index>);                               \
  template dist::spread_rows<T, Index> dist::moved(dist::spread_rows<T, Index>, std::vector<std::int64_t>); \
  template std::vector<std::int64_t> dist::balanced_ranges(const dist::spread_rows<T, Index>&,              \
                                                           std::span<const std::int64_t>);                  \
  template distributed_csr<T> dist::distribute_rows(std::shared_ptr<const dist::processes>, std::int64_t,   \
                                                    csr_matrix<T, Index>, const distribute_options&);       \
  template LACIS_API distributed_csr<T> distribute(MPI_Comm, std::int64_t, csr_matrix<T, Index>,            \
                                                   const distribute_options&);
#define LACIS_INSTANTIATE(T)                                                                                    \
  template LACIS_API std::int64_t distributed_csr<T>::nnz() const;                                              \
  template LACIS_API row_range distributed_csr<T>::own_rows() const;                                            \
  template LACIS_API row_range distributed_csr<T>::own_cols() const;                                            \
  template LACIS_API csr_matrix<T, std::int64_t> collect(const distributed_csr<T>&);                            \
  template dist::arrived<dist::entry<T>> dist::to_owners(const dist::processes&, std::span<const std::int64_t>, \
                                                         std::span<const dist::entry<T>>);                      \
  template csr_matrix<T, std::int64_t> dist::rows_of(std::span<const dist::entry<T>>, row_range, std::int64_t); \
  LACIS_INSTANTIATE_INDEX(T, std::int32_t)                                                                      \
  LACIS_INSTANTIATE_INDEX(T, std::int64_t)
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis

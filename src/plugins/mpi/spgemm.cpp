// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of two distributed matrices: the rows of B that a process's rows of A name are fetched.
#include <algorithm>
#include <numeric>

#include <lacis/error.hpp>
#include <lacis/spgemm.hpp>

#include "base/text.hpp"
#include "mpi/column_set.hpp"
#include "mpi/exchange.hpp"
#include "mpi/rows.hpp"

namespace lacis {
namespace dist {

template <value T> csr_matrix<T, std::int64_t> rows_for(const distributed_csr<T>& a, const distributed_csr<T>& b) {
  const processes& group = *a.group;
  const auto lists = make_lists(group, a.col_ranges, a.ghosts);
  const auto& own = b.local;
  std::vector<std::int64_t> rows_to(static_cast<std::size_t>(group.size()), 0);
  std::vector<std::int64_t> entries_to(rows_to.size(), 0);
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> columns;
  std::vector<T> values;
  for (const auto& one : lists.out) {
    rows_to[static_cast<std::size_t>(one.rank)] = one.count;
    const std::size_t before = columns.size();
    for (std::int64_t k = one.first; k < one.first + one.count; ++k) {
      const std::int64_t row = lists.elements[k];
      lengths.push_back(own.row_offsets[row + 1] - own.row_offsets[row]);
      for (std::int64_t e = own.row_offsets[row]; e < own.row_offsets[row + 1]; ++e) {
        columns.push_back(b.column(own.columns[e]));
        if (!own.values.iso) values.push_back(own.values.data[e]);
      }
    }
    entries_to[static_cast<std::size_t>(one.rank)] = static_cast<std::int64_t>(columns.size() - before);
  }
  const auto ghost_lengths = exchange<std::int64_t>(group, lengths, rows_to);
  const auto ghost_columns = exchange<std::int64_t>(group, columns, entries_to);
  const auto ghost_values = own.values.iso ? arrived<T>{} : exchange<T>(group, values, entries_to);

  // Ghost rows before, own rows, ghost rows behind: the order of A's columns.
  csr_matrix<T, std::int64_t> all{a.local.cols, b.cols(), buffer<std::int64_t>(a.local.cols + 1), {}, {}};
  const std::int64_t before = a.ghosts_before;
  const auto length_of = [&](std::int64_t row) {
    if (row < before) return ghost_lengths.data[row];
    if (row < before + own.rows) return own.row_offsets[row - before + 1] - own.row_offsets[row - before];
    return ghost_lengths.data[row - own.rows];
  };
  all.row_offsets[0] = 0;
  for (std::int64_t row = 0; row < all.rows; ++row) all.row_offsets[row + 1] = all.row_offsets[row] + length_of(row);
  const std::int64_t entries = all.row_offsets[all.rows];
  const std::int64_t entries_before = all.row_offsets[before];
  const std::int64_t own_end = all.row_offsets[before + own.rows];
  all.columns = buffer<std::int64_t>(entries);
  std::copy_n(ghost_columns.data.data(), entries_before, all.columns.data());
  for (std::int64_t e = 0; e < own.nnz(); ++e) all.columns[entries_before + e] = b.column(own.columns[e]);
  std::copy_n(ghost_columns.data.data() + entries_before, entries - own_end, all.columns.data() + own_end);
  if (own.values.iso) {
    all.values = own.values;
  } else {
    all.values = values_array<T>(entries);
    std::copy_n(ghost_values.data.data(), entries_before, all.values.data.data());
    std::copy_n(own.values.data.data(), own.nnz(), all.values.data.data() + entries_before);
    std::copy_n(ghost_values.data.data() + entries_before, entries - own_end, all.values.data.data() + own_end);
  }
  return all;
}

template <value T> narrow_rows<T> narrowed(csr_matrix<T, std::int64_t> wide) {
  column_set used(wide.cols);
  for (const std::int64_t column : wide.columns) used.add(column);
  const std::int64_t count = used.number();
  if (count > std::numeric_limits<std::int32_t>::max())
    throw error(errc::overflow,
                "this rank's part of the product has more columns than 32 bits can number; use more ranks");
  csr_matrix<T, std::int32_t> narrow{wide.rows, count, std::move(wide.row_offsets),
                                     buffer<std::int32_t>(wide.columns.size()), std::move(wide.values)};
  for (std::int64_t e = 0; e < narrow.columns.size(); ++e)
    narrow.columns[e] = static_cast<std::int32_t>(used.number_of(wide.columns[e]));
  return {std::move(narrow), used.list()};
}

template <value T>
csr_matrix<T, std::int64_t> widened(csr_matrix<T, std::int32_t> rows, std::span<const std::int64_t> names,
                                    std::int64_t cols) {
  csr_matrix<T, std::int64_t> wide{rows.rows, cols, std::move(rows.row_offsets),
                                   buffer<std::int64_t>(rows.columns.size()), std::move(rows.values)};
  for (std::int64_t e = 0; e < wide.columns.size(); ++e)
    wide.columns[e] = names[static_cast<std::size_t>(rows.columns[e])];
  return wide;
}

}  // namespace dist

namespace {

template <value T> distributed_csr<T> product_of_rows(const distributed_csr<T>& a, const distributed_csr<T>& b) {
  a.group->require_same("multiply()", {});
  if (a.col_ranges != b.row_ranges)
    throw error(errc::invalid_argument,
                detail::text("the columns of A (", a.cols(), ") are not spread as the rows of B (", b.rows(),
                             "); make both on one communicator, B with distribute_options.by_entries = false where "
                             "their entries differ"));
  const dist::narrow_rows<T> narrow = dist::narrowed(dist::rows_for(a, b));
  dist::spread_rows<T, std::int64_t> made{a.group, a.row_ranges, b.col_ranges, {}};
  made.rows = dist::widened(lacis::multiply(a.local, narrow.rows), narrow.names, b.cols());
  return dist::with_ghosts(std::move(made));
}

}  // namespace

template <value T> distributed_csr<T> multiply(const distributed_csr<T>& a, const distributed_csr<T>& b) {
  return a.group->together([&] { return product_of_rows(a, b); });
}

#define LACIS_INSTANTIATE(T)                                                                                     \
  template csr_matrix<T, std::int64_t> dist::rows_for(const distributed_csr<T>&, const distributed_csr<T>&);     \
  template dist::narrow_rows<T> dist::narrowed(csr_matrix<T, std::int64_t>);                                     \
  template csr_matrix<T, std::int64_t> dist::widened(csr_matrix<T, std::int32_t>, std::span<const std::int64_t>, \
                                                     std::int64_t);                                              \
  template LACIS_API distributed_csr<T> multiply(const distributed_csr<T>&, const distributed_csr<T>&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis

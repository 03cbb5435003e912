// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The functions of one process on the rows that a rank has, after what they need of others was fetched.
#include "mpi/multigrid/transfer.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "mpi/column_set.hpp"
#include "mpi/rows.hpp"
#include "solve/multigrid/row_product.hpp"
#include "solve/multigrid/weak_part.hpp"

namespace lacis::dist {

std::vector<std::int64_t> ranges_of_nodes(std::int64_t rows, std::int64_t block, int ranks) {
  const std::int64_t piece = std::lcm(rows_in_chunk, block);
  std::vector<std::int64_t> ranges = even_ranges((rows + piece - 1) / piece * rows_in_chunk, ranks);
  for (std::int64_t& begin : ranges) begin = std::min(begin / rows_in_chunk * piece, rows);
  return ranges;
}

template <value T> distributed_csr<real_of<T>> symmetric_magnitudes(const distributed_csr<T>& a) {
  using real = real_of<T>;
  distributed_csr<real> sizes{a.group, a.row_ranges, a.col_ranges, {}, a.ghosts, a.ghosts_before, {}};
  sizes.local = {a.local.rows, a.local.cols, a.local.row_offsets, a.local.columns, values_array<real>(a.local.nnz())};
  for (std::int64_t k = 0; k < a.local.nnz(); ++k) sizes.local.values.data[k] = std::abs(a.local.values[k]);
  const auto with_names = [](distributed_csr<real> m) {
    buffer<std::int64_t> names(m.local.cols);
    for (std::int64_t j = 0; j < names.size(); ++j) names[j] = m.column(static_cast<std::int32_t>(j));
    return widened(std::move(m.local), names, m.cols());
  };
  auto transposed = transpose(sizes);
  spread_rows<real, std::int64_t> both{a.group, a.row_ranges, a.col_ranges, {}};
  both.rows = add(with_names(std::move(sizes)), with_names(std::move(transposed)));
  return with_ghosts(std::move(both));
}

template <value T> distributed_csr<real_of<T>> norms_of_blocks(const distributed_csr<T>& a, int block) {
  distributed_csr<real_of<T>> made;
  made.group = a.group;
  made.row_ranges = a.row_ranges;
  for (std::int64_t& begin : made.row_ranges) begin /= block;
  made.col_ranges = made.row_ranges;
  // Ghosts of one node are neighbours.
  std::vector<std::int64_t> ghosts;
  std::vector<std::int32_t> node_of_ghost;
  for (const std::int64_t ghost : a.ghosts) {
    if (ghosts.empty() || ghosts.back() != ghost / block) ghosts.push_back(ghost / block);
    node_of_ghost.push_back(static_cast<std::int32_t>(ghosts.size()) - 1);
  }
  made.ghosts = buffer<std::int64_t>(std::span<const std::int64_t>(ghosts));
  const row_range own = a.own_cols();
  made.ghosts_before = std::lower_bound(ghosts.begin(), ghosts.end(), own.first / block) - ghosts.begin();
  const std::int64_t own_rows = own.last - own.first;
  const auto node_of = [&](std::int64_t column) {
    if (column < a.ghosts_before) return static_cast<std::int64_t>(node_of_ghost[static_cast<std::size_t>(column)]);
    const std::int64_t place = column - a.ghosts_before;
    if (place < own_rows) return made.ghosts_before + place / block;
    return own_rows / block + node_of_ghost[static_cast<std::size_t>(column - own_rows)];
  };
  buffer<std::int32_t> columns(a.local.nnz());
  for (std::int64_t k = 0; k < columns.size(); ++k) columns[k] = static_cast<std::int32_t>(node_of(a.local.columns[k]));
  const csr_view<T, std::int32_t> by_nodes{a.local.rows, own_rows / block + made.ghosts.size(), a.local.row_offsets,
                                           columns, a.local.values.view()};
  constexpr int numbered_by_nodes = 1;
  made.local = multigrid::norms_of_blocks(by_nodes, block, numbered_by_nodes);
  return made;
}

template <value T>
multigrid::tentative<T> make_tentative(const processes& group, const spread_aggregates& nodes, int block,
                                       std::span<const T> space, std::int64_t width,
                                       std::span<const std::int64_t> ranges) {
  const auto rank = static_cast<std::size_t>(group.rank());
  multigrid::aggregates<std::int32_t> here;
  here.count = ranges[rank + 1] - ranges[rank];
  if (width == 1) return {1, buffer<T>(space), buffer<T>(here.count, T(1))};
  // The rows of an aggregate come to the rank that has it in their order, and go back.
  const std::int64_t numbers = block * width;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(group.size()), 0);
  for (const std::int64_t one : nodes.of)
    if (one >= 0) ++counts[static_cast<std::size_t>(owner_of(ranges, one))];
  std::vector<std::int64_t> next(counts.size(), 0);
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::int64_t{0});
  buffer<std::int64_t> place(nodes.of.size());  // where a node is in what is sent
  const std::int64_t sent_nodes = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  buffer<std::int64_t> names(sent_nodes);
  buffer<T> rows(sent_nodes * numbers);
  for (std::int64_t node = 0; node < nodes.of.size(); ++node) {
    if (nodes.of[node] < 0) continue;
    place[node] = next[static_cast<std::size_t>(owner_of(ranges, nodes.of[node]))]++;
    names[place[node]] = nodes.of[node];
    std::copy_n(space.data() + node * numbers, numbers, rows.data() + place[node] * numbers);
  }
  const auto come = exchange<std::int64_t>(group, names, counts);
  for (std::int64_t& count : counts) count *= numbers;
  const auto come_rows = exchange<T>(group, rows, counts);
  here.of = buffer<std::int32_t>(come.data.size());
  for (std::int64_t k = 0; k < here.of.size(); ++k) here.of[k] = static_cast<std::int32_t>(come.data[k] - ranges[rank]);
  auto made = multigrid::make_tentative<T, std::int32_t>(here, block, come_rows.data, width);
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = come_rows.begins[k + 1] - come_rows.begins[k];
  const auto back = exchange<T>(group, made.rows, counts);
  made.rows = buffer<T>(space);
  for (std::int64_t node = 0; node < nodes.of.size(); ++node)
    if (nodes.of[node] >= 0)
      std::copy_n(back.data.data() + place[node] * numbers, numbers, made.rows.data() + node * numbers);
  return made;
}

template <value T>
distributed_csr<T> smoothed_prolongator(const distributed_csr<T>& a, const spread_aggregates& nodes, int block,
                                        const multigrid::tentative<T>& p0, const multigrid::smoothing<T>& how,
                                        const std::vector<std::int64_t>& coarse) {
  const halo place(a);
  buffer<std::int64_t> of_own(a.local.rows);
  for (std::int64_t i = 0; i < of_own.size(); ++i) of_own[i] = nodes.of[i / block];
  const buffer<std::int64_t> of = place.with_ghosts<std::int64_t>(of_own);
  const multigrid::tentative<T> here{p0.width, place.with_ghosts<T>(p0.rows, p0.width), {}};
  // Aggregates that occur, numbered in their order.
  column_set used(nodes.count);
  for (const std::int64_t one : of)
    if (one >= 0) used.add(one);
  multigrid::aggregates<std::int32_t> narrow;
  narrow.count = used.number();
  if (narrow.count * p0.width > std::numeric_limits<std::int32_t>::max())
    throw error(errc::overflow, "amg: this rank's rows have more aggregates than 32 bits can number; use more ranks");
  narrow.of = buffer<std::int32_t>(of.size());
  for (std::int64_t j = 0; j < of.size(); ++j)
    narrow.of[j] = static_cast<std::int32_t>(of[j] < 0 ? of[j] : used.number_of(of[j]));
  constexpr int aggregates_of_rows = 1;
  auto p = multigrid::smoothed_prolongator(a.local.view(), narrow, aggregates_of_rows, here, how, place.first());
  const buffer<std::int64_t> list = used.list();
  buffer<std::int64_t> names(list.size() * p0.width);
  for (std::int64_t k = 0; k < names.size(); ++k) names[k] = list[k / p0.width] * p0.width + k % p0.width;
  return with_ghosts(
      spread_rows<T, std::int64_t>{a.group, a.row_ranges, coarse, widened(std::move(p), names, coarse.back())});
}

namespace {

template <value T> spread_rows<T, std::int64_t> product(const distributed_csr<T>& a, const distributed_csr<T>& b) {
  const narrow_rows<T> fetched_rows = narrowed(rows_for(a, b));
  return {a.group, a.row_ranges, b.col_ranges,
          widened(multigrid::product_in_order(a.local.view(), fetched_rows.rows.view()), fetched_rows.names, b.cols())};
}

/// A one on the diagonal of rows that are empty.
template <value T> void fill_empty_rows(csr_matrix<T, std::int64_t>& rows, std::int64_t first) {
  std::int64_t empty = 0;
  for (std::int64_t i = 0; i < rows.rows; ++i) empty += rows.row_offsets[i] == rows.row_offsets[i + 1] ? 1 : 0;
  if (empty == 0) return;
  csr_matrix<T, std::int64_t> filled{rows.rows, rows.cols, buffer<std::int64_t>(rows.rows + 1),
                                     buffer<std::int64_t>(rows.nnz() + empty), values_array<T>(rows.nnz() + empty)};
  std::int64_t to = 0;
  for (std::int64_t i = 0; i < rows.rows; ++i) {
    filled.row_offsets[i] = to;
    const std::int64_t begin = rows.row_offsets[i];
    const std::int64_t end = rows.row_offsets[i + 1];
    for (std::int64_t k = begin; k < end; ++k, ++to) {
      filled.columns[to] = rows.columns[k];
      filled.values.data[to] = rows.values[k];
    }
    if (begin != end) continue;
    filled.columns[to] = first + i;
    filled.values.data[to++] = T(1);
  }
  filled.row_offsets[rows.rows] = to;
  rows = std::move(filled);
}

}  // namespace

template <value T>
bool mark_weak_part(const distributed_csr<T>& a, const spread_aggregates& nodes, std::span<std::uint8_t> marks) {
  const halo place(a);
  const auto of = place.with_ghosts<std::int64_t>(nodes.of);
  const auto view = a.local.view();
  const auto own = multigrid::rows_that_part<T, std::int32_t, std::int64_t>(view, place.first(), marks, of);
  const auto may = place.with_ghosts<std::uint8_t>(own);
  const auto found = multigrid::mark_apart<T, std::int32_t>(view, place.first(), may, marks);
  return multigrid::is_worth_parting({a.group->sum(found.apart), a.group->sum(found.others)}, a.nnz());
}

template <value T>
distributed_csr<T> galerkin_product(const distributed_csr<T>& r, const distributed_csr<T>& a,
                                    const distributed_csr<T>& p) {
  auto made = product(r, with_ghosts(product(a, p)));
  fill_empty_rows(made.rows, r.own_rows().first);
  return with_ghosts(std::move(made));
}

template <value T>
distributed_csr<T> galerkin_product(const distributed_csr<T>& r, const distributed_csr<T>& a,
                                    const distributed_csr<T>& p, const spread_aggregates& nodes,
                                    std::span<const std::uint8_t> marks) {
  const auto view = a.local.view();
  const distributed_csr<T> rest{
      a.group, a.row_ranges, a.col_ranges, multigrid::rest_of(view, a.ghosts_before, marks), a.ghosts, a.ghosts_before,
      {}};
  auto made = product(r, with_ghosts(product(rest, p)));
  // What rows here add to rows of the next level that may be elsewhere.
  const auto of = halo(a).with_ghosts<std::int64_t>(nodes.of);
  std::vector<entry<T>> terms;
  for (std::int64_t i = 0; i < a.local.rows; ++i)
    if (nodes.of[i] >= 0)
      multigrid::each_weak_entry(view, a.ghosts_before, marks, i, [&](std::int32_t column, T value) {
        if (of[column] >= 0) terms.push_back({nodes.of[i], of[column], value});
      });
  const auto come = to_owners<T>(*a.group, r.row_ranges, terms);
  made.rows = add(made.rows, canonical(rows_of<T>(come.data, r.own_rows(), made.rows.cols)));
  fill_empty_rows(made.rows, r.own_rows().first);
  return with_ghosts(std::move(made));
}

#define LACIS_INSTANTIATE(T)                                                                                           \
  template distributed_csr<real_of<T>> symmetric_magnitudes(const distributed_csr<T>&);                                \
  template distributed_csr<real_of<T>> norms_of_blocks(const distributed_csr<T>&, int);                                \
  template multigrid::tentative<T> make_tentative(const processes&, const spread_aggregates&, int, std::span<const T>, \
                                                  std::int64_t, std::span<const std::int64_t>);                        \
  template distributed_csr<T> smoothed_prolongator(const distributed_csr<T>&, const spread_aggregates&, int,           \
                                                   const multigrid::tentative<T>&, const multigrid::smoothing<T>&,     \
                                                   const std::vector<std::int64_t>&);                                  \
  template bool mark_weak_part(const distributed_csr<T>&, const spread_aggregates&, std::span<std::uint8_t>);          \
  template distributed_csr<T> galerkin_product(const distributed_csr<T>&, const distributed_csr<T>&,                   \
                                               const distributed_csr<T>&);                                             \
  template distributed_csr<T> galerkin_product(const distributed_csr<T>&, const distributed_csr<T>&,                   \
                                               const distributed_csr<T>&, const spread_aggregates&,                    \
                                               std::span<const std::uint8_t>);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::dist

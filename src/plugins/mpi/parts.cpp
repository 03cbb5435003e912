// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Nested parts of a distributed matrix by PT-Scotch; rows and columns move to their new numbers.
#include "mpi/parts.hpp"

#include <algorithm>
#include <cstdio>

#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/text.hpp"
#include "mpi/exchange.hpp"
#include "mpi/rows.hpp"

#ifdef LACIS_HAS_PTSCOTCH
#include <ptscotch.h>
#endif

namespace lacis::dist {
namespace {

#ifdef LACIS_HAS_PTSCOTCH

/// The graph of A + A^T without loops, of this process's rows, with columns of the whole.
struct own_graph {
  std::vector<SCOTCH_Num> offsets;
  std::vector<SCOTCH_Num> neighbours;
  std::vector<SCOTCH_Num> weights;
};

template <value T> own_graph graph_of(const distributed_csr<T>& a, std::int64_t count) {
  const distributed_csr<T> across = transpose(a);
  own_graph graph;
  graph.offsets.push_back(0);
  // A row that outweighs a part cannot be cut: it counts for a sixteenth of one at most.
  const std::int64_t most = std::max<std::int64_t>(1, (a.rows() + a.nnz()) / count / 16);
  const std::int64_t first = a.own_rows().first;
  std::vector<std::int64_t> names;
  for (std::int64_t i = 0; i < a.local.rows; ++i) {
    names.clear();
    for (const distributed_csr<T>* side : std::initializer_list<const distributed_csr<T>*>{&a, &across})
      for (std::int64_t e = side->local.row_offsets[i]; e < side->local.row_offsets[i + 1]; ++e)
        names.push_back(side->column(side->local.columns[e]));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::int64_t name : names)
      if (name != first + i) graph.neighbours.push_back(static_cast<SCOTCH_Num>(name));
    graph.offsets.push_back(static_cast<SCOTCH_Num>(graph.neighbours.size()));
    graph.weights.push_back(
        static_cast<SCOTCH_Num>(std::min(1 + a.local.row_offsets[i + 1] - a.local.row_offsets[i], most)));
  }
  return graph;
}

/// The part of each of this process's rows.
std::vector<SCOTCH_Num> parts_of(const processes& group, own_graph graph, std::int64_t count) {
  // Processes without rows need arrays all the same.
  graph.neighbours.reserve(1);
  graph.weights.reserve(1);
  const auto rows = static_cast<SCOTCH_Num>(graph.offsets.size() - 1);
  const auto edges = static_cast<SCOTCH_Num>(graph.neighbours.size());
  std::vector<SCOTCH_Num> part(static_cast<std::size_t>(rows) + 1);
  SCOTCH_Dgraph whole;
  SCOTCH_Strat how;
  bool is_fine = SCOTCH_dgraphInit(&whole, group.communicator()) == 0 && SCOTCH_stratInit(&how) == 0;
  SCOTCH_randomReset();
  is_fine =
      is_fine &&
      SCOTCH_dgraphBuild(&whole, 0, rows, rows, graph.offsets.data(), graph.offsets.data() + 1, graph.weights.data(),
                         nullptr, edges, edges, graph.neighbours.data(), nullptr, nullptr) == 0 &&
      SCOTCH_stratDgraphMapBuild(&how, SCOTCH_STRATQUALITY | SCOTCH_STRATRECURSIVE, group.size(),
                                 static_cast<SCOTCH_Num>(count), 0.02) == 0 &&
      SCOTCH_dgraphPart(&whole, static_cast<SCOTCH_Num>(count), &how, part.data()) == 0;
  SCOTCH_stratExit(&how);
  SCOTCH_dgraphExit(&whole);
  if (!group.all(is_fine)) throw error(errc::unsupported, "PT-Scotch could not cut the graph");
  part.resize(static_cast<std::size_t>(rows));
  return part;
}

#endif

/// New numbers for this process's rows: by part, then in the order of before; and where parts begin.
template <class Part>
std::vector<std::int64_t> numbers_of(const processes& group, const std::vector<Part>& part, std::int64_t count,
                                     std::int64_t rows, std::vector<std::int64_t>& begins) {
  std::vector<std::int64_t> mine(static_cast<std::size_t>(count), 0);
  for (const Part p : part) ++mine[static_cast<std::size_t>(p)];
  std::vector<std::int64_t> sizes(mine.size());
  std::vector<std::int64_t> next(mine.size(), 0);
  group.sums(mine, sizes, next);
  begins = {0};
  std::int64_t before = 0;
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    next[p] += before;
    before += sizes[p];
    const std::int64_t nearest = (before + rows_in_chunk / 2) / rows_in_chunk * rows_in_chunk;
    if (p + 1 < sizes.size() && nearest > begins.back() && nearest < rows) begins.push_back(nearest);
  }
  begins.push_back(rows);
  std::vector<std::int64_t> number(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) number[i] = next[static_cast<std::size_t>(part[i])]++;
  return number;
}

/// The matrix in new numbers, each row at its new owner.
template <value T>
cut_matrix<T> reordered(const distributed_csr<T>& a, const std::vector<std::int64_t>& number,
                        std::vector<std::int64_t> parts) {
  const processes& group = *a.group;
  // Owners tell the new numbers of ghosts.
  const exchange_lists lists = make_lists(group, a.col_ranges, a.ghosts);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(group.size()), 0);
  std::vector<std::int64_t> told(static_cast<std::size_t>(lists.elements.size()));
  for (const auto& one : lists.out) counts[static_cast<std::size_t>(one.rank)] = one.count;
  for (std::size_t k = 0; k < told.size(); ++k)
    told[k] = number[static_cast<std::size_t>(lists.elements[static_cast<std::int64_t>(k)])];
  const auto of_ghosts = exchange<std::int64_t>(group, told, counts);
  const std::int64_t own = a.local.rows;
  const auto new_column = [&](std::int32_t column) {
    const std::int64_t at = column - a.ghosts_before;
    if (at >= 0 && at < own) return number[static_cast<std::size_t>(at)];
    return of_ghosts.data[at < 0 ? column : column - own];
  };
  buffer<entry<T>> entries(a.local.nnz());
  buffer<entry<double>> places(own);
  for (std::int64_t i = 0; i < own; ++i) {
    const std::int64_t row = number[static_cast<std::size_t>(i)];
    places[i] = {row, a.own_rows().first + i, 0};
    for (std::int64_t e = a.local.row_offsets[i]; e < a.local.row_offsets[i + 1]; ++e)
      entries[e] = {row, new_column(a.local.columns[e]), a.local.values[e]};
  }
  const auto even = even_ranges(a.rows(), group.size());
  const row_range mine = even_rows(group.communicator(), a.rows());
  const auto come = to_owners<T>(group, even, entries);
  auto rows = canonical(rows_of<T>(come.data, mine, a.cols()));
  if (a.local.values.iso) rows.values = a.local.values;
  cut_matrix<T> cut{distribute_rows(a.group, a.rows(), std::move(rows), {.parts = std::move(parts)}), {}};
  const auto old = to_owners<double>(group, cut.matrix.row_ranges, places);
  const std::int64_t first = cut.matrix.own_rows().first;
  cut.order.resize(static_cast<std::size_t>(old.data.size()));
  for (const auto& one : old.data) cut.order[static_cast<std::size_t>(one.row - first)] = one.column;
  return cut;
}

template <value T> cut_matrix<T> cut_rows_into_parts(const distributed_csr<T>& a, std::int64_t count) {
  a.group->require_same("cut_into_parts()", {{"number of parts", static_cast<std::uint64_t>(count)}});
  if (a.rows() != a.cols())
    throw error(errc::invalid_argument,
                lacis::detail::text("only a square matrix is cut into parts; this one is ", a.rows(), " x ", a.cols()));
  count = std::clamp<std::int64_t>(count, 1, std::max<std::int64_t>(1, a.rows() / rows_in_chunk));
  std::vector<std::int64_t> begins;
#ifdef LACIS_HAS_PTSCOTCH
  if (std::max(a.rows(), a.group->sum(2 * a.local.nnz())) > std::numeric_limits<SCOTCH_Num>::max())
    throw error(errc::overflow,
                "this build's PT-Scotch numbers fewer rows and entries than the matrix has; build with "
                "one of 64 bits");
  const auto part = parts_of(*a.group, graph_of(a, count), count);
  const auto number = numbers_of(*a.group, part, count, a.rows(), begins);
  return reordered(a, number, begins);
#else
  throw error(errc::unsupported,
              "this build has no PT-Scotch to cut with; build with -DLACIS_WITH_PTSCOTCH=ON, or cut with METIS in one "
              "process, without MPI");
#endif
}

template <value T> void write_rows(const std::filesystem::path& path, const cut_matrix<T>& cut) {
  const distributed_csr<T>& a = cut.matrix;
  const processes& group = *a.group;
  std::unique_ptr<csr_directory_writer<T, std::int64_t>> out;
  const bool is_first = group.rank() == 0;
  if (is_first) out = std::make_unique<csr_directory_writer<T, std::int64_t>>(path, a.rows(), a.cols());
  std::vector<std::int64_t> order;
  for (int turn = 0; turn < group.size(); ++turn) {
    // Everything of process `turn` to the first one, nothing of the others.
    const auto to_first = [&]<class U>(std::span<const U> mine) {
      std::vector<std::int64_t> counts(static_cast<std::size_t>(group.size()), 0);
      if (group.rank() == turn) counts[0] = static_cast<std::int64_t>(mine.size());
      return exchange<U>(group, mine, counts).data;
    };
    buffer<std::int64_t> columns(group.rank() == turn ? a.local.nnz() : 0);
    for (std::int64_t k = 0; k < columns.size(); ++k) columns[k] = a.column(a.local.columns[k]);
    buffer<T> values(columns.size());
    for (std::int64_t k = 0; k < values.size(); ++k) values[k] = a.local.values[k];
    const auto offsets = to_first(std::span<const std::int64_t>(a.local.row_offsets));
    const auto all_columns = to_first(std::span<const std::int64_t>(columns));
    const auto all_values = to_first(std::span<const T>(values));
    const auto old = to_first(std::span<const std::int64_t>(cut.order));
    if (!is_first) continue;
    out->append(csr_view<T, std::int64_t>{offsets.size() - 1, a.cols(), offsets, all_columns,
                                          values_view<T>(std::span<const T>(all_values))});
    order.insert(order.end(), old.begin(), old.end());
  }
  if (is_first) {
    out->put_parts(a.parts);
    out->put_order(order);
    out->commit();
  }
}

}  // namespace

template <value T> cut_matrix<T> cut_into_parts(const distributed_csr<T>& a, std::int64_t count) {
  return a.group->together([&] { return cut_rows_into_parts(a, count); });
}

template <value T> void write_cut(const std::filesystem::path& path, const cut_matrix<T>& cut) {
  cut.matrix.group->together([&] { write_rows(path, cut); });
}

#define LACIS_INSTANTIATE(T)                                                                \
  template LACIS_API cut_matrix<T> cut_into_parts(const distributed_csr<T>&, std::int64_t); \
  template LACIS_API void write_cut(const std::filesystem::path&, const cut_matrix<T>&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::dist

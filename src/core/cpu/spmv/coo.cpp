// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The products of COO and HYB matrices: runs of entries with the same row, which in HYB go on from an ELL part.
//
// The CUDA texts add COO entries to y with atomics, in whatever order they come. Here the entries of a row are summed
// together, so entries must be sorted by row and column; a thread's part begins where a row does, or at a chunk of a
// very long one.
#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

#include "base/instantiate.hpp"
#include "cpu/spmv/row_pieces.hpp"
#include "cpu/spmv/row_sums.hpp"
#include "cpu/spmv/slots.hpp"
#include "cpu/spmv/spmv.hpp"

namespace lacis::cpu {
namespace {

/// A cut of the entries: the run it lies in or before, and the row of that run.
struct run_cut {
  row_cut at;
  std::int64_t run = 0;  ///< the entry with which the run of at.row begins
};

/// Rows as runs of COO entries, each with the first `width` entries of its row in an ELL part (none in plain COO).
template <class A, class Index, class X> struct run_rows {
  using T = product_of<A, X>;

  std::int64_t rows;
  std::span<const Index> row_indices;
  operand<A, Index, X> entries;
  std::int64_t width;
  slots<Index> where;
  operand<A, Index, X> prefix;
  const kernel_table<A, Index, X>& kernels;

  /// Whether the ELL part of a row is full, as it is where the row goes on.
  [[nodiscard]] bool has_prefix(std::int64_t row) const {
    return where.lengths == nullptr || where.lengths[row] == width;
  }

  [[nodiscard]] std::int64_t end_of_run(std::int64_t first) const {
    const Index row = row_indices[static_cast<std::size_t>(first)];
    auto last = static_cast<std::size_t>(first);
    while (last < row_indices.size() && row_indices[last] == row) ++last;
    return static_cast<std::int64_t>(last);
  }

  [[nodiscard]] run_cut cut(int part, int parts) const {
    const auto count = static_cast<std::int64_t>(row_indices.size());
    if (part <= 0) return {{0, 0}, 0};
    const std::int64_t target = detail::even_cut(count, part, parts);
    if (part >= parts || target >= count) return {{rows, 0}, count};
    const Index row = row_indices[static_cast<std::size_t>(target)];
    const auto begin = std::lower_bound(row_indices.begin(), row_indices.begin() + target, row) - row_indices.begin();
    const auto end = std::upper_bound(row_indices.begin() + target, row_indices.end(), row) - row_indices.begin();
    if (end - begin < shortest_cut_row) return {{row, 0}, begin};
    const std::int64_t chunk = (target - begin + width) / chunk_size;
    return {{row, chunk}, begin};
  }

  /// Entries k, k + 1, ... of the row whose run begins at `run`, contiguous: in place, or copied when they begin in the
  /// ELL part.
  template <class Use>
  auto with_entries(std::int64_t row, std::int64_t run, std::int64_t k, std::int64_t count, Use&& use) const {
    if (k >= width) return use(entries.from(run + k - width), count);
    std::array<A, static_cast<std::size_t>(chunk_size)> values;
    std::array<Index, static_cast<std::size_t>(chunk_size)> columns;
    for (std::int64_t j = 0; j < count; ++j) {
      const bool first_part = k + j < width;
      const auto& from = first_part ? prefix : entries;
      const std::int64_t slot = first_part ? (k + j) * where.stride + row : run + k + j - width;
      values[static_cast<std::size_t>(j)] = from.value_at(slot);
      columns[static_cast<std::size_t>(j)] = from.columns[slot];
    }
    return use(operand<A, Index, X>{values.data(), false, columns.data(), entries.x}, count);
  }

  /// Chunks first .. last of a row (to its end when last < 0).
  [[nodiscard]] summation::node_range<T> sum_chunks(std::int64_t row, std::int64_t run, std::int64_t first,
                                                    std::int64_t last, bool& good) const {
    const std::int64_t count = width + end_of_run(run) - run;
    if (last < 0) last = summation::chunks_of(count, chunk_size);
    summation::node_range<T> sums(first);
    // Rows that are not sorted mislead the search for a cut.
    if (last > summation::chunks_of(count, chunk_size) || !has_prefix(row)) {
      good = false;
      return sums;
    }
    for (std::int64_t c = first; c < last; ++c) {
      const std::int64_t k = c * chunk_size;
      if (k > 0) good &= column_of(row, run, k - 1) < column_of(row, run, k);
      sums.append(with_entries(row, run, k, std::min(chunk_size, count - k), [&](const auto& e, std::int64_t n) {
        return is_good(e, n, good) ? kernels.chunk(e, n) : T{};
      }));
    }
    return sums;
  }

  [[nodiscard]] T sum(std::int64_t row, std::int64_t run, std::int64_t count, bool& good) const {
    if (count > short_limit) return sum_chunks(row, run, 0, -1, good).total();
    return with_entries(row, run, 0, count,
                        [&](const auto& e, std::int64_t n) { return is_good(e, n, good) ? short_sum(e, n) : T{}; });
  }

 private:
  /// Whether columns ascend, inside the matrix; if not, `good` is false from then on.
  [[nodiscard]] bool is_good(const operand<A, Index, X>& e, std::int64_t count, bool& good) const {
    good &= kernels.descents(e.columns, count, entries.cols) == 0;
    return good;
  }
  [[nodiscard]] Index column_of(std::int64_t row, std::int64_t run, std::int64_t k) const {
    return k < width ? prefix.columns[k * where.stride + row] : entries.columns[run + k - width];
  }
};

/// Sums every run and stores it; with `fills_gaps` also what rows without entries get.
template <class A, class Index, class X, class T>
bool on_runs(const launch& how, const scaling<T>& scale, const run_rows<A, Index, X>& source, bool fills_gaps, T* y,
             workspace& memory) {
  bool cuts_rows = false;
  for (int part = 1; part < how.threads; ++part) cuts_rows |= source.cut(part, how.threads).at.chunk > 0;
  std::optional<row_pieces<T>> pieces;
  if (cuts_rows) pieces.emplace(how.threads, memory);
  std::atomic<bool> all_good = true;
  run(how, [&](int thread, int threads) {
    const run_cut from = source.cut(thread, threads);
    const run_cut to = source.cut(thread + 1, threads);
    bool good = from.at.row < to.at.row ? from.run <= to.run : from.at.row == to.at.row && from.run == to.run;
    good &= from.at.row >= 0 && to.at.row <= source.rows;
    if (!good) {
      all_good = false;
      return;
    }
    const auto sum_chunks = [&](std::int64_t row, std::int64_t first, std::int64_t last) {
      return source.sum_chunks(row, row == from.at.row && first > 0 ? from.run : to.run, first, last, good);
    };
    const auto whole_rows = [&](std::int64_t begin, std::int64_t end) {
      std::int64_t run = begin == from.at.row ? from.run : source.end_of_run(from.run);
      std::int64_t row = begin;
      while (run < to.run && good) {
        const std::int64_t next = source.row_indices[static_cast<std::size_t>(run)];
        good &= row <= next && next < end && source.has_prefix(next);
        if (!good) break;
        for (; fills_gaps && row < next; ++row) scale.store(y[row], T{});
        const std::int64_t after = source.end_of_run(run);
        scale.store(y[next], source.sum(next, run, source.width + after - run, good));
        row = next + 1;
        run = after;
      }
      for (; fills_gaps && good && row < end; ++row) scale.store(y[row], T{});
    };
    between_cuts(from.at, to.at, thread, pieces ? &*pieces : nullptr, sum_chunks, whole_rows);
    if (!good) all_good = false;
  });
  if (pieces && all_good) {
    const summation::rounding_guard guard;
    pieces->join([&](std::int64_t row, T sum) { scale.store(y[row], sum); });
  }
  return all_good;
}

}  // namespace

template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const coo_view<A, Index>& a, const X* x, T* y,
          workspace& memory) {
  const auto& kernels = kernels_for<A, Index, X>(how.set);
  return on_runs(how, scale, run_rows<A, Index, X>{a.rows, a.row_indices, operand_of(a, x), 0, {}, {}, kernels}, true,
                 y, memory);
}

template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const hyb_view<A, Index>& a, const X* x, T* y,
          workspace& memory) {
  if (a.cols == 0 && a.ell.columns.size() > 0) return false;
  const auto& kernels = kernels_for<A, Index, X>(how.set);
  slots<Index> where = slots_of(a.ell);
  where.skip_end = a.coo.row_indices.data() + a.coo.row_indices.size();
  std::atomic<bool> good = true;
  run(how, [&](int thread, int threads) {
    const std::int64_t begin = detail::even_cut(a.rows, thread, threads);
    const std::int64_t end = detail::even_cut(a.rows, thread + 1, threads);
    slots<Index> own = where;
    own.skip = std::lower_bound(a.coo.row_indices.data(), where.skip_end, static_cast<Index>(begin));
    if (begin < end && !kernels.slot_places(operand_of(a.ell, x), own, begin, end, scale, y)) good = false;
  });
  const run_rows<A, Index, X> tails{
      a.rows, a.coo.row_indices, operand_of(a.coo, x), a.ell.width, where, operand_of(a.ell, x), kernels};
  return on_runs(how, scale, tails, false, y, memory) && good;
}

}  // namespace lacis::cpu

namespace lacis {
#define LACIS_INSTANTIATE(A, Index)          \
  LACIS_INSTANTIATE_SPMV(coo_view, A, Index) \
  LACIS_INSTANTIATE_SPMV(hyb_view, A, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Ranges of rows of the layout `stencil`: whole slices by kernels, the rows of cut ones and those apart one by one.
#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "base/instantiate.hpp"
#include "base/pieces.hpp"
#include "plan/layouts/stencil/layout.hpp"
#include "plan/layouts/stencil/strips.hpp"

namespace lacis::detail {
namespace {

/// More rows apart than one in so many are too slow to compute one by one.
constexpr std::int64_t rows_per_row_apart = 16;

/// How far entries are from their rows, seen by all threads.
class farthest_entries {
 public:
  explicit farthest_entries(std::int64_t period) : period_(period) {}

  void see(std::int64_t row, std::int64_t column) {
    raise_to(std::atomic_ref<std::int64_t>(band_), std::abs(column - row));
    if (period_ == 0) return;
    raise_to(std::atomic_ref<std::int64_t>(planes_), std::abs(column / period_ - row / period_));
    raise_to(std::atomic_ref<std::int64_t>(in_plane_), std::abs(column % period_ - row % period_));
  }
  /// Rows `row`, `row` + 1, ... up to `last`, of each the entry on a diagonal: it is enough to see one of them where
  /// neither they nor the entries go on to another plane.
  [[nodiscard]] bool see_first(std::int64_t row, std::int64_t last, std::int64_t diagonal) {
    see(row, row + diagonal);
    return period_ == 0 ||
           (row / period_ == last / period_ && (row + diagonal) / period_ == (last + diagonal) / period_);
  }
  void tell(row_reach& reach) const {
    reach.band = band_;
    if (planes_ > 1) return;
    reach.period = period_;
    reach.in_plane = in_plane_;
  }

 private:
  std::int64_t period_;
  std::int64_t band_ = 0;
  std::int64_t planes_ = 0;
  std::int64_t in_plane_ = 0;
};

template <class T> void see_run(const stencil_rows<T>& st, const cpu::stencil_run& run, farthest_entries& seen) {
  const cpu::stencil_pattern& p = st.patterns[static_cast<std::size_t>(run.pattern)];
  for (std::int32_t s = 0; s < p.slots; ++s) {
    const std::int64_t diagonal = st.diagonals[static_cast<std::size_t>(p.first + s)];
    const std::uint32_t lanes = st.masks[static_cast<std::size_t>(p.first + s)];
    for (std::int64_t lane = 0; lane < st.height; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      const std::int64_t row = run.first_row + lane;
      const std::int64_t last = run.first_row + run.slices * st.height - 1;
      if (seen.see_first(row, last, diagonal)) break;
      for (std::int64_t i = row; i <= last; i += st.height) seen.see(i, i + diagonal);
    }
  }
}

/// Rows that are not in slices: the places of short ones, ~k for the long one number k.
template <class T, class Index> std::vector<row_apart> rows_apart(const sell_layout<T, Index>& others) {
  std::vector<row_apart> apart;
  for (const auto& block : others.blocks)
    for (std::int64_t place = 0; place < block.places(); ++place) apart.push_back({block.rows[place], place});
  for (std::int64_t k = 0; k < others.long_rows.size(); ++k) apart.push_back({others.long_rows[k], ~k});
  std::sort(apart.begin(), apart.end(),
            [](const row_apart& one, const row_apart& other) { return one.row < other.row; });
  return apart;
}

/// The sum of a row of at most 32 entries, each of which each(entry) gives as its value and column.
template <class T, class Each> T sum_of_row(const T* x, Each&& each) {
  T sum{};
  each([&](T value, std::int64_t column) { sum = summation::add(sum, summation::multiply(value, x[column])); });
  return sum;
}

template <class T, class Index>
void multiply_apart(isa set, const sell_layout<T, Index>& others, const row_apart& at, const T* x, T* y) {
  if (at.place < 0) {
    const auto a = others.csr_part.view();
    const cpu::operand<T, Index, T> entries{a.values.data.data(), a.values.iso, a.columns.data(), x, a.nnz(), a.cols};
    static_cast<void>(cpu::kernels_for<T, Index, T>(set).csr_rows(entries, a.row_offsets.data() + ~at.place, 0, 1,
                                                                  cpu::scaling<T>(T(1), T(0)), y + at.row));
    return;
  }
  const auto& block = others.blocks[0];
  y[at.row] = sum_of_row(x, [&](auto&& entry) {
    for_each_entry(block, at.place / block.height, at.place % block.height,
                   [&](std::int64_t slot, std::int64_t column) { entry(block.values[slot], column); });
  });
}

/// The run that has a row, or the next one.
template <class T> std::int64_t run_at(const stencil_rows<T>& st, std::int64_t row) {
  const cpu::stencil_run* const runs = st.runs.data();
  return std::partition_point(
             runs, runs + st.runs.size(),
             [&](const cpu::stencil_run& run) { return run.first_row + run.slices * st.height <= row; }) -
         runs;
}

/// Rows of one slice, in which some rows may not be.
template <class T>
void multiply_some(const stencil_rows<T>& st, const T* x, std::int64_t begin, std::int64_t end, T* y) {
  const std::int64_t r = run_at(st, begin);
  if (r == st.runs.size() || st.runs[r].first_row > begin) return;
  const cpu::stencil_run& run = st.runs[r];
  for (std::int64_t row = begin; row < end; ++row)
    if (st.has_lane(run, row % st.height))
      y[row] = sum_of_row(x, [&](auto&& entry) {
        for_each_entry(st, run, row, [&](std::int64_t slot, std::int64_t column) { entry(st.values[slot], column); });
      });
}

/// Whole slices: runs as they are, but for the first and the last, which may be cut.
template <class T, class Kernel>
void multiply_slices(const stencil_rows<T>& st, Kernel&& kernel, const T* x, std::int64_t begin, std::int64_t end,
                     T* y) {
  const cpu::scaling<T> plain(T(1), T(0));
  const auto view = st.view();
  const auto part = [&](const cpu::stencil_run& run) {
    const std::int64_t skip = std::max<std::int64_t>(0, begin - run.first_row) / st.height;
    const std::int64_t stop = std::min(run.slices * st.height, end - run.first_row) / st.height;
    const std::int64_t slots = st.patterns[static_cast<std::size_t>(run.pattern)].slots;
    const cpu::stencil_run cut{run.first_row + skip * st.height, run.slots + skip * slots * st.height,
                               static_cast<std::int32_t>(stop - skip), run.pattern};
    auto one = view;
    one.runs = &cut;
    one.count = 1;
    kernel(one, x, 0, 1, plain, y);
  };
  std::int64_t first = run_at(st, begin);
  const std::int64_t last = run_at(st, end);  // it begins before `end` or is behind
  if (first < last && st.runs[first].first_row < begin) part(st.runs[first++]);
  if (first < last) kernel(view, x, first, last, plain, y);
  if (last < st.runs.size() && st.runs[last].first_row < end) part(st.runs[last]);
}

}  // namespace

template <class T, class Index> row_reach reach_of(const stencil_layout<T, Index>& l) {
  const stencil_rows<T>& st = l.slices;
  row_reach reach;
  reach.slice = st.height;
  reach.apart = rows_apart(l.others);
  if (static_cast<std::int64_t>(reach.apart.size()) > l.rows / rows_per_row_apart) {
    reach.obstacle = "too many rows are on other diagonals than the rest";
    return reach;
  }
  std::vector<std::int64_t> upper;
  for (const std::int64_t diagonal : st.diagonals) upper.push_back(std::abs(diagonal));
  std::sort(upper.begin(), upper.end());
  farthest_entries seen(rows_of_plane(upper));
  parallel_pieces(st.runs.size(), st.slots, [&](std::int64_t r) { see_run(st, st.runs[r], seen); });
  for (const row_apart& at : reach.apart) {
    const auto see = [&](std::int64_t column) { seen.see(at.row, column); };
    if (at.place < 0) {
      const auto& rows = l.others.csr_part;
      for (std::int64_t k = rows.row_offsets[~at.place]; k < rows.row_offsets[~at.place + 1]; ++k) see(rows.columns[k]);
    } else {
      const auto& block = l.others.blocks[0];
      for_each_entry(block, at.place / block.height, at.place % block.height,
                     [&](std::int64_t, std::int64_t column) { see(column); });
    }
  }
  seen.tell(reach);
  return reach;
}

template <class T, class Index>
void multiply_range(isa set, const stencil_layout<T, Index>& l, const row_reach& reach, const T* x, std::int64_t begin,
                    std::int64_t end, T* y) {
  const stencil_rows<T>& st = l.slices;
  const auto& table = cpu::kernels_for<T, Index, T>(set);
  const std::int64_t whole = std::min(end, (begin + st.height - 1) / st.height * st.height);
  const std::int64_t rest = std::max(whole, end / st.height * st.height);
  if (begin < whole) multiply_some(st, x, begin, whole, y);
  if (whole < rest) multiply_slices(st, st.upper > 0 ? table.symmetric_rows : table.stencil_rows, x, whole, rest, y);
  if (rest < end) multiply_some(st, x, rest, end, y);
  for (auto at = std::partition_point(reach.apart.begin(), reach.apart.end(),
                                      [&](const row_apart& one) { return one.row < begin; });
       at != reach.apart.end() && at->row < end; ++at)
    multiply_apart(set, l.others, *at, x, y);
}

#define LACIS_STENCIL_RANGES(T, Index)                                                                         \
  template row_reach reach_of(const stencil_layout<T, Index>&);                                                \
  template void multiply_range(isa, const stencil_layout<T, Index>&, const row_reach&, const T*, std::int64_t, \
                               std::int64_t, T*);
LACIS_FOR_EACH_TYPE(LACIS_STENCIL_RANGES)

}  // namespace lacis::detail

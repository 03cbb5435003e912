// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with the layout `stencil`.
#include <algorithm>
#include <array>

#include "base/instantiate.hpp"
#include "cpu/vector/blocks.hpp"
#include "plan/layouts/stencil/layout.hpp"

namespace lacis::detail {
namespace {

/// The rows of a stencil, in its order.
template <class A, class Index> class stencil_source final : public cpu::row_source<A, Index> {
 public:
  explicit stencil_source(const stencil_rows<A>& st) : st_(st) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override {
    return part >= parts ? st_.rows() : st_.runs.empty() ? 0 : st_.first_place[st_.cut(part, parts)];
  }
  std::int64_t start(std::int64_t place) override {
    if (place < st_.first_place[run_] || place >= st_.first_place[run_ + 1])
      run_ = std::upper_bound(st_.first_place.begin(), st_.first_place.end(), place) - st_.first_place.begin() - 1;
    row_ = st_.runs[run_].first_row + place - st_.first_place[run_];
    if (!st_.has_lane(st_.runs[run_], (place - st_.first_place[run_]) % st_.height)) return -1;
    std::size_t count = 0;
    for_each_entry(st_, st_.runs[run_], row_, [&](std::int64_t slot, std::int64_t column) {
      values_[count] = st_.values[slot];
      columns_[count++] = static_cast<Index>(column);
    });
    return static_cast<std::int64_t>(count);
  }
  [[nodiscard]] std::int64_t row() const override { return row_; }
  cpu::stored_entries<A, Index> read(std::int64_t) override { return {values_.data(), false, columns_.data()}; }

 private:
  const stencil_rows<A>& st_;
  std::int64_t run_ = 0;
  std::int64_t row_ = 0;
  std::array<A, static_cast<std::size_t>(cpu::short_limit)> values_;
  std::array<Index, static_cast<std::size_t>(cpu::short_limit)> columns_;
};

/// The kernel for the values that slices have.
template <class A, class Index, class X> auto kernel_for(isa set, const stencil_rows<A>& st) {
  const auto& table = cpu::kernels_for<A, Index, X>(set);
  return st.upper > 0 ? table.symmetric_rows : table.stencil_rows;
}

/// The first row of a run; 0 for the first run, the number of rows behind the last.
template <class A, class Index> std::int64_t row_of(const stencil_layout<A, Index>& l, std::int64_t run) {
  return run == 0 ? 0 : run < l.slices.runs.size() ? l.slices.runs[run].first_row : l.rows;
}

/// One thread's runs of slices. After each stretch of rows the blocks of the dot product that it completes are summed;
/// blocks that reach into another thread's rows are left out.
template <class T, class Index>
void multiply_runs(const cpu::launch& how, const stencil_layout<T, Index>& l, std::int64_t first, std::int64_t last,
                   const T* x, const T* own, T* y, std::span<T> sums) {
  const auto multiply_rows = kernel_for<T, Index, T>(how.set, l.slices);
  const auto dot = cpu::vector_kernels_for<T>(how.set).dotc;
  const auto view = l.slices.view();
  const cpu::scaling<T> plain(T(1), T(0));
  std::int64_t block = (row_of(l, first) + cpu::block_size - 1) / cpu::block_size;
  for (std::int64_t run = first; run < last;) {
    std::int64_t end = run + 1;
    while (end < last && row_of(l, end) < row_of(l, run) + cpu::block_size) ++end;
    multiply_rows(view, x, run, end, plain, y);
    run = end;
    const std::int64_t done = row_of(l, run);
    for (; cpu::begin_of(block + 1, l.rows) <= done && block * cpu::block_size < l.rows; ++block) {
      const std::int64_t begin = block * cpu::block_size;
      sums[static_cast<std::size_t>(block)] = dot(own + begin, y + begin, cpu::begin_of(block + 1, l.rows) - begin);
    }
  }
}

}  // namespace

template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const stencil_layout<A, Index>& l,
                     const X* x, T* y, workspace& memory) {
  const auto multiply_rows = kernel_for<A, Index, X>(how.set, l.slices);
  const stencil_order& order = l.slices.visits();
  const bool at_once = has_shares(l.others, how.threads);
  cpu::run(how, [&](int thread, int threads) {
    multiply_rows(l.slices.view_in(order), x, order.cut(thread, threads), order.cut(thread + 1, threads), scale, y);
    if (at_once) multiply_share(how.set, scale, l.others, x, y, thread, threads);
  });
  if (!at_once) multiply_layout(how, scale, l.others, x, y, memory);
}

template <class A, class Index>
bool supply_rows(const cpu::launch& how, const stencil_layout<A, Index>& l, const cpu::row_work<A, Index>& work) {
  if (l.slices.rows() > 0)
    cpu::run(how, [&](int thread, int threads) {
      stencil_source<A, Index> source(l.slices);
      work(source, thread, threads);
    });
  return supply_rows(how, l.others, work);
}

template <class T, class Index>
summation::node_range<T> multiply_and_dot(const cpu::launch& how, const stencil_layout<T, Index>& l, const T* x,
                                          const T* own, T* y, std::int64_t first, std::span<T> sums,
                                          workspace& memory) {
  multiply_layout(how, cpu::scaling<T>(T(1), T(0)), l.others, x, y, memory);
  cpu::run(how, [&](int thread, int threads) {
    multiply_runs(how, l, l.slices.cut(thread, threads), l.slices.cut(thread + 1, threads), x, own, y, sums);
  });
  // Blocks at the borders of threads.
  const auto dot = cpu::vector_kernels_for<T>(how.set).dotc;
  const summation::rounding_guard guard;
  for (int thread = 1; thread < how.threads; ++thread) {
    const std::int64_t row = row_of(l, l.slices.cut(thread, how.threads));
    const std::int64_t begin = row / cpu::block_size * cpu::block_size;
    if (begin == row) continue;
    const std::int64_t end = std::min(begin + cpu::block_size, l.rows);
    sums[static_cast<std::size_t>(begin / cpu::block_size)] = dot(own + begin, y + begin, end - begin);
  }
  summation::node_range<T> all(first);
  for (const T sum : sums) all.append(sum);
  return all;
}

#define LACIS_STENCIL_ROWS(A, Index)                                                                                \
  template bool supply_rows(const cpu::launch&, const stencil_layout<A, Index>&, const cpu::row_work<A, Index>&);   \
  template summation::node_range<A> multiply_and_dot(const cpu::launch&, const stencil_layout<A, Index>&, const A*, \
                                                     const A*, A*, std::int64_t, std::span<A>, workspace&);
LACIS_FOR_EACH_TYPE(LACIS_STENCIL_ROWS)
#define LACIS_STENCIL_PRODUCT(A, Index, X)                                                 \
  template void multiply_layout(const cpu::launch&, const cpu::scaling<product_of<A, X>>&, \
                                const stencil_layout<A, Index>&, const X*, product_of<A, X>*, workspace&);
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_STENCIL_PRODUCT)

}  // namespace lacis::detail

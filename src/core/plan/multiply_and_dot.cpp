// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A product and its dot product with x, in one pass where rows are computed in their order.
#include <algorithm>
#include <memory>
#include <span>

#include "base/instantiate.hpp"
#include "cpu/spmv/spmv.hpp"
#include "cpu/vector/blocks.hpp"
#include "plan/multiply.hpp"

namespace lacis::detail {
namespace {

/// One thread's runs of slices. After each stretch of rows the blocks of the dot product that it completes are summed;
/// blocks that reach into another thread's rows are left out.
template <class T, class Index>
void multiply_runs(const cpu::launch& how, const layout<T, Index>& l, std::int64_t first, std::int64_t last, const T* x,
                   const T* own, T* y, std::span<T> sums) {
  const auto& multiply_rows = cpu::kernels_for<T, Index, T>(how.set).stencil_rows;
  const auto dot = cpu::vector_kernels_for<T>(how.set).dotc;
  const auto view = l.stencil.view();
  const auto row_of = [&](std::int64_t run) {
    return run == 0 ? 0 : run < view.count ? view.runs[run].first_row : l.rows;
  };
  const cpu::scaling<T> plain(T(1), T(0));
  std::int64_t block = (row_of(first) + cpu::block_size - 1) / cpu::block_size;
  for (std::int64_t run = first; run < last;) {
    std::int64_t end = run + 1;
    while (end < last && row_of(end) < row_of(run) + cpu::block_size) ++end;
    multiply_rows(view, x, run, end, plain, y);
    run = end;
    const std::int64_t done = row_of(run);
    for (; cpu::begin_of(block + 1, l.rows) <= done && block * cpu::block_size < l.rows; ++block) {
      const std::int64_t begin = block * cpu::block_size;
      sums[static_cast<std::size_t>(block)] = dot(own + begin, y + begin, cpu::begin_of(block + 1, l.rows) - begin);
    }
  }
}

/// Elements in the part of a workspace that products of vectors leave alone.
template <class Element> std::span<Element> room_for(workspace& memory, std::int64_t count) {
  const auto bytes = memory.bytes(count * static_cast<std::int64_t>(sizeof(Element)), 2);
  const std::span<Element> room(reinterpret_cast<Element*>(bytes.data()), static_cast<std::size_t>(count));
  for (Element& element : room) std::construct_at(&element);
  return room;
}

}  // namespace

template <class T, class Index>
summation::node_range<T> multiply_and_dot(const plan<T, Index>& p, std::span<const T> x, std::int64_t own,
                                          std::span<T> y, std::int64_t first, workspace& memory) {
  const auto& l = layout_of(p, side::plain);
  const cpu::launch how = launch_of(p, l);
  cpu::require_operands(l.rows, l.cols, x, y);
  const cpu::scaling<T> plain(T(1), T(0));
  const T* const mine = x.data() + own;
  const auto dot = cpu::vector_kernels_for<T>(how.set).dotc;
  if (l.kind != plan_layout::stencil || l.stencil.view().count == 0) {
    multiply_layout(how, plain, l, x.data(), y.data(), memory);
    return cpu::nodes_of_blocks<T>(
        how, l.rows, first, room_for<summation::node_range<T>>(memory, how.threads - 1),
        [&](std::int64_t begin, std::int64_t size) { return dot(mine + begin, y.data() + begin, size); });
  }
  multiply_other_rows(how, plain, l, x.data(), y.data(), memory);
  const std::span<T> sums = room_for<T>(memory, summation::chunks_of(l.rows, cpu::block_size));
  cpu::run(how, [&](int thread, int threads) {
    multiply_runs(how, l, l.stencil.cut(thread, threads), l.stencil.cut(thread + 1, threads), x.data(), mine, y.data(),
                  sums);
  });
  // Blocks at the borders of threads.
  const summation::rounding_guard guard;
  for (int thread = 1; thread < how.threads; ++thread) {
    const std::int64_t run = l.stencil.cut(thread, how.threads);
    const auto view = l.stencil.view();
    const std::int64_t row = run == 0 ? 0 : run < view.count ? view.runs[run].first_row : l.rows;
    const std::int64_t begin = row / cpu::block_size * cpu::block_size;
    if (begin == row) continue;
    const std::int64_t end = std::min(begin + cpu::block_size, l.rows);
    sums[static_cast<std::size_t>(begin / cpu::block_size)] = dot(mine + begin, y.data() + begin, end - begin);
  }
  summation::node_range<T> all(first);
  for (const T sum : sums) all.append(sum);
  return all;
}

#define LACIS_INSTANTIATE(T, Index)                                                                       \
  template LACIS_API summation::node_range<T> multiply_and_dot(const plan<T, Index>&, std::span<const T>, \
                                                               std::int64_t, std::span<T>, std::int64_t, workspace&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail

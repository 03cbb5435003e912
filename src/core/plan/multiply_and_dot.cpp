// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A product and its dot product with x, in one pass where rows are computed in their order.
#include <memory>
#include <span>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "cpu/spmv/spmv.hpp"
#include "cpu/vector/blocks.hpp"
#include "plan/multiply.hpp"

namespace lacis::detail {
namespace {

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
  if (own < 0 || own > static_cast<std::int64_t>(x.size()) - l.rows)
    throw error(errc::invalid_argument,
                text("the dot product of x and A x needs ", l.rows, " elements of x, not ", x.size()));
  const T* const mine = x.data() + own;
  const auto dot_of_rows = [&] {
    const auto dot = cpu::vector_kernels_for<T>(how.set).dotc;
    return cpu::nodes_of_blocks<T>(
        how, l.rows, first, room_for<summation::node_range<T>>(memory, how.threads - 1),
        [&](std::int64_t begin, std::int64_t size) { return dot(mine + begin, y.data() + begin, size); });
  };
  return std::visit(
      [&](const auto& arrays) {
        if constexpr (requires { arrays.fuses_dot(); })
          if (arrays.fuses_dot()) {
            const std::span<T> sums = room_for<T>(memory, summation::chunks_of(l.rows, cpu::block_size));
            return multiply_and_dot(how, arrays, x.data(), mine, y.data(), first, sums, memory);
          }
        multiply_layout(how, cpu::scaling<T>(T(1), T(0)), arrays, x.data(), y.data(), memory);
        return dot_of_rows();
      },
      l.arrays);
}

#define LACIS_INSTANTIATE(T, Index)                                                                       \
  template LACIS_API summation::node_range<T> multiply_and_dot(const plan<T, Index>&, std::span<const T>, \
                                                               std::int64_t, std::span<T>, std::int64_t, workspace&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail

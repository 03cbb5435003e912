// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors on a device: the launches of a sum, level by level.
#include "device/vector.hpp"

#include <algorithm>
#include <complex>

#include "base/text.hpp"
#include "device/tuning.hpp"
#include "kernels/reduce.hpp"
#include "kernels/vector.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"
#include "summation/orders.hpp"

namespace lacis::device {
namespace {

static_assert(kernels::block_elements == summation::blocked.chunk && simt::warp_size == summation::blocked.lanes);

template <class T> using tree = kernels::tree_nodes<raw_memory, T, simt::none>;
constexpr std::int64_t tree_leaves = tree<float>::leaves;

template <class Value> Value to_host(device_of<Value> x) {
  if constexpr (is_complex<Value>)
    return {x.re, x.im};
  else
    return x;
}

std::int64_t blocks_of(std::int64_t count) { return runtime::blocks_for(count, kernels::block_elements); }

/// The total that a kernel adds to.
template <class T, class Launch> T total_of(runtime& device, Launch&& launch) {
  const auto total = device.zeros<T>(1);
  launch(total.data());
  return device.read(total.data());
}

}  // namespace

template <class Value>
void axpby(runtime& device, std::int64_t count, Value alpha, const device_of<Value>* x, Value beta,
           device_of<Value>* y) {
  device.launch_over(
      kernels::axpby<raw_memory, device_of<Value>, simt::none>{count, to_device(alpha), x, to_device(beta), y}, count);
}

template <class Value>
vector_sums<Value>::vector_sums(runtime& device, std::int64_t most)
    : device_(&device),
      most_(most),
      sums_(device, blocks_of(most)),
      nodes_(device, runtime::blocks_for(blocks_of(most), tree_leaves)),
      squares_(device, blocks_of(most)),
      square_nodes_(device, runtime::blocks_for(blocks_of(most), tree_leaves)) {}

template <class Value> void vector_sums<Value>::require_room(std::int64_t count) const {
  if (count < 0 || count > most_)
    throw error(errc::invalid_argument,
                lacis::detail::text("a sum over ", count, " elements, but the workspace is for ", most_,
                                    "; make a larger one"));
}

/// The root of the neighbour tree over the sums of blocks; both arrays change places from level to level.
template <class Value>
template <class T>
T vector_sums<Value>::joined(std::int64_t blocks, const device_array<T>& sums, const device_array<T>& nodes) {
  T* from = sums.data();
  T* to = nodes.data();
  while (blocks > 1) {
    const std::int64_t joined_blocks = runtime::blocks_for(blocks, tree_leaves);
    device_->launch(tree<T>{blocks, from, to}, joined_blocks);
    std::swap(from, to);
    blocks = joined_blocks;
  }
  return device_->read(from);
}

template <class Value>
template <class Kernel>
Value vector_sums<Value>::sum_of_products(std::int64_t count, const number* x, const number* y) {
  require_room(count);
  if (count == 0) return Value{};
  device_->launch(Kernel{count, x, y, sums_.data()}, runtime::blocks_for(blocks_of(count), Kernel::block_warps));
  return to_host<Value>(joined(blocks_of(count), sums_, nodes_));
}

template <class Value> Value vector_sums<Value>::dot(std::int64_t count, const number* x, const number* y) {
  return sum_of_products<kernels::dot_blocks<raw_memory, number, simt::none>>(count, x, y);
}

template <class Value> Value vector_sums<Value>::dotc(std::int64_t count, const number* x, const number* y) {
  return sum_of_products<kernels::dotc_blocks<raw_memory, number, simt::none>>(count, x, y);
}

template <class Value> real_of<Value> vector_sums<Value>::norm(std::int64_t count, const number* x) {
  using square_kernel = kernels::square_blocks<raw_memory, number, simt::none>;
  require_room(count);
  if (count == 0) return 0;
  const summation::rounding_guard guard;
  const std::int64_t blocks = blocks_of(count);
  const std::int64_t grid = runtime::blocks_for(blocks, square_kernel::block_warps);
  return summation::root_of_squares<real>(
      [&](real factor) {
        device_->launch(square_kernel{count, factor, x, squares_.data()}, grid);
        return joined(blocks, squares_, square_nodes_);
      },
      [&] { return largest(count, x); });
}

template <class Value> real_of<Value> vector_sums<Value>::largest(std::int64_t count, const number* x) {
  using kernel = kernels::largest_blocks<raw_memory, number, simt::none>;
  require_room(count);
  if (count == 0) return 0;
  const std::int64_t blocks = blocks_of(count);
  device_->launch(kernel{count, x, squares_.data()}, runtime::blocks_for(blocks, kernel::block_warps));
  std::vector<real> all(static_cast<std::size_t>(blocks));
  device_->download<real>(squares_.data(), all);
  return *std::ranges::max_element(all);
}

template <class Value> Value plus_reduce(runtime& device, std::int64_t count, const device_of<Value>* x) {
  return to_host<Value>(total_of<device_of<Value>>(device, [&](device_of<Value>* total) {
    device.launch_over(kernels::plus_reduce<raw_memory, device_of<Value>, simt::none>{count, x, total}, count);
  }));
}

template <class Value>
Value dot_atomic(runtime& device, std::int64_t count, const device_of<Value>* x, const device_of<Value>* y) {
  return to_host<Value>(total_of<device_of<Value>>(device, [&](device_of<Value>* total) {
    device.launch_over(kernels::dot_atomic<raw_memory, device_of<Value>, simt::none>{count, x, y, total}, count);
  }));
}

template <class Value> Value shuffle_reduce(runtime& device, std::int64_t count, const device_of<Value>* x) {
  using kernel = kernels::shuffle_reduce<raw_memory, device_of<Value>, simt::none>;
  const lacis_device_facts& facts = device.facts();
  const std::int64_t filled =
      std::int64_t{facts.multiprocessors} * tuning_for(facts.architecture).blocks_per_multiprocessor;
  return to_host<Value>(total_of<device_of<Value>>(device, [&](device_of<Value>* total) {
    device.launch(kernel{count, x, total}, std::min(filled, runtime::blocks_for(count, kernel::block_threads)));
  }));
}

template <class Number> Number plus_reduce_whole(runtime& device, std::int64_t count, const Number* x) {
  return total_of<Number>(device, [&](Number* total) {
    device.launch_over(kernels::plus_reduce_whole<raw_memory, simt::none, Number>{count, x, total}, count);
  });
}

#define LACIS_INSTANTIATE(Value)                                                                                \
  template void axpby<Value>(runtime&, std::int64_t, Value, const device_of<Value>*, Value, device_of<Value>*); \
  template class vector_sums<Value>;                                                                            \
  template Value plus_reduce<Value>(runtime&, std::int64_t, const device_of<Value>*);                           \
  template Value dot_atomic<Value>(runtime&, std::int64_t, const device_of<Value>*, const device_of<Value>*);   \
  template Value shuffle_reduce<Value>(runtime&, std::int64_t, const device_of<Value>*);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)
template std::int32_t plus_reduce_whole<std::int32_t>(runtime&, std::int64_t, const std::int32_t*);
template std::int64_t plus_reduce_whole<std::int64_t>(runtime&, std::int64_t, const std::int64_t*);

}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The launches of a sparse product, and the sizes of its tables.
#include "device/spgemm.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "device/spgemm_binned.hpp"
#include "kernels/spgemm_count.hpp"
#include "kernels/spgemm_fill.hpp"
#include "kernels/spgemm_sort.hpp"

namespace lacis::device {
namespace {

using kernels::none;
using lacis::detail::text;

constexpr std::int64_t blocks_on_multiprocessor = 16;
constexpr std::int64_t short_rows_of_b = 16;  // on average: 8 threads per row are enough

struct limits {
  std::int64_t blocks;
  std::int64_t bytes;
};

limits limits_of(const runtime& device, const spgemm_options& options) {
  const lacis_device_facts& facts = device.facts();
  return {options.blocks > 0 ? options.blocks : blocks_on_multiprocessor * facts.multiprocessors,
          options.table_bytes > 0 ? options.table_bytes : facts.memory_bytes / 8};
}

/// How many blocks of `block_bytes` are within the limits, when `wanted` would have work.
std::int64_t blocks_within(const limits& most, std::int64_t wanted, std::int64_t block_bytes) {
  const std::int64_t fitting = block_bytes == 0 ? most.blocks : most.bytes / block_bytes;
  return std::min({wanted, most.blocks, fitting, std::int64_t{std::numeric_limits<std::int32_t>::max()}});
}

template <class Kernel> std::int64_t table_bytes_of_block(std::int64_t cols) {
  return cols * Kernel::group::in_block * static_cast<std::int64_t>(sizeof(typename Kernel::table_entry));
}

template <class Kernel> std::int64_t table_blocks(const limits& most, std::int64_t rows, std::int64_t cols) {
  const std::int64_t block_bytes = table_bytes_of_block<Kernel>(cols);
  const std::int64_t blocks = blocks_within(most, runtime::blocks_for(rows, Kernel::group::in_block), block_bytes);
  if (blocks == 0)
    throw error(errc::out_of_memory,
                text("kernel ", Kernel::name, ": the tables of one block over ", cols, " columns take ", block_bytes,
                     " bytes, table_bytes allows ", most.bytes,
                     "; raise it, or choose the variant `touched`, which has one table per block"));
  return blocks;
}

/// The tables of a launch, ready for it: `empty` in every byte, unless the kernel resets them whole.
template <class Kernel>
device_array<typename Kernel::table_entry> tables_for(runtime& device, std::int64_t blocks, std::int64_t cols,
                                                      int empty, spgemm_statistics& counted) {
  auto tables = device.allocate<typename Kernel::table_entry>(blocks * Kernel::group::in_block * cols);
  if constexpr (Kernel::reset != kernels::table_reset::whole) device.fill(tables, empty);
  counted.table_entries += tables.size();
  counted.table_bytes =
      std::max(counted.table_bytes, tables.size() * static_cast<std::int64_t>(sizeof(typename Kernel::table_entry)));
  return tables;
}

template <class Kernel, class Value, class Index>
void count_entries(runtime& device, const device_csr<Value, Index>& a, const device_csr<Value, Index>& b,
                   const limits& most, device_array<std::int64_t>& counts, spgemm_statistics& counted) {
  if constexpr (Kernel::reset == kernels::table_reset::stamped)
    if (a.rows >= std::numeric_limits<std::int32_t>::max())
      throw error(errc::overflow, text("kernel ", Kernel::name, " stamps with 32 bits, A has ", a.rows,
                                       " rows; choose the variant `touched`"));
  const std::int64_t blocks = table_blocks<Kernel>(most, a.rows, b.cols);
  const auto marks = tables_for<Kernel>(device, blocks, b.cols, 0, counted);
  const auto counters = device.zeros<std::int64_t>(kernels::spgemm_counters);
  device.launch(Kernel{a.rows, b.cols, a.row_offsets.data(), a.columns.data(), b.row_offsets.data(), b.columns.data(),
                       marks.data(), counts.data(), counters.data()},
                blocks);
  counted.count_resets = device.read(counters.data() + kernels::reset_counter);
  counted.products = device.read(counters.data() + kernels::product_counter);
  ++counted.launches;
}

template <class Kernel, class Value, class Index>
void fill_entries(runtime& device, const device_csr<Value, Index>& a, const device_csr<Value, Index>& b,
                  const limits& most, device_csr<Value, Index>& c, spgemm_statistics& counted) {
  const std::int64_t blocks = table_blocks<Kernel>(most, a.rows, b.cols);
  const auto slots = tables_for<Kernel>(device, blocks, b.cols, 0xff, counted);
  const auto counters = device.zeros<std::int64_t>(kernels::spgemm_counters);
  device.launch(Kernel{a.rows, b.cols, a.row_offsets.data(), a.columns.data(), a.values.data(), a.iso ? 0 : 1,
                       b.row_offsets.data(), b.columns.data(), b.values.data(), b.iso ? 0 : 1, c.row_offsets.data(),
                       c.columns.data(), c.values.data(), slots.data(), counters.data()},
                blocks);
  counted.fill_resets = device.read(counters.data() + kernels::reset_counter);
  ++counted.launches;
}

template <class Value, class Index>
void sort_rows(runtime& device, const limits& most, spgemm_sort sort, std::int64_t longest, device_csr<Value, Index>& c,
               spgemm_statistics& counted) {
  if (longest < 2) return;
  if (sort == spgemm_sort::segmented) {
    device.sort_segments(c.columns.data(), c.values.data(), c.row_offsets.data(), c.rows, c.nnz);
    return;
  }
  using kernel = kernels::spgemm_sort_radix<raw_memory, device_of<Value>, Index>;
  const std::int64_t capacity = longest / 2 + 1;
  const std::int64_t block_bytes = capacity * static_cast<std::int64_t>(sizeof(kernels::sort_bucket));
  const std::int64_t blocks = blocks_within(most, c.rows, block_bytes);
  if (blocks == 0)
    throw error(errc::out_of_memory,
                text("kernel ", kernel::name, ": the queue of one block takes ", block_bytes,
                     " bytes, table_bytes allows ", most.bytes, "; raise it, or choose the segmented sort"));
  const auto queue = device.allocate<kernels::sort_bucket>(blocks * capacity);
  device.launch(kernel{c.rows, radix_top_shift(c.cols), static_cast<unsigned>(capacity), c.row_offsets.data(),
                       c.columns.data(), c.values.data(), queue.data()},
                blocks);
  ++counted.launches;
}

template <class Count, class Fill, class Value, class Index>
void multiply(runtime& device, const device_csr<Value, Index>& a, const device_csr<Value, Index>& b,
              const spgemm_options& options, device_csr<Value, Index>& c, spgemm_statistics& counted) {
  const limits most = limits_of(device, options);
  auto counts = device.allocate<std::int64_t>(a.rows);
  count_entries<Count>(device, a, b, most, counts, counted);
  device.scan(counts.data(), c.row_offsets.data(), a.rows);
  c.nnz = counted.entries = device.read(c.row_offsets.data() + a.rows);
  const std::int64_t longest = device.largest(counts.data(), a.rows);
  if (longest > std::numeric_limits<std::int32_t>::max())
    throw error(errc::overflow, text("a row of the product would have ", longest, " entries; slots end at 2147483647"));
  if (c.nnz == 0) return;
  c.columns = device.allocate<Index>(c.nnz);
  c.values = device.allocate<device_of<Value>>(c.nnz);
  fill_entries<Fill>(device, a, b, most, c, counted);
  sort_rows(device, most, options.sort, longest, c, counted);
}

}  // namespace

std::int32_t radix_top_shift(std::int64_t cols) {
  constexpr int digit_bits = kernels::spgemm_sort_radix<raw_memory, float, std::int32_t>::digit_bits;
  const int bits = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(cols - 1, 1)));
  return (bits - 1) / digit_bits * digit_bits;
}

template <class Value, class Index>
device_csr<Value, Index> spgemm(runtime& device, const device_csr<Value, Index>& a, const device_csr<Value, Index>& b,
                                const spgemm_options& options, spgemm_statistics* statistics) {
  if (a.cols != b.rows)
    throw error(errc::invalid_argument, text("A has ", a.cols, " columns, B has ", b.rows, " rows"));
  using T = device_of<Value>;
  using namespace kernels;
  device_csr<Value, Index> c;
  c.rows = a.rows;
  c.cols = b.cols;
  c.row_offsets = device.zeros<std::int64_t>(a.rows + 1);
  spgemm_statistics counted;
  const auto run = [&]<template <class, class, class> class Count, template <class, class, class> class Fill>() {
    multiply<Count<raw_memory, none, Index>, Fill<raw_memory, T, Index>>(device, a, b, options, c, counted);
  };
  const bool no_products = a.nnz == 0 || b.nnz == 0;
  if (!no_products) switch (options.variant) {
      case spgemm_variant::text:
        run.template operator()<spgemm_count_text, spgemm_fill_text>();
        break;
      case spgemm_variant::touched:
        run.template operator()<spgemm_count_touched, spgemm_fill_touched>();
        break;
      case spgemm_variant::stamped:
        run.template operator()<spgemm_count_stamped, spgemm_fill_stamped>();
        break;
      case spgemm_variant::several_rows:
        run.template operator()<spgemm_count_several_rows, spgemm_fill_several_rows>();
        break;
      case spgemm_variant::dynamic:
        run.template operator()<spgemm_count_dynamic, spgemm_fill_dynamic>();
        break;
      case spgemm_variant::best: {
        const std::int64_t bytes = table_bytes_of_block<spgemm_fill_best_8<raw_memory, T, Index>>(b.cols);
        if (b.nnz <= short_rows_of_b * b.rows && bytes <= limits_of(device, options).bytes)
          run.template operator()<spgemm_count_best_8, spgemm_fill_best_8>();
        else
          run.template operator()<spgemm_count_best_32, spgemm_fill_best_32>();
        break;
      }
      case spgemm_variant::binned: {
        binned_product<Value, Index> product(device, a, b, options, statistics != nullptr ? &counted : nullptr);
        c.nnz = counted.entries = product.count();
        c.columns = device.allocate<Index>(c.nnz);
        c.values = device.allocate<T>(c.nnz);
        if (c.nnz > 0) product.fill({0, a.rows, 0, c.nnz, c.columns.data(), c.values.data()});
        c.row_offsets = std::move(product.row_offsets());
        break;
      }
    }
  if (statistics != nullptr) *statistics = counted;
  return c;
}

#define LACIS_INSTANTIATE(Value, Index)                                                                                \
  template device_csr<Value, Index> spgemm(runtime&, const device_csr<Value, Index>&, const device_csr<Value, Index>&, \
                                           const spgemm_options&, spgemm_statistics*);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::device

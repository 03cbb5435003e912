// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Lists of rows, and the launches over each of them.
#include "device/spgemm_binned.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "kernels/spgemm_hash.hpp"

namespace lacis::device {

using kernels::none;
using lacis::detail::text;

namespace {

constexpr std::int64_t blocks_on_multiprocessor = 16;
constexpr std::int64_t most_grid = std::numeric_limits<std::int32_t>::max();

template <class T> spgemm_array_place place(spgemm_array which, const device_array<T>& array) {
  return {which, array.data(), array.size() * static_cast<std::int64_t>(sizeof(T))};
}

/// The limits that the tables of three shapes allow.
template <class Few, class Medium, class Wide> spgemm_limits within(const spgemm_limits& limits) {
  return {std::min<std::int64_t>(limits.few, Few::slots / 2), std::min<std::int64_t>(limits.medium, Medium::slots / 2),
          std::min<std::int64_t>(limits.wide, Wide::slots / 2)};
}

}  // namespace

const char* name_of(spgemm_bin bin) {
  constexpr std::array<const char*, spgemm_bins> names = {"few", "medium", "wide", "large", "dense"};
  return names[static_cast<std::size_t>(bin)];
}

template <class Value, class Index>
binned_product<Value, Index>::binned_product(runtime& device, const device_csr<Value, Index>& a,
                                             const device_csr<Value, Index>& b, const spgemm_options& options,
                                             spgemm_statistics* statistics)
    : device_(device), a_(a), b_(b), options_(options), statistics_(statistics) {
  const lacis_device_facts& facts = device.facts();
  most_blocks_ = options.blocks > 0 ? options.blocks : blocks_on_multiprocessor * facts.multiprocessors;
  table_bytes_ = options.table_bytes > 0 ? options.table_bytes : facts.memory_bytes / 8;
}

template <class Value, class Index>
template <class Kernel>
void binned_product<Value, Index>::launch(spgemm_phase phase, spgemm_bin bin, const Kernel& kernel, std::int64_t blocks,
                                          std::initializer_list<spgemm_array_place> own) {
  if (options_.observer != nullptr) {
    std::vector<spgemm_array_place> arrays = {
        place(spgemm_array::a_offsets, a_.row_offsets), place(spgemm_array::a_columns, a_.columns),
        place(spgemm_array::a_values, a_.values),       place(spgemm_array::b_offsets, b_.row_offsets),
        place(spgemm_array::b_columns, b_.columns),     place(spgemm_array::b_values, b_.values),
        place(spgemm_array::c_offsets, c_offsets_),     place(spgemm_array::row_counts, products_),
        place(spgemm_array::row_counts, entries_)};
    arrays.insert(arrays.end(), own.begin(), own.end());
    options_.observer->launching(phase, bin, arrays);
  }
  device_.launch(kernel, std::min(blocks, most_grid));
  if (statistics_ != nullptr) ++statistics_->launches;
}

template <class Value, class Index>
auto binned_product<Value, Index>::make_lists(std::int64_t first, std::int64_t last,
                                              const device_array<std::int64_t>& counts, const spgemm_limits& limits,
                                              std::int64_t dense_bytes) -> row_lists {
  using counts_kernel = kernels::spgemm_bin_counts<raw_memory, none, none>;
  using lists_kernel = kernels::spgemm_bin_lists<raw_memory, none, none>;
  const std::int64_t rows = last - first;
  const std::int64_t medium = std::max(limits.few, limits.medium);
  const std::int64_t wide = std::max(medium, limits.wide);
  // Where no table over all columns would fit, long rows are hashed however many columns they have.
  const bool dense_fits = options_.tuning.dense_share > 0 && b_.cols <= table_bytes_ / dense_bytes;
  const std::int64_t large =
      dense_fits ? std::clamp(b_.cols / options_.tuning.dense_share, wide, std::max(wide, kernels::most_hashed))
                 : kernels::most_hashed;
  const kernels::bin_limits bins{limits.few, medium, wide, large};

  row_lists lists;
  lists.rows = device_.allocate<std::int64_t>(rows);
  lists.counters = device_.zeros<std::int64_t>(kernels::spgemm_lists * kernels::spgemm_counters);
  const std::int64_t blocks = runtime::blocks_for(rows, counts_kernel::block_threads);
  const auto block_counts = device_.allocate<std::int64_t>(kernels::spgemm_lists * blocks);
  const auto block_offsets = device_.allocate<std::int64_t>(kernels::spgemm_lists * blocks + 1);
  const auto starts = device_.allocate<std::int64_t>(kernels::spgemm_lists + 1);
  launch(spgemm_phase::inspect, spgemm_bin::few, counts_kernel{rows, bins, counts.data() + first, block_counts.data()},
         blocks, {place(spgemm_array::block_counts, block_counts)});
  device_.scan(block_counts.data(), block_offsets.data(), kernels::spgemm_lists * blocks);
  launch(spgemm_phase::inspect, spgemm_bin::few,
         lists_kernel{rows, first, bins, counts.data() + first, block_offsets.data(), lists.rows.data(), starts.data()},
         blocks,
         {place(spgemm_array::block_counts, block_offsets), place(spgemm_array::block_counts, starts),
          place(spgemm_array::row_list, lists.rows)});
  device_.template download<std::int64_t>(starts.data(), std::span(lists.starts));
  if (lists.size(spgemm_bin::dense) >= std::numeric_limits<std::int32_t>::max())
    throw error(errc::overflow, text("tables over all columns mark ", lists.size(spgemm_bin::dense),
                                     " rows with 32 bits; multiply parts of A's rows"));
  if (lists.size(spgemm_bin::large) > 0) lists.longest = std::min(device_.largest(counts.data() + first, rows), large);
  return lists;
}

template <class Value, class Index>
std::int64_t binned_product<Value, Index>::table_blocks(const char* kernel, std::int64_t rows, std::int64_t slots,
                                                        std::int64_t slot_bytes) {
  const std::int64_t fitting = table_bytes_ / slot_bytes / slots;
  if (fitting == 0)
    throw error(errc::out_of_memory,
                text("kernel ", kernel, ": the table of one row has ", slots, " slots of ", slot_bytes,
                     " bytes, tables may take ", table_bytes_, "; give the product more memory"));
  const std::int64_t blocks = std::min({rows, most_blocks_, fitting});
  if (statistics_ != nullptr) {
    statistics_->table_entries += blocks * slots;
    statistics_->table_bytes = std::max(statistics_->table_bytes, blocks * slots * slot_bytes);
  }
  return blocks;
}

template <class Value, class Index>
void binned_product<Value, Index>::add_up(std::array<spgemm_bin_share, spgemm_bins>& shares, const row_lists& lists) {
  std::vector<std::int64_t> counters(static_cast<std::size_t>(lists.counters.size()));
  if (options_.count_probes) device_.template download<std::int64_t>(lists.counters.data(), std::span(counters));
  for (std::size_t bin = 0; bin < spgemm_bins; ++bin) {
    const std::int64_t* const own = counters.data() + bin * kernels::spgemm_counters;
    shares[bin].rows += lists.size(static_cast<spgemm_bin>(bin));
    shares[bin].products += own[kernels::product_counter];
    shares[bin].probes += own[kernels::probe_counter];
  }
}

template <class Value, class Index>
template <class Kernel>
void binned_product<Value, Index>::count_hashed(spgemm_bin bin, const row_lists& lists) {
  const std::int64_t rows = lists.size(bin);
  if (rows == 0) return;
  std::int64_t blocks = runtime::blocks_for(rows, Kernel::group::in_block);
  std::int64_t slots = 0;
  if constexpr (!Kernel::shape::in_shared) {
    slots = std::int64_t{1} << kernels::slot_bits(lists.longest);
    blocks = table_blocks(Kernel::name, rows, slots, sizeof(Index));
  }
  const auto keys = device_.allocate<Index>(slots * blocks);
  launch(spgemm_phase::count, bin,
         Kernel{rows, lists.list(bin), products_.data(), a_.row_offsets.data(), a_.columns.data(),
                b_.row_offsets.data(), b_.columns.data(), slots, keys.data(), entries_.data(), lists.counters_of(bin),
                options_.count_probes ? 1 : 0},
         blocks,
         {place(spgemm_array::row_list, lists.rows), place(spgemm_array::counters, lists.counters),
          place(spgemm_array::table_keys, keys)});
}

template <class Value, class Index> void binned_product<Value, Index>::count_dense(const row_lists& lists) {
  using kernel = kernels::spgemm_dense_count<raw_memory, none, Index>;
  const std::int64_t rows = lists.size(spgemm_bin::dense);
  if (rows == 0) return;
  const std::int64_t blocks = table_blocks(kernel::name, rows, b_.cols, sizeof(std::int32_t));
  const auto marks = device_.zeros<std::int32_t>(blocks * b_.cols);
  launch(spgemm_phase::count, spgemm_bin::dense,
         kernel{rows, b_.cols, lists.list(spgemm_bin::dense), a_.row_offsets.data(), a_.columns.data(),
                b_.row_offsets.data(), b_.columns.data(), marks.data(), entries_.data(),
                lists.counters_of(spgemm_bin::dense), options_.count_probes ? 1 : 0},
         blocks,
         {place(spgemm_array::row_list, lists.rows), place(spgemm_array::counters, lists.counters),
          place(spgemm_array::table_keys, marks)});
}

template <class Value, class Index> std::int64_t binned_product<Value, Index>::count() {
  using namespace kernels;
  using products_kernel = spgemm_products<raw_memory, none, Index>;
  products_ = device_.allocate<std::int64_t>(a_.rows);
  entries_ = device_.zeros<std::int64_t>(a_.rows);
  c_offsets_ = device_.zeros<std::int64_t>(a_.rows + 1);
  launch(spgemm_phase::inspect, spgemm_bin::few,
         products_kernel{a_.rows, a_.row_offsets.data(), a_.columns.data(), b_.row_offsets.data(), products_.data()},
         runtime::blocks_for(a_.rows, products_kernel::group::in_block), {});
  if (statistics_ != nullptr) statistics_->products = device_.sum(products_.data(), a_.rows);
  const row_lists lists = make_lists(
      0, a_.rows, products_, within<count_few_shape, count_medium_shape, count_wide_shape>(options_.tuning.count),
      sizeof(std::int32_t));
  count_hashed<spgemm_hash_count_few<raw_memory, none, Index>>(spgemm_bin::few, lists);
  count_hashed<spgemm_hash_count_medium<raw_memory, none, Index>>(spgemm_bin::medium, lists);
  count_hashed<spgemm_hash_count_wide<raw_memory, none, Index>>(spgemm_bin::wide, lists);
  count_hashed<spgemm_hash_count_large<raw_memory, none, Index>>(spgemm_bin::large, lists);
  count_dense(lists);
  if (statistics_ != nullptr) add_up(statistics_->count_bins, lists);
  device_.scan(entries_.data(), c_offsets_.data(), a_.rows);
  products_ = {};
  return device_.read(c_offsets_.data() + a_.rows);
}

template <class Value, class Index>
template <class Kernel>
void binned_product<Value, Index>::fill_hashed(spgemm_bin bin, const row_lists& lists, const target& c) {
  using T = device_of<Value>;
  const std::int64_t rows = lists.size(bin);
  if (rows == 0) return;
  std::int64_t blocks = runtime::blocks_for(rows, Kernel::group::in_block);
  std::int64_t slots = 0;
  if constexpr (!Kernel::shape::in_shared) {
    slots = std::int64_t{1} << kernels::slot_bits(lists.longest);
    blocks = table_blocks(Kernel::name, rows, slots, sizeof(Index) + sizeof(T));
  }
  const auto keys = device_.allocate<Index>(slots * blocks);
  const auto sums = device_.allocate<T>(slots * blocks);
  launch(spgemm_phase::fill, bin,
         Kernel{rows, lists.list(bin), a_.row_offsets.data(), a_.columns.data(), a_.values.data(), a_.iso ? 0 : 1,
                b_.row_offsets.data(), b_.columns.data(), b_.values.data(), b_.iso ? 0 : 1, c_offsets_.data(),
                c.first_entry, c.columns, c.values, slots, keys.data(), sums.data(), lists.counters_of(bin),
                options_.count_probes ? 1 : 0},
         blocks,
         {place(spgemm_array::row_list, lists.rows), place(spgemm_array::counters, lists.counters),
          place(spgemm_array::table_keys, keys), place(spgemm_array::table_sums, sums), c.columns_place(),
          c.values_place()});
}

template <class Value, class Index>
void binned_product<Value, Index>::fill_dense(const row_lists& lists, const target& c) {
  using T = device_of<Value>;
  using kernel = kernels::spgemm_dense_fill<raw_memory, T, Index>;
  const std::int64_t rows = lists.size(spgemm_bin::dense);
  if (rows == 0) return;
  const std::int64_t blocks = table_blocks(kernel::name, rows, b_.cols, sizeof(std::int32_t) + sizeof(T));
  const auto marks = device_.zeros<std::int32_t>(blocks * b_.cols);
  const auto sums = device_.allocate<T>(blocks * b_.cols);
  launch(spgemm_phase::fill, spgemm_bin::dense,
         kernel{rows, b_.cols, lists.list(spgemm_bin::dense), a_.row_offsets.data(), a_.columns.data(),
                a_.values.data(), a_.iso ? 0 : 1, b_.row_offsets.data(), b_.columns.data(), b_.values.data(),
                b_.iso ? 0 : 1, c_offsets_.data(), c.first_entry, c.columns, c.values, marks.data(), sums.data(),
                lists.counters_of(spgemm_bin::dense), options_.count_probes ? 1 : 0},
         blocks,
         {place(spgemm_array::row_list, lists.rows), place(spgemm_array::counters, lists.counters),
          place(spgemm_array::table_keys, marks), place(spgemm_array::table_sums, sums), c.columns_place(),
          c.values_place()});
}

template <class Value, class Index>
void binned_product<Value, Index>::sort_large(const row_lists& lists, const target& c) {
  using kernel = kernels::spgemm_sort_tiles<raw_memory, device_of<Value>, Index>;
  const std::int64_t rows = lists.size(spgemm_bin::large);
  if (rows == 0) return;
  launch(spgemm_phase::sort, spgemm_bin::large,
         kernel{rows, lists.list(spgemm_bin::large), c_offsets_.data(), c.first_entry, c.columns, c.values}, rows,
         {place(spgemm_array::row_list, lists.rows), c.columns_place(), c.values_place()});
}

template <class Value, class Index> void binned_product<Value, Index>::fill(const target& c) {
  using namespace kernels;
  using T = device_of<Value>;
  const row_lists lists = make_lists(c.first_row, c.last_row, entries_,
                                     within<fill_few_shape, fill_medium_shape, fill_wide_shape>(options_.tuning.fill),
                                     sizeof(std::int32_t) + sizeof(T));
  fill_hashed<spgemm_hash_fill_few<raw_memory, T, Index>>(spgemm_bin::few, lists, c);
  fill_hashed<spgemm_hash_fill_medium<raw_memory, T, Index>>(spgemm_bin::medium, lists, c);
  fill_hashed<spgemm_hash_fill_wide<raw_memory, T, Index>>(spgemm_bin::wide, lists, c);
  fill_hashed<spgemm_hash_fill_large<raw_memory, T, Index>>(spgemm_bin::large, lists, c);
  fill_dense(lists, c);
  sort_large(lists, c);
  if (statistics_ != nullptr) add_up(statistics_->fill_bins, lists);
}

#define LACIS_INSTANTIATE(Value, Index) template class binned_product<Value, Index>;
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conversions from CSR on a device: sizes by scans and sorts, then one kernel that fills the slots.
#include "device/convert.hpp"

#include <utility>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "formats/layout.hpp"
#include "kernels/convert.hpp"

namespace lacis::device {
namespace {

using lacis::detail::checked_multiply;
using lacis::detail::require_index;
using lacis::detail::text;
using simt::none;

/// A kernel without values.
template <template <class, class, class> class Kernel, class Index> using of_index = Kernel<raw_memory, none, Index>;
/// A kernel that only works on numbers of 64 bits.
template <template <class, class, class> class Kernel> using of_counts = Kernel<raw_memory, none, none>;
template <template <class, class, class> class Kernel, class Value, class Index>
using of_both = Kernel<raw_memory, device_of<Value>, Index>;

void require_device_memory(runtime& device, std::int64_t bytes, matrix_format f, convert_options options) {
  if (options.memory_limit <= 0) options.memory_limit = device.facts().memory_bytes / 4 * 3;
  lacis::detail::require_memory(bytes, f, options);
}

template <class Value, class Index> std::int64_t slot_bytes(const device_csr<Value, Index>& a) {
  return static_cast<std::int64_t>(sizeof(Index) + (a.iso ? 0 : sizeof(Value)));
}

template <class T> device_array<T> copy_of(runtime& device, const device_array<T>& array) {
  auto copy = device.allocate<T>(array.size());
  device.copy(copy.data(), array.data(), static_cast<std::size_t>(array.size()) * sizeof(T), lacis_copy_on_device);
  return copy;
}

/// Room for `slots` values, or a copy of the one that all entries have.
template <class Value, class Index>
auto values_like(runtime& device, const device_csr<Value, Index>& a, std::int64_t slots) {
  return a.iso ? copy_of(device, a.values) : device.allocate<device_of<Value>>(slots);
}

template <class Value, class Index>
device_array<std::int64_t> lengths_of(runtime& device, const device_csr<Value, Index>& a) {
  auto lengths = device.allocate<std::int64_t>(a.rows);
  device.launch_over(of_counts<kernels::row_lengths>{a.rows, a.row_offsets.data(), lengths.data()}, a.rows);
  return lengths;
}

device_array<std::int64_t> offsets_of(runtime& device, const device_array<std::int64_t>& counts) {
  auto offsets = device.allocate<std::int64_t>(counts.size() + 1);
  device.scan(counts.data(), offsets.data(), counts.size());
  return offsets;
}

/// How many rows have more than d entries, for each d below the length of the longest: the lengths of JDS's diagonals.
device_array<std::int64_t> rows_longer(runtime& device, const device_array<std::int64_t>& lengths,
                                       std::int64_t longest) {
  auto rows_of_length = device.zeros<std::int64_t>(longest + 1);
  device.launch_over(of_counts<kernels::length_histogram>{lengths.size(), lengths.data(), rows_of_length.data()},
                     lengths.size());
  const auto shorter = offsets_of(device, rows_of_length);
  auto longer = device.allocate<std::int64_t>(longest);
  device.launch_over(of_counts<kernels::longer_rows>{lengths.size(), longest, shorter.data(), longer.data()}, longest);
  return longer;
}

/// Rows by falling length within windows, equal lengths in the order of the matrix. A window of 1 leaves them alone.
template <class Index>
device_array<Index> order_by_length(runtime& device, const device_array<std::int64_t>& lengths, std::int64_t longest,
                                    std::int64_t window) {
  const std::int64_t rows = lengths.size();
  (void)checked_multiply(longest + 1, window, "the keys that sort rows by length");
  auto keys = device.allocate<std::int64_t>(rows);
  auto permutation = device.allocate<Index>(rows);
  const std::int64_t windows = runtime::blocks_for(rows, window);
  auto window_offsets = device.zeros<std::int64_t>(windows + 1);
  device.launch_over(of_index<kernels::length_keys, Index>{rows, window, longest, lengths.data(), keys.data(),
                                                           permutation.data(), window_offsets.data()},
                     rows);
  if (window > 1) device.sort_segments(keys.data(), permutation.data(), window_offsets.data(), windows, rows);
  return permutation;
}

/// An ELL matrix of the first `width` entries of each row; `rests` gets what the rows have beyond.
template <class Value, class Index>
device_ell<Value, Index> ell_prefix(runtime& device, const device_csr<Value, Index>& a,
                                    const device_array<std::int64_t>& lengths, std::int64_t width,
                                    device_array<std::int64_t>& rests) {
  require_index<Index>(width, "entries in a row");
  const std::int64_t slots = checked_multiply(a.rows, width, "the slots of ell");
  device_ell<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .width = width,
                                  .entries = a.nnz,
                                  .iso = a.iso,
                                  .row_lengths = device.allocate<Index>(a.rows),
                                  .columns = device.allocate<Index>(slots),
                                  .values = values_like(device, a, slots)};
  rests = device.allocate<std::int64_t>(a.rows);
  device.launch_over(
      of_index<kernels::cut_lengths, Index>{a.rows, width, lengths.data(), result.row_lengths.data(), rests.data()},
      a.rows);
  device.launch_over(of_both<kernels::ell_fill, Value, Index>{a.rows, slots, a.iso, result.row_lengths.data(),
                                                              a.row_offsets.data(), a.columns.data(), a.values.data(),
                                                              result.columns.data(), result.values.data()},
                     slots);
  return result;
}

/// The number of ELL slots a row that makes HYB smallest, as lacis::detail::hyb_width has it: a slot more is worth
/// while as long as enough rows are longer, and ever fewer are.
template <class Value, class Index>
std::int64_t hyb_width(runtime& device, const device_csr<Value, Index>& a, const device_array<std::int64_t>& lengths,
                       std::int64_t longest) {
  const std::int64_t slot = slot_bytes(a);
  const std::int64_t entry = slot + static_cast<std::int64_t>(sizeof(Index));
  const auto enough = static_cast<std::int64_t>(static_cast<__int128>(a.rows) * slot / entry);
  const auto longer = rows_longer(device, lengths, longest);
  auto flags = device.allocate<std::int64_t>(longest);
  device.launch_over(of_counts<kernels::flag_above>{longest, enough, longer.data(), flags.data()}, longest);
  return device.sum(flags.data(), longest);
}

}  // namespace

template <class Value, class Index>
device_coo<Value, Index> to_coo(runtime& device, const device_csr<Value, Index>& a) {
  require_index<Index>(a.rows, "rows");
  device_coo<Value, Index> result{
      a.rows, a.cols, a.iso, device.allocate<Index>(a.nnz), copy_of(device, a.columns), copy_of(device, a.values)};
  device.launch_over(
      of_index<kernels::expand_rows, Index>{a.rows, a.nnz, a.row_offsets.data(), result.row_indices.data()}, a.nnz);
  return result;
}

template <class Value, class Index> device_csr<Value, Index> to_csr(runtime& device, device_coo<Value, Index>&& a) {
  auto row_offsets = device.allocate<std::int64_t>(a.rows + 1);
  device.launch_over(of_index<kernels::row_starts, Index>{a.rows, a.nnz(), a.row_indices.data(), row_offsets.data()},
                     a.rows + 1);
  const std::int64_t nnz = a.nnz();
  return {a.rows, a.cols, nnz, a.iso, std::move(row_offsets), std::move(a.columns), std::move(a.values)};
}

template <class Value, class Index>
device_ell<Value, Index> to_ell(runtime& device, const device_csr<Value, Index>& a, const convert_options& options) {
  const auto lengths = lengths_of(device, a);
  const std::int64_t longest = device.largest(lengths.data(), a.rows);
  const std::int64_t slots = checked_multiply(a.rows, longest, "the slots of ell");
  require_device_memory(device, checked_multiply(slots, slot_bytes(a), "the bytes of ell"), matrix_format::ell,
                        options);
  device_array<std::int64_t> rests;
  return ell_prefix(device, a, lengths, longest, rests);
}

template <class Value, class Index>
device_hyb<Value, Index> to_hyb(runtime& device, const device_csr<Value, Index>& a, const convert_options& options) {
  require_index<Index>(a.rows, "rows");
  const auto lengths = lengths_of(device, a);
  const std::int64_t width = hyb_width(device, a, lengths, device.largest(lengths.data(), a.rows));
  const std::int64_t slots = checked_multiply(a.rows, width, "the slots of hyb");
  require_device_memory(device, checked_multiply(slots, slot_bytes(a), "the bytes of hyb"), matrix_format::hyb,
                        options);
  device_hyb<Value, Index> result{a.rows, a.cols, {}, {}, {}};
  device_array<std::int64_t> rests;
  result.ell = ell_prefix(device, a, lengths, width, rests);
  result.rest_offsets = offsets_of(device, rests);
  const std::int64_t rest = device.read(result.rest_offsets.data() + a.rows);
  result.ell.entries = a.nnz - rest;
  result.coo = {
      a.rows, a.cols, a.iso, device.allocate<Index>(rest), device.allocate<Index>(rest), values_like(device, a, rest)};
  device.launch_over(of_both<kernels::hyb_fill, Value, Index>{a.rows, width, rest, a.iso, result.rest_offsets.data(),
                                                              a.row_offsets.data(), a.columns.data(), a.values.data(),
                                                              result.coo.row_indices.data(), result.coo.columns.data(),
                                                              result.coo.values.data()},
                     rest);
  return result;
}

template <class Value, class Index>
device_jds<Value, Index> to_jds(runtime& device, const device_csr<Value, Index>& a) {
  require_index<Index>(a.rows, "rows");
  const auto lengths = lengths_of(device, a);
  const std::int64_t longest = device.largest(lengths.data(), a.rows);
  device_jds<Value, Index> result{
      .rows = a.rows,
      .cols = a.cols,
      .iso = a.iso,
      .permutation = order_by_length<Index>(device, lengths, longest, std::max<std::int64_t>(a.rows, 1)),
      .diagonal_offsets = offsets_of(device, rows_longer(device, lengths, longest)),
      .columns = device.allocate<Index>(a.nnz),
      .values = values_like(device, a, a.nnz)};
  device.launch_over(
      of_both<kernels::jds_fill, Value, Index>{longest, a.nnz, a.iso, result.permutation.data(),
                                               result.diagonal_offsets.data(), a.row_offsets.data(), a.columns.data(),
                                               a.values.data(), result.columns.data(), result.values.data()},
      a.nnz);
  return result;
}

template <class Value, class Index>
device_sell<Value, Index> to_sell(runtime& device, const device_csr<Value, Index>& a, const convert_options& options) {
  lacis::detail::require_sell_options(options);
  require_index<Index>(a.rows, "rows");
  const auto lengths = lengths_of(device, a);
  const std::int64_t longest = device.largest(lengths.data(), a.rows);
  require_index<Index>(longest, "entries in a row");
  const std::int64_t height = options.slice_height;
  (void)checked_multiply(longest, height, "the slots of a slice");
  const std::int64_t slices = runtime::blocks_for(a.rows, height);
  device_sell<Value, Index> result{.rows = a.rows,
                                   .cols = a.cols,
                                   .entries = a.nnz,
                                   .slice_height = height,
                                   .sort_window = options.sort_window,
                                   .iso = a.iso,
                                   .permutation = order_by_length<Index>(device, lengths, longest, options.sort_window),
                                   .row_lengths = device.allocate<Index>(a.rows),
                                   .slice_offsets = {},
                                   .columns = {},
                                   .values = {}};
  const auto slice_slots = device.zeros<std::int64_t>(slices);
  device.launch_over(of_index<kernels::place_lengths, Index>{a.rows, height, lengths.data(), result.permutation.data(),
                                                             result.row_lengths.data(), slice_slots.data()},
                     a.rows);
  result.slice_offsets = offsets_of(device, slice_slots);
  const std::int64_t slots = device.read(result.slice_offsets.data() + slices);
  require_device_memory(device, checked_multiply(slots, slot_bytes(a), "the bytes of sell"), matrix_format::sell,
                        options);
  result.columns = device.allocate<Index>(slots);
  result.values = values_like(device, a, slots);
  device.launch_over(
      of_both<kernels::sell_fill, Value, Index>{a.rows, slices, height, slots, a.iso, result.permutation.data(),
                                                result.row_lengths.data(), result.slice_offsets.data(),
                                                a.row_offsets.data(), a.columns.data(), a.values.data(),
                                                result.columns.data(), result.values.data()},
      slots);
  return result;
}

template <class Value, class Index>
device_bsr<Value, Index> to_bsr(runtime& device, const device_csr<Value, Index>& a, const convert_options& options) {
  lacis::detail::require_bsr_options(options);
  const auto size = static_cast<int>(options.block_size);
  const std::int64_t block_rows = runtime::blocks_for(a.rows, size);
  auto flags = device.allocate<std::int64_t>(a.nnz);
  device.launch_over(
      of_index<kernels::descents, Index>{a.rows, a.nnz, a.row_offsets.data(), a.columns.data(), flags.data()}, a.nnz);
  if (const std::int64_t descents = device.sum(flags.data(), a.nnz); descents > 0)
    throw error(errc::invalid_matrix,
                text("bsr, which has one slot for each place, needs strictly ascending columns, but ", descents,
                     " entries of the matrix do not ascend; call canonical() first"));
  device.launch_over(of_index<kernels::block_leaders, Index>{a.rows, a.nnz, size, a.row_offsets.data(),
                                                             a.columns.data(), flags.data()},
                     a.nnz);
  const auto leaders_before = offsets_of(device, flags);
  const std::int64_t blocks = device.read(leaders_before.data() + a.nnz);
  const std::int64_t slots = std::int64_t{size} * size;
  const std::int64_t mask_bytes = (slots + 7) / 8;
  const std::int64_t block_bytes = (a.iso ? 0 : slots * static_cast<std::int64_t>(sizeof(Value))) + mask_bytes +
                                   static_cast<std::int64_t>(sizeof(Index));
  require_device_memory(device, checked_multiply(blocks, block_bytes, "the bytes of bsr"), matrix_format::bsr, options);
  device_bsr<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .entries = a.nnz,
                                  .block_size = size,
                                  .iso = a.iso,
                                  .row_offsets = device.allocate<std::int64_t>(block_rows + 1),
                                  .block_columns = device.allocate<Index>(blocks),
                                  .mask = device.allocate<std::uint8_t>(blocks * mask_bytes),
                                  .values = values_like(device, a, blocks * slots)};
  device.launch_over(of_index<kernels::block_list, Index>{a.nnz, size, leaders_before.data(), a.columns.data(),
                                                          result.block_columns.data()},
                     a.nnz);
  device.launch_over(of_index<kernels::block_rows, Index>{a.rows, block_rows, size, a.row_offsets.data(),
                                                          leaders_before.data(), result.row_offsets.data()},
                     block_rows + 1);
  auto moved_along = device.allocate<std::int32_t>(blocks);  // a sort moves values, and there are none yet
  device.sort_segments(result.block_columns.data(), moved_along.data(), result.row_offsets.data(), block_rows, blocks);
  const std::int64_t bits = blocks * mask_bytes * 8;
  device.launch_over(
      of_both<kernels::bsr_fill, Value, Index>{a.rows, block_rows, bits, size, a.iso, result.row_offsets.data(),
                                               result.block_columns.data(), a.row_offsets.data(), a.columns.data(),
                                               a.values.data(), result.mask.data(), result.values.data()},
      bits);
  return result;
}

#define LACIS_CONVERT(Value, Index)                                                                              \
  template device_coo<Value, Index> to_coo(runtime&, const device_csr<Value, Index>&);                           \
  template device_csr<Value, Index> to_csr(runtime&, device_coo<Value, Index>&&);                                \
  template device_ell<Value, Index> to_ell(runtime&, const device_csr<Value, Index>&, const convert_options&);   \
  template device_hyb<Value, Index> to_hyb(runtime&, const device_csr<Value, Index>&, const convert_options&);   \
  template device_jds<Value, Index> to_jds(runtime&, const device_csr<Value, Index>&);                           \
  template device_sell<Value, Index> to_sell(runtime&, const device_csr<Value, Index>&, const convert_options&); \
  template device_bsr<Value, Index> to_bsr(runtime&, const device_csr<Value, Index>&, const convert_options&);
LACIS_FOR_EACH_TYPE(LACIS_CONVERT)

}  // namespace lacis::device

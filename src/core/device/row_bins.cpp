// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Counts the chunks of each block of rows, sums the counts, writes the lists.
#include "device/row_bins.hpp"

#include "kernels/spmv_long.hpp"
#include "summation/sum.hpp"

namespace lacis::device {

static_assert(kernels::short_row == summation::canonical.short_limit &&
              kernels::chunk_entries == summation::canonical.chunk && simt::warp_size == summation::canonical.lanes);

row_bins make_row_bins(runtime& device, std::int64_t rows, const std::int64_t* row_offsets) {
  using count_kernel = kernels::long_rows_count<raw_memory, simt::none, simt::none>;
  using list_kernel = kernels::long_rows_list<raw_memory, simt::none, simt::none>;
  static_assert(count_kernel::block_threads == list_kernel::block_threads);

  row_bins bins;
  if (rows == 0) return bins;
  const std::int64_t blocks = runtime::blocks_for(rows, count_kernel::block_threads);
  const auto chunk_counts = device.allocate<std::int64_t>(blocks);
  const auto join_counts = device.allocate<std::int64_t>(blocks);
  const auto chunk_offsets = device.allocate<std::int64_t>(blocks + 1);
  const auto join_offsets = device.allocate<std::int64_t>(blocks + 1);
  device.launch(count_kernel{rows, row_offsets, chunk_counts.data(), join_counts.data()}, blocks);
  device.scan(chunk_counts.data(), chunk_offsets.data(), blocks);
  device.scan(join_counts.data(), join_offsets.data(), blocks);
  bins.chunks = device.read(chunk_offsets.data() + blocks);
  if (bins.chunks == 0) return bins;
  bins.joins = device.read(join_offsets.data() + blocks);
  bins.chunk_rows = device.allocate<std::int64_t>(bins.chunks);
  bins.chunk_numbers = device.allocate<std::int64_t>(bins.chunks);
  bins.join_rows = device.allocate<std::int64_t>(bins.joins);
  bins.join_chunks = device.allocate<std::int64_t>(bins.joins);
  device.launch(list_kernel{rows, row_offsets, chunk_offsets.data(), join_offsets.data(), bins.chunk_rows.data(),
                            bins.chunk_numbers.data(), bins.join_rows.data(), bins.join_chunks.data()},
                blocks);
  return bins;
}

}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The long rows of a matrix on a device, as lists of chunks that warps take one by one.
#pragma once

#include <cstdint>

#include "device/runtime.hpp"

namespace lacis::device {

/// Chunks of rows of more than 32 entries, rows ascending, and the rows that have several of them.
struct row_bins {
  std::int64_t chunks = 0;
  std::int64_t joins = 0;
  device_array<std::int64_t> chunk_rows;     ///< of each chunk: its row
  device_array<std::int64_t> chunk_numbers;  ///< and its number in the row
  device_array<std::int64_t> join_rows;      ///< of each row of several chunks: its number
  device_array<std::int64_t> join_chunks;    ///< and its first chunk in the list
};

/// Reads the rows + 1 row offsets on the device twice; takes 32 bytes for each 256 rows while it works.
[[nodiscard]] row_bins make_row_bins(runtime& device, std::int64_t rows, const std::int64_t* row_offsets);

}  // namespace lacis::device

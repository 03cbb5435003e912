// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices on a device: count, scan, fill, sort.
#pragma once

#include <cstdint>

#include "device/matrix.hpp"
#include "device/runtime.hpp"

namespace lacis::device {

/// Rose's kernels, what that text leaves to be done, and all of it. Every variant gives the same bits.
enum class spgemm_variant {
  text,          ///< a block a row, rows dealt, tables reset whole before every row
  touched,       ///< only the entries that a row wrote are reset
  stamped,       ///< nothing is reset: entries say which row wrote them
  several_rows,  ///< 8 threads a row, 16 rows a block at once
  dynamic,       ///< rows claimed by an atomic counter
  best           ///< stamped, several rows (8 threads each, 32 where rows of B are longer than 16 on average), dynamic
};

/// How the columns of a row are put in order.
enum class spgemm_sort {
  radix,     ///< Rose's: from the highest digit down, in place, with a queue of buckets
  segmented  ///< the device's own segmented sort
};

struct spgemm_options {
  spgemm_variant variant = spgemm_variant::best;
  spgemm_sort sort = spgemm_sort::segmented;
  std::int64_t blocks = 0;       ///< of a launch, at most; 0: 16 for each multiprocessor
  std::int64_t table_bytes = 0;  ///< that tables may take at a time; 0: an eighth of the device's memory
};

struct spgemm_statistics {
  std::int64_t products = 0;       ///< scalar products a_ik b_kj
  std::int64_t entries = 0;        ///< of C
  std::int64_t count_resets = 0;   ///< table entries that the count kernel reset
  std::int64_t fill_resets = 0;    ///< table entries that the fill kernel reset
  std::int64_t table_entries = 0;  ///< of both kernels' tables; where kernels do not reset whole ones, cleared once
  std::int64_t table_bytes = 0;    ///< of the larger of both kernels' tables
  std::int64_t launches = 0;

  [[nodiscard]] std::int64_t reset_entries() const { return count_resets + fill_resets; }
};

/// The place of the highest digit of a column below `cols`, for the radix sort.
[[nodiscard]] std::int32_t radix_top_shift(std::int64_t cols);

/// C = A B with the bits of summation::spgemm, its columns in ascending order. The rows of A and B are canonical
/// (strictly ascending columns); that is not checked here. An iso operand stays one value; C is never iso. A table has
/// an entry for each column of B, and each row in flight has a table: launches get fewer blocks where tables would pass
/// table_bytes, and error(out_of_memory) says what to do when one block's would. Sizes that do not fit are
/// error(invalid_argument).
template <class Value, class Index>
[[nodiscard]] device_csr<Value, Index> spgemm(runtime& device, const device_csr<Value, Index>& a,
                                              const device_csr<Value, Index>& b, const spgemm_options& options = {},
                                              spgemm_statistics* statistics = nullptr);

}  // namespace lacis::device

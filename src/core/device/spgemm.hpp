// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices on a device: count, scan, fill, sort.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/internal.hpp"
#include "device/matrix.hpp"
#include "device/runtime.hpp"

namespace lacis::device {

/// Rose's kernels, what that text leaves to be done, and all of it. Every variant gives the same bits.
enum class spgemm_variant {
  text,          ///< a block per row, rows dealt, tables reset whole before every row
  touched,       ///< only the entries that a row wrote are reset
  stamped,       ///< nothing is reset: entries say which row wrote them
  several_rows,  ///< 8 threads per row, 16 rows per block at once
  dynamic,       ///< rows claimed by an atomic counter
  best,          ///< stamped, several rows (8 threads each, 32 where rows of B are longer than 16 on average), dynamic
  binned         ///< not of that text: lists of rows of about the same size, tables as large as a row needs
};

/// How the columns of a row are put in order.
enum class spgemm_sort {
  radix,     ///< Rose's: from the highest digit down, in place, with a queue of buckets
  segmented  ///< the device's own segmented sort
};

/// The lists of the binned variant: tables in shared memory for 8 threads, a warp and a block, tables in global memory
/// with hashing and without.
enum class spgemm_bin { few, medium, wide, large, dense };
inline constexpr std::size_t spgemm_bins = 5;
/// "few", "medium", "wide", "large", "dense".
[[nodiscard]] LACIS_INTERNAL const char* name_of(spgemm_bin bin);

/// What a row may have at most, in products when they are counted and in entries when they are filled in, to be in a
/// list. More than the kernels' tables hold is cut down to that.
struct spgemm_limits {
  std::int64_t few;
  std::int64_t medium;
  std::int64_t wide;
};
struct spgemm_tuning {
  spgemm_limits count = {32, 256, 2048};
  spgemm_limits fill = {32, 128, 512};
  std::int64_t dense_share = 8;  ///< longer rows than `wide` with more than the columns over this are dense; 0: none
};

/// What a launch of the binned variant is for.
enum class spgemm_phase { inspect, count, fill, sort };

/// An array of the binned variant, for whoever watches it.
enum class spgemm_array {
  a_offsets,
  a_columns,
  a_values,
  b_offsets,
  b_columns,
  b_values,
  c_offsets,
  c_columns,
  c_values,
  row_list,
  row_counts,  ///< products or entries of each row
  block_counts,
  table_keys,
  table_sums,
  counters
};
struct spgemm_array_place {
  spgemm_array which;
  const void* data;
  std::int64_t bytes;
};
/// Is told of every launch of the binned variant before it is made; `bin` says nothing when the phase is `inspect`.
class spgemm_observer {
 public:
  virtual ~spgemm_observer() = default;
  virtual void launching(spgemm_phase phase, spgemm_bin bin, std::span<const spgemm_array_place> arrays) = 0;
};

struct spgemm_options {
  spgemm_variant variant = spgemm_variant::binned;
  spgemm_sort sort = spgemm_sort::segmented;  ///< the binned variant has its own
  std::int64_t blocks = 0;       ///< of a launch with tables in global memory, at most; 0: 16 for each multiprocessor
  std::int64_t table_bytes = 0;  ///< that tables may take at a time; 0: an eighth of the device's memory
  spgemm_tuning tuning = {};     ///< of the binned variant
  bool count_probes = false;     ///< for spgemm_bin_share, by atomics
  spgemm_observer* observer = nullptr;
};

/// The part of a binned product that one list had, in one phase.
struct spgemm_bin_share {
  std::int64_t rows = 0;
  std::int64_t products = 0;  ///< when probes are counted
  std::int64_t probes = 0;    ///< slots of tables that were looked at for them
};

struct spgemm_statistics {
  std::int64_t products = 0;       ///< scalar products a_ik b_kj
  std::int64_t entries = 0;        ///< of C
  std::int64_t count_resets = 0;   ///< table entries that the count kernel reset
  std::int64_t fill_resets = 0;    ///< table entries that the fill kernel reset
  std::int64_t table_entries = 0;  ///< of both kernels' tables; where kernels do not reset whole ones, cleared once
  std::int64_t table_bytes = 0;    ///< of the larger of both kernels' tables
  std::int64_t launches = 0;
  std::array<spgemm_bin_share, spgemm_bins> count_bins = {};
  std::array<spgemm_bin_share, spgemm_bins> fill_bins = {};

  [[nodiscard]] std::int64_t reset_entries() const { return count_resets + fill_resets; }
};

/// The place of the highest digit of a column below `cols`, for the radix sort.
[[nodiscard]] std::int32_t radix_top_shift(std::int64_t cols);

/// C = A B with the bits of summation::spgemm, its columns in ascending order. The rows of A and B are canonical
/// (strictly ascending columns); that is not checked here. An iso operand stays one value; C is never iso. Tables have
/// an entry for each column of B, but for those of the binned variant, and each row in flight has a table: launches get
/// fewer blocks where tables would pass table_bytes, and error(out_of_memory) says what to do when one block's would.
/// Sizes that do not fit are error(invalid_argument).
template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL device_csr<Value, Index> spgemm(runtime& device, const device_csr<Value, Index>& a,
                                                             const device_csr<Value, Index>& b,
                                                             const spgemm_options& options = {},
                                                             spgemm_statistics* statistics = nullptr);

}  // namespace lacis::device

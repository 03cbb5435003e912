// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A sparse product by lists of rows: counted whole, filled in whole or in slabs of rows.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include "device/spgemm.hpp"
#include "kernels/spgemm_bins.hpp"

namespace lacis::device {

/// Bytes of the device that a binned product takes beside operands, tables and C: for each row of A (products, entries,
/// offsets, lists, and the counts of its block), and however many there are.
inline constexpr std::int64_t binned_bytes_per_row = 33;
inline constexpr std::int64_t binned_bytes = std::int64_t{1} << 16;

template <class Value, class Index> class binned_product {
 public:
  /// `statistics` is null when they are not wanted. Operands and options outlive this.
  binned_product(runtime& device, const device_csr<Value, Index>& a, const device_csr<Value, Index>& b,
                 const spgemm_options& options, spgemm_statistics* statistics);

  /// Counts the entries of every row; row_offsets() are those of C from then on. Returns how many entries C has.
  std::int64_t count();
  [[nodiscard]] device_array<std::int64_t>& row_offsets() { return c_offsets_; }

  /// Rows of C, and where they go: arrays for the entries first_entry .. last_entry, which are the offsets of the rows.
  struct target {
    std::int64_t first_row;
    std::int64_t last_row;
    std::int64_t first_entry;
    std::int64_t last_entry;
    Index* columns;
    device_of<Value>* values;

    [[nodiscard]] spgemm_array_place columns_place() const {
      return {spgemm_array::c_columns, columns, (last_entry - first_entry) * static_cast<std::int64_t>(sizeof(Index))};
    }
    [[nodiscard]] spgemm_array_place values_place() const {
      return {spgemm_array::c_values, values, (last_entry - first_entry) * static_cast<std::int64_t>(sizeof(Value))};
    }
  };
  /// Computes these rows and sorts them.
  void fill(const target& c);

 private:
  /// Rows by list, one list behind the other.
  struct row_lists {
    device_array<std::int64_t> rows;
    device_array<std::int64_t> counters;
    std::array<std::int64_t, kernels::spgemm_lists + 1> starts = {};
    std::int64_t longest = 0;  ///< of those that are hashed in global memory

    [[nodiscard]] std::int64_t size(spgemm_bin bin) const { return starts[number(bin) + 1] - starts[number(bin)]; }
    [[nodiscard]] const std::int64_t* list(spgemm_bin bin) const { return rows.data() + starts[number(bin)]; }
    [[nodiscard]] std::int64_t* counters_of(spgemm_bin bin) const {
      return counters.data() + number(bin) * kernels::spgemm_counters;
    }
    static std::size_t number(spgemm_bin bin) { return static_cast<std::size_t>(bin); }
  };

  row_lists make_lists(std::int64_t first, std::int64_t last, const device_array<std::int64_t>& counts,
                       const spgemm_limits& limits, std::int64_t dense_bytes);
  /// How many blocks get a table of so many slots; error(out_of_memory) when none does.
  std::int64_t table_blocks(const char* kernel, std::int64_t rows, std::int64_t slots, std::int64_t slot_bytes);
  template <class Kernel>
  void launch(spgemm_phase phase, spgemm_bin bin, const Kernel& kernel, std::int64_t blocks,
              std::initializer_list<spgemm_array_place> own);
  void add_up(std::array<spgemm_bin_share, spgemm_bins>& shares, const row_lists& lists);

  template <class Kernel> void count_hashed(spgemm_bin bin, const row_lists& lists);
  void count_dense(const row_lists& lists);
  template <class Kernel> void fill_hashed(spgemm_bin bin, const row_lists& lists, const target& c);
  void fill_dense(const row_lists& lists, const target& c);
  void sort_large(const row_lists& lists, const target& c);

  runtime& device_;
  const device_csr<Value, Index>& a_;
  const device_csr<Value, Index>& b_;
  const spgemm_options& options_;
  spgemm_statistics* statistics_;
  std::int64_t most_blocks_;
  std::int64_t table_bytes_;
  device_array<std::int64_t> products_;  ///< of each row, while entries are counted
  device_array<std::int64_t> entries_;   ///< of each row
  device_array<std::int64_t> c_offsets_;
};

}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the parts of a sparse product on the processor share: operands, a thread's scratch memory, the table of kernels.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/isa.hpp>
#include <lacis/spgemm.hpp>

#include "cpu/spgemm_shapes.hpp"
#include "cpu/spgemm_templates.hpp"

namespace lacis::cpu {

/// A CSR matrix as kernels read it. `step` is 0 when one value stands for all.
template <class T, class Index> struct spgemm_operand {
  const std::int64_t* offsets = nullptr;
  const Index* columns = nullptr;
  const T* values = nullptr;
  std::int64_t step = 1;

  spgemm_operand() = default;
  explicit spgemm_operand(const csr_view<T, Index>& m)
      : offsets(m.row_offsets.data()),
        columns(m.columns.data()),
        values(m.values.data.data()),
        step(m.values.iso ? 0 : 1) {}
};

template <class T, class Index> struct spgemm_job {
  spgemm_operand<T, Index> a;
  spgemm_operand<T, Index> b;
  csr_view<T, Index> a_view;
  csr_view<T, Index> b_view;
  // Of rows that follow each other's pattern; null where the operands do not.
  const operand_shapes* shapes = nullptr;
  const operand_values<T>* values = nullptr;
  spgemm_templates* templates = nullptr;

  spgemm_job() = default;
  spgemm_job(const csr_view<T, Index>& left, const csr_view<T, Index>& right)
      : a(left), b(right), a_view(left), b_view(right) {}
  [[nodiscard]] std::int64_t cols() const { return b_view.cols; }
};

/// Products that are sorted in registers, and those that are sorted at all.
inline constexpr std::int64_t spgemm_block = 64;
inline constexpr std::int64_t spgemm_most_sorted = 1024;

/// Columns in a dense accumulator at most; wider rows go to a hash table.
inline constexpr std::int64_t spgemm_widest = std::int64_t{1} << 24;

/// One thread's memory for rows that it computes. Between rows `sums` are +0, `used` and `slots` empty.
template <class T, class Index> class spgemm_scratch {
 public:
  explicit spgemm_scratch(bool timed) : timed_(timed) {}

  // Room for a dense row of so many columns, a hash table for so many products, sorted blocks.
  void widen(std::int64_t cols);
  void enlarge_table(std::int64_t most);
  void prepare_sort();
  T* tile_for(const spgemm_template& pattern);

  /// From here on time is spent on that method.
  void enter(spgemm_method method) {
    if (!timed_ || method == method_) return;
    leave();
    method_ = method;
  }
  /// Closes the time of the last method.
  void leave() {
    const auto now = std::chrono::steady_clock::now();
    shares[static_cast<std::size_t>(method_)].seconds += std::chrono::duration<double>(now - since_).count();
    since_ = now;
  }
  void count(spgemm_method method, std::int64_t rows, std::int64_t made, std::int64_t entries) {
    spgemm_share& share = shares[static_cast<std::size_t>(method)];
    share.rows += rows;
    share.products += made;
    share.entries += entries;
  }
  void begin() { since_ = std::chrono::steady_clock::now(); }

  [[nodiscard]] std::int64_t bytes() const {
    return (sums.size() + products.size() + slot_sums.size() + tile.size()) * static_cast<std::int64_t>(sizeof(T)) +
           used.size() + slots.size() * static_cast<std::int64_t>(sizeof(Index)) +
           (keys.size() + other_keys.size()) * 8;
  }

  buffer<T> sums;             ///< one a column of the window
  buffer<std::uint8_t> used;  ///< a bit a column of the window
  buffer<T> products;         ///< of a row that is sorted
  buffer<std::uint64_t> keys;
  buffer<std::uint64_t> other_keys;
  buffer<Index> slots;  ///< the column in each slot of the table, -1: empty
  buffer<T> slot_sums;
  buffer<T> tile;
  const spgemm_templates::known* last_template = nullptr;
  std::array<spgemm_share, spgemm_methods> shares = {};

 private:
  bool timed_;
  spgemm_method method_ = spgemm_method::copy;
  std::chrono::steady_clock::time_point since_ = {};
};

/// Rows first .. last of C. `lengths[i]` holds the products of row i and is given its entries instead. Entries are
/// written from `columns` and `values` on, one row behind the other; up to spgemm_slack elements behind the last one
/// may be overwritten. Returns how many entries there are.
template <class T, class Index>
using spgemm_rows_kernel = std::int64_t(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch,
                                        std::int64_t first, std::int64_t last, std::int64_t* lengths, Index* columns,
                                        T* values);
inline constexpr std::int64_t spgemm_slack = 64;

/// Rows first .. last of a product whose pattern is known.
struct spgemm_rows {
  std::int64_t first = 0;
  std::int64_t last = 0;
  const std::int64_t* offsets = nullptr;       ///< of C
  const std::uint8_t* has_template = nullptr;  ///< for each row of C
  const std::uint8_t* slots = nullptr;         ///< for each product of the other rows, the entry it belongs to
};

/// The values of these rows, written to where C has them and nowhere else.
template <class T, class Index>
using spgemm_fill_kernel = void(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch,
                                const spgemm_rows& rows, T* values);

/// Bytes that name one of so many entries.
[[nodiscard]] constexpr int slot_bytes(std::int64_t entries) { return entries <= 256 ? 1 : entries <= 65536 ? 2 : 4; }

template <class T, class Index> struct spgemm_table {
  spgemm_rows_kernel<T, Index>* rows = nullptr;
  spgemm_fill_kernel<T, Index>* fill = nullptr;
};

/// The kernels for an instruction set that is supported.
template <class T, class Index> [[nodiscard]] const spgemm_table<T, Index>& spgemm_kernels_for(isa set);

}  // namespace lacis::cpu

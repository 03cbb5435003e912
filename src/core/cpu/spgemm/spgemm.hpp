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

#include "cpu/spgemm/pieces.hpp"
#include "cpu/spgemm/runs.hpp"

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
  std::int64_t cols = 0;  ///< of B
  std::int64_t b_rows = 0;
  std::int64_t nnz = 0;  ///< of A
  std::int64_t b_nnz = 0;

  spgemm_job() = default;
  spgemm_job(const csr_view<T, Index>& left, const csr_view<T, Index>& right)
      : a(left), b(right), cols(right.cols), b_rows(right.rows), nnz(left.nnz()), b_nnz(right.nnz()) {}
};

/// Products that are sorted always, and those that are sorted where a dense row would be nearly empty.
inline constexpr std::int64_t spgemm_block = 64;
inline constexpr std::int64_t spgemm_most_sorted = 512;

/// Products of rows that are sorted together: as many as stay in the nearest cache, or all of a piece that has not many
/// more.
inline constexpr std::int64_t spgemm_batch = 2048;
inline constexpr std::int64_t spgemm_largest_batch = 8192 + spgemm_block;

/// Columns in a dense accumulator at most; wider rows go to a hash table.
inline constexpr std::int64_t spgemm_widest = std::int64_t{1} << 24;

/// One thread's memory for rows that it computes. Between rows `sums` are +0, `used` and `slots` empty.
template <class T, class Index> class spgemm_scratch {
 public:
  explicit spgemm_scratch(bool timed) : timed_(timed) {}

  // Room for a dense row, a hash table and sorted blocks of these sizes.
  void widen(std::int64_t cols);
  void enlarge_table(std::int64_t most);
  void prepare_sort(std::int64_t most);

  /// From here on time is spent on that method.
  void enter(spgemm_method method) {
    if (!timed_ || method == method_) return;
    leave();
    method_ = method;
  }
  void begin() { since_ = ticks(); }
  /// Closes the time of the last method.
  void leave() {
    const std::uint64_t now = ticks();
    spent[static_cast<std::size_t>(method_)] += now - since_;
    since_ = now;
  }
  [[nodiscard]] bool is_timed() const { return timed_; }
  void count(spgemm_method method, std::int64_t made, std::int64_t entries) {
    spgemm_share& share = shares[static_cast<std::size_t>(method)];
    ++share.rows;
    share.products += made;
    share.entries += entries;
  }

  [[nodiscard]] std::int64_t bytes() const {
    return (sums.size() + products.size() + slot_sums.size()) * static_cast<std::int64_t>(sizeof(T)) + used.size() +
           slots.size() * static_cast<std::int64_t>(sizeof(Index)) + keys.size() * 8;
  }

  buffer<T> sums;             ///< one a column of the window
  buffer<std::uint8_t> used;  ///< a bit a column of the window
  buffer<T> products;         ///< of rows that are sorted
  buffer<Index> columns;      ///< theirs
  buffer<std::uint64_t> keys;
  buffer<Index> slots;  ///< the column in each slot of the table, -1: empty
  buffer<T> slot_sums;
  double distinct = 1;  ///< entries for each product of the last long row: whether sorting the next one pays
  std::array<spgemm_share, spgemm_methods> shares = {};
  std::array<std::uint64_t, spgemm_methods> spent = {};  ///< ticks of the processor's counter

 private:
  /// A row may take as long as asking the system's clock.
  static std::uint64_t ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
  }

  bool timed_;
  spgemm_method method_ = spgemm_method::copy;
  std::uint64_t since_ = 0;
};

/// Rows first .. last of C, none of which has more than `longest` products. `lengths[i]` holds the products of row i
/// and is given its entries instead. Entries are written from `columns` and `values` on, one row behind the other; up
/// to spgemm_slack elements behind the last one may be overwritten. Returns how many entries there are.
template <class T, class Index>
using spgemm_rows_kernel = std::int64_t(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch,
                                        const spgemm_piece& piece, std::int64_t* lengths, Index* columns, T* values);
inline constexpr std::int64_t spgemm_slack = 64;

/// The values of rows first .. last of a product whose pattern is known: `offsets` are C's, `slots` has for each
/// product of a row that is not copied the entry that it belongs to. Writes where C has these rows and nowhere else.
template <class T, class Index>
using spgemm_fill_kernel = void(const spgemm_job<T, Index>& job, std::int64_t first, std::int64_t last,
                                const std::int64_t* offsets, const std::uint8_t* slots, T* values);

/// The entries of a run of rows, written to where C has them and nowhere else; without columns the values alone.
/// `tile` is the thread's.
template <class T>
using spgemm_run_kernel = void(const spgemm_tiles<T>& tiles, const spgemm_template& pattern, const spgemm_run& run,
                               buffer<T>& tile, std::int32_t* columns, T* values);

/// Bytes that name one of so many entries.
[[nodiscard]] constexpr int slot_bytes(std::int64_t entries) { return entries <= 256 ? 1 : entries <= 65536 ? 2 : 4; }

template <class T, class Index> struct spgemm_table {
  spgemm_rows_kernel<T, Index>* rows = nullptr;
  spgemm_fill_kernel<T, Index>* fill = nullptr;
  spgemm_run_kernel<T>* run = nullptr;  ///< null where there are no vectors
};

/// The kernels for an instruction set that is supported.
template <class T, class Index> [[nodiscard]] const spgemm_table<T, Index>& spgemm_kernels_for(isa set);

}  // namespace lacis::cpu

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The entries of any row of any format as contiguous memory, chunk by chunk: in place where they are, copied otherwise.
#pragma once

#include <cstdint>
#include <functional>

#include <lacis/convert.hpp>

#include "cpu/launch.hpp"
#include "cpu/spmv/kernels.hpp"

namespace lacis::cpu {

/// One thread's way through rows. Products with many columns do enough work on a row that a virtual call for it does
/// not show, and are compiled once for all formats.
template <class A, class Index> class row_source {
 public:
  /// The place at which part `part` of `parts` equal shares begins.
  [[nodiscard]] virtual std::int64_t cut(int part, int parts) const = 0;
  /// Turns to a place, which in JDS must come after those visited before; how many entries it has, -1 where there is no
  /// row, also because the positions of its entries are invalid: then is_sound() is false.
  virtual std::int64_t start(std::int64_t place) = 0;
  /// The row of the place.
  [[nodiscard]] virtual std::int64_t row() const = 0;
  /// The next `count` entries of the row, at most chunk_size; valid until the next call.
  virtual stored_entries<A, Index> read(std::int64_t count) = 0;
  /// Whether these are later parts of short rows, whose sums go on from what the target holds.
  [[nodiscard]] virtual bool goes_on() const { return false; }
  [[nodiscard]] bool is_sound() const { return sound_; }

 protected:
  ~row_source() = default;
  std::int64_t refuse() {
    sound_ = false;
    return -1;
  }

 private:
  bool sound_ = true;
};

/// What a thread does with the rows: work(source, thread, threads).
template <class A, class Index> using row_work = std::function<void(row_source<A, Index>&, int, int)>;

// work on every thread, each with a source of its own. The sizes of arrays fit the matrix (find_size_violation). False,
// before any work, when the entries of a COO or HYB matrix are not grouped by ascending row or lie outside, and when
// diagonals are not what they should be. A CSC matrix has no rows to read: it is transposed first.
template <class A, class Index>
bool on_rows(const launch& how, const coo_view<A, Index>& a, const row_work<A, Index>& work);
template <class A, class Index, class Offset>
bool on_rows(const launch& how, const csr_view<A, Index, Offset>& a, const row_work<A, Index>& work);
template <class A, class Index>
bool on_rows(const launch& how, const csc_view<A, Index>& a, const row_work<A, Index>& work);
template <class A, class Index>
bool on_rows(const launch& how, const ell_view<A, Index>& a, const row_work<A, Index>& work);
template <class A, class Index>
bool on_rows(const launch& how, const hyb_view<A, Index>& a, const row_work<A, Index>& work);
template <class A, class Index>
bool on_rows(const launch& how, const jds_view<A, Index>& a, const row_work<A, Index>& work);
template <class A, class Index>
bool on_rows(const launch& how, const sell_view<A, Index>& a, const row_work<A, Index>& work);
template <class A, class Index>
bool on_rows(const launch& how, const bsr_view<A, Index>& a, const row_work<A, Index>& work);
template <class A, class Index>
bool on_rows(const launch& how, const dia_view<A, Index>& a, const row_work<A, Index>& work);

/// Whether the row indices of every column ascend strictly, without which its rows are not canonical, and lie inside
/// the matrix.
template <class A, class Index> [[nodiscard]] bool columns_ascend(const launch& how, const csc_view<A, Index>& a);

}  // namespace lacis::cpu

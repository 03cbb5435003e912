// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows that are cut between threads: each thread sums whole chunks, and the pieces join to the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <lacis/workspace.hpp>

#include "cpu/spmv/kernels.hpp"
#include "summation/tree.hpp"

namespace lacis::cpu {

/// Rows shorter than this are not worth cutting.
inline constexpr std::int64_t shortest_cut_row = 8 * chunk_size;

/// A place between two chunks: `chunk` chunks of `row` lie before it.
struct row_cut {
  std::int64_t row = 0;
  std::int64_t chunk = 0;
};

/// The chunks of one row that one thread has summed.
template <class T> struct row_piece {
  std::int64_t row = -1;
  summation::node_range<T> sums;
};

/// At most two pieces a thread: the end of a row that began before it, and the beginning of one that goes on after it.
/// A row that a thread neither begins nor ends is the first of the two.
template <class T> class row_pieces {
 public:
  row_pieces(int threads, workspace& memory) {
    const auto bytes = memory.bytes(2 * threads * static_cast<std::int64_t>(sizeof(row_piece<T>)));
    pieces_ = {reinterpret_cast<row_piece<T>*>(bytes.data()), static_cast<std::size_t>(2 * threads)};
    for (auto& piece : pieces_) std::construct_at(&piece);
  }

  void set(int thread, bool begins_row, std::int64_t row, const summation::node_range<T>& sums) {
    pieces_[static_cast<std::size_t>(2 * thread + (begins_row ? 1 : 0))] = {row, sums};
  }

  /// Joins the pieces of each row and hands them on: finished(row, sum). Pieces of a row follow each other.
  template <class Finished> void join(Finished&& finished) const {
    row_piece<T> whole;
    const auto finish = [&] {
      if (whole.row >= 0) finished(whole.row, whole.sums.total());
    };
    for (const auto& piece : pieces_) {
      if (piece.row < 0) continue;
      if (piece.row == whole.row) {
        whole.sums.append(piece.sums);
      } else {
        finish();
        whole = piece;
      }
    }
    finish();
  }

 private:
  std::span<row_piece<T>> pieces_;
};

/// What lies between two cuts: sum_chunks(row, first, last) for the parts of rows, last < 0 meaning up to the row's
/// end, and whole_rows(begin, end) for the rows between. The parts go to `pieces`.
template <class T, class SumChunks, class WholeRows>
void between_cuts(row_cut from, row_cut to, int thread, row_pieces<T>* pieces, SumChunks&& sum_chunks,
                  WholeRows&& whole_rows) {
  if (from.row == to.row && from.chunk > 0) {
    if (to.chunk > from.chunk) pieces->set(thread, false, from.row, sum_chunks(from.row, from.chunk, to.chunk));
    return;
  }
  std::int64_t row = from.row;
  if (from.chunk > 0) {
    pieces->set(thread, false, row, sum_chunks(row, from.chunk, -1));
    ++row;
  }
  if (row < to.row) whole_rows(row, to.row);
  if (to.chunk > 0) pieces->set(thread, true, to.row, sum_chunks(to.row, 0, to.chunk));
}

}  // namespace lacis::cpu

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// At most panel_cols dense columns of X and Y, in any order of elements, as kernels take them: with contiguous rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <hwy/cache_control.h>
#include <utility>

#include <lacis/dense.hpp>
#include <lacis/workspace.hpp>

#include "base/checked.hpp"
#include "cpu/launch.hpp"
#include "cpu/spmv/panel.hpp"
#include "cpu/spmv/scaling.hpp"

namespace lacis::cpu {

/// Columns first .. first + count.
template <class T> dense_view<T> columns_of(const dense_view<T>& x, std::int64_t first, std::int64_t count) {
  return {x.data + first * x.col_stride, x.rows, count, x.row_stride, x.col_stride};
}

/// Rows first .. first + count.
template <class T> dense_view<T> rows_of(const dense_view<T>& x, std::int64_t first, std::int64_t count) {
  return {x.data + first * x.row_stride, count, x.cols, x.row_stride, x.col_stride};
}

/// use(element of contiguous rows, the element of x at the same place) for `Count` columns from `first` on. Each column
/// is walked by a pointer of its own, and its rows in the order of memory: a row of the block is a line of the cache.
template <int Count, class Element, class T, class Use>
void each_of_columns(Element* rows, std::int64_t stride, const dense_view<T>& x, std::int64_t first, Use&& use) {
  [&]<int... C>(std::integer_sequence<int, C...>) {
    T* const columns[] = {x.data + (first + C) * x.col_stride...};
    Element* row = rows + first;
    for (std::int64_t i = 0; i < x.rows; ++i, row += stride) (use(row[C], columns[C][i * x.row_stride]), ...);
  }(std::make_integer_sequence<int, Count>());
}
/// The same for all columns of x.
template <class Element, class T, class Use>
void each_element(Element* rows, std::int64_t stride, const dense_view<T>& x, Use&& use) {
  std::int64_t c = 0;
  for (; c + 8 <= x.cols; c += 8) each_of_columns<8>(rows, stride, x, c, use);
  for (; c + 4 <= x.cols; c += 4) each_of_columns<4>(rows, stride, x, c, use);
  for (; c < x.cols; ++c) each_of_columns<1>(rows, stride, x, c, use);
}

/// How many columns are taken at once: fewer where X is packed before, so that more of it stays in caches.
template <class X> [[nodiscard]] std::int64_t panel_width(const dense_view<const X>& x) {
  return x.col_stride == 1 ? panel_cols : panel_cols / 2;
}

/// X with contiguous rows: itself, or a copy in `memory`.
template <class X>
dense_view<const X> with_contiguous_rows(const launch& how, const dense_view<const X>& x, workspace& memory) {
  if (x.col_stride == 1) return x;
  if (x.cols == 1) return {x.data, x.rows, 1, x.row_stride, 1};
  const auto bytes =
      memory.bytes(detail::checked_multiply(x.rows, x.cols * static_cast<std::int64_t>(sizeof(X)), "columns of X"));
  X* packed = reinterpret_cast<X*>(bytes.data());
  constexpr std::int64_t tile = 256;  // what is packed of them is in the L2 cache until all columns are done
  run(how, [&](int thread, int threads) {
    const std::int64_t end = detail::even_cut(x.rows, thread + 1, threads);
    for (std::int64_t first = detail::even_cut(x.rows, thread, threads); first < end; first += tile)
      each_element(packed + first * x.cols, x.cols, rows_of(x, first, std::min(tile, end - first)),
                   [](X& to, const X& from) { to = from; });
  });
  return {packed, x.rows, x.cols, x.cols, 1};
}

/// Into how many shares rows are cut: threads that meet cheap rows take more of them.
[[nodiscard]] inline int shares_of(const launch& how) {
  constexpr int shares_of_thread = 16;
  return how.threads == 1 ? 1 : how.threads * shares_of_thread;
}

/// Part of a thread's work: what the thread wrote past the caches is in memory before it says that it is done. Such
/// stores are not ordered with those that publish them.
class store_fence {
 public:
  explicit store_fence(bool needed) : needed_(needed) {}
  ~store_fence() {
    if (needed_) hwy::FlushStream();
  }
  store_fence(const store_fence&) = delete;
  store_fence& operator=(const store_fence&) = delete;

 private:
  bool needed_;
};

template <class X, class T> class column_panel {
 public:
  /// Columns from `first` on. `longest_row` is the most entries that a row has.
  column_panel(const launch& how, const scaling<T>& scale, const dense_view<const X>& x, const dense_view<T>& y,
               std::int64_t first, std::int64_t longest_row, workspace& memory)
      : scale_(scale),
        count_(std::min(panel_width(x), x.cols - first)),
        x_(with_contiguous_rows(how, columns_of(x, first, count_), memory)),
        y_(columns_of(y, first, count_)),
        direct_(scale.plain && y_.col_stride == 1),
        tree_size_(panel_tree<T>::size_for(longest_row, count_)) {
    const auto bytes = static_cast<std::int64_t>(sizeof(T)) * how.threads;
    blocks_ = reinterpret_cast<T*>(memory.bytes(direct_ ? 0 : panel_height * count_ * bytes, 1).data());
    trees_ = reinterpret_cast<T*>(memory.bytes(tree_size_ * bytes, 2).data());
  }

  [[nodiscard]] const X* x() const { return x_.data; }
  /// The columns of X, with contiguous rows, and those of Y as they are.
  [[nodiscard]] const dense_view<const X>& x_view() const { return x_; }
  [[nodiscard]] const dense_view<T>& y_view() const { return y_; }
  [[nodiscard]] dense_panel<X, T> of_thread(int thread) const {
    return {x_.row_stride,
            count_,
            direct_ ? nullptr : blocks_ + thread * panel_height * count_,
            direct_ ? y_.row_stride : count_,
            trees_ + thread * tree_size_,
            should_fetch(),
            should_write_past()};
  }
  /// Sums of rows from `row` on go to Y itself, or to a block of the thread's own.
  void aim(dense_panel<X, T>& p, std::int64_t row) const {
    if (direct_) p.y = y_.data + row * y_.row_stride;
  }
  /// Puts what is in the thread's own block into Y: `rows` rows from `row` on.
  void deliver(const dense_panel<X, T>& p, std::int64_t row, std::int64_t rows) const {
    if (!direct_) store(p.y, row, rows);
  }
  /// The same for those of them for which has_row(i).
  template <class HasRow>
  void deliver(const dense_panel<X, T>& p, std::int64_t row, std::int64_t rows, HasRow&& has_row) const {
    if (direct_) return;
    for (std::int64_t begin = 0, end = 0; begin < rows; begin = end + 1) {
      for (end = begin; end < rows && has_row(end);) ++end;
      if (end > begin) store(p.y + begin * count_, row + begin, end - begin);
    }
  }

 private:
  void store(const T* sums, std::int64_t row, std::int64_t rows) const {
    const dense_view<T> target = rows_of(y_, row, rows);
    if (scale_.plain)
      each_element(sums, count_, target, [](const T& sum, T& y) { y = sum; });
    else
      each_element(sums, count_, target, [this](const T& sum, T& y) { scale_.store(y, sum); });
  }

  /// Where rows of X are not in the L2 cache, and long enough to be worth it.
  [[nodiscard]] bool should_fetch() const {
    constexpr std::int64_t near_bytes = 1 << 20;
    constexpr std::int64_t least_bytes = 16;
    const std::int64_t row = count_ * static_cast<std::int64_t>(sizeof(X));
    return row >= least_bytes && x_.rows * row > near_bytes;
  }

  /// Where rows of Y are whole lines of the cache and more than stays there: they are not read before they are written.
  [[nodiscard]] bool should_write_past() const {
    constexpr std::int64_t line = 64;
    constexpr std::int64_t many_bytes = 16 << 20;
    const auto bytes = static_cast<std::int64_t>(sizeof(T));
    return direct_ && count_ * bytes % line == 0 && y_.row_stride * bytes % line == 0 &&
           reinterpret_cast<std::uintptr_t>(y_.data) % line == 0 && y_.rows * count_ * bytes > many_bytes;
  }

  scaling<T> scale_;
  std::int64_t count_;
  dense_view<const X> x_;
  dense_view<T> y_;
  bool direct_;
  std::int64_t tree_size_;
  T* blocks_ = nullptr;
  T* trees_ = nullptr;
};

}  // namespace lacis::cpu

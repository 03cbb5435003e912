// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// ILU(0) and IC(0), row by row.
#include "solve/precondition/factor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "solve/scalars.hpp"

namespace lacis::solver {
namespace {

/// The lowest of the rows that threads name.
class first_fault {
 public:
  void name(std::int64_t row) {
    std::int64_t seen = row_.load(std::memory_order_relaxed);
    while (row < seen && !row_.compare_exchange_weak(seen, row, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] std::int64_t row() const { return row_.load() == none ? -1 : row_.load(); }

 private:
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> row_{none};
};

template <class T, class Index> struct rows_of {
  const std::int64_t* offsets;
  const Index* columns;
  T* values;

  explicit rows_of(csr_matrix<T, Index>& a)
      : offsets(a.row_offsets.data()), columns(a.columns.data()), values(a.values.data.data()) {}
  /// The place of a column in a row, or of the first one behind it.
  [[nodiscard]] std::int64_t find(std::int64_t row, std::int64_t column) const {
    return std::lower_bound(columns + offsets[row], columns + offsets[row + 1], column) - columns;
  }
};

/// Row i of LU: two rows are walked side by side.
template <class T, class Index>
bool eliminate(const rows_of<T, Index>& a, const buffer<std::int64_t>& diagonals, Index i) {
  const std::int64_t end = a.offsets[i + 1];
  for (std::int64_t p = a.offsets[i]; p < end && a.columns[p] < i; ++p) {
    const Index k = a.columns[p];
    a.values[p] = divide(a.values[p], a.values[diagonals[k]]);
    std::int64_t mine = p + 1;
    for (std::int64_t q = diagonals[k] + 1; q < a.offsets[k + 1] && mine < end; ++q) {
      while (mine < end && a.columns[mine] < a.columns[q]) ++mine;
      if (mine < end && a.columns[mine] == a.columns[q])
        a.values[mine] = subtract(a.values[mine], multiply(a.values[p], a.values[q]));
    }
  }
  const T pivot = a.values[diagonals[i]];
  return pivot != T(0) && is_finite(pivot);
}

/// Row i of L, whose last entry is its diagonal.
template <class T, class Index> bool complete(const rows_of<T, Index>& a, Index i) {
  const std::int64_t begin = a.offsets[i];
  const std::int64_t last = a.offsets[i + 1] - 1;
  for (std::int64_t p = begin; p <= last; ++p) {
    const Index k = a.columns[p];
    T sum = a.values[p];
    std::int64_t q = a.offsets[k];
    for (std::int64_t mine = begin; mine < p; ++mine) {
      while (a.columns[q] < a.columns[mine]) ++q;
      if (a.columns[q] == a.columns[mine]) sum = subtract(sum, multiply(a.values[mine], conjugate(a.values[q])));
    }
    if (p < last) {
      a.values[p] = divide(sum, a.values[a.offsets[k + 1] - 1]);
      continue;
    }
    const real_of<T> pivot = std::real(sum);
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    a.values[p] = T(std::sqrt(pivot));
  }
  return true;
}

template <class Index, class Work> void in_order(const factor_order<Index>& order, Work&& work) {
  cpu::in_stages(order.threads, order.rows, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) work(order.rows.order[k]);
  });
}

}  // namespace

template <class T, class Index> factor_order<Index> order_of(const csr_view<T, Index>& a, int threads) {
  const int count = threads > 0 ? threads : detail::thread_count();
  factor_order<Index> order{cpu::schedule_of(a, false, count), count};
  return order;
}

template <class T, class Index> void factor_ilu0(csr_matrix<T, Index>& a, const factor_order<Index>& order) {
  const rows_of<T, Index> rows(a);
  buffer<std::int64_t> diagonals(a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    diagonals[i] = rows.find(i, i);
    if (diagonals[i] == rows.offsets[i + 1] || rows.columns[diagonals[i]] != i)
      throw error(errc::invalid_matrix,
                  detail::text("ilu0: row ", i, " stores no diagonal entry; store one, or use another preconditioner"));
  }
  first_fault fault;
  in_order(order, [&](Index i) {
    if (!eliminate(rows, diagonals, i)) fault.name(i);
  });
  if (fault.row() >= 0)
    throw error(errc::invalid_matrix, detail::text("ilu0: the pivot of row ", fault.row(),
                                                   " is zero or not finite; reorder the matrix, or use jacobi or no "
                                                   "preconditioner"));
}

template <class T, class Index> std::int64_t factor_ic0(csr_matrix<T, Index>& a, const factor_order<Index>& order) {
  const rows_of<T, Index> rows(a);
  for (std::int64_t i = 0; i < a.rows; ++i)
    if (rows.offsets[i] == rows.offsets[i + 1] || rows.columns[rows.offsets[i + 1] - 1] != i)
      throw error(errc::invalid_matrix,
                  detail::text("ic0: row ", i, " stores no diagonal entry: the matrix is not positive definite"));
  first_fault fault;
  in_order(order, [&](Index i) {
    if (!complete(rows, i)) fault.name(i);
  });
  return fault.row();
}

#define LACIS_INSTANTIATE(T, Index)                                                       \
  template LACIS_API factor_order<Index> order_of(const csr_view<T, Index>&, int);        \
  template LACIS_API void factor_ilu0(csr_matrix<T, Index>&, const factor_order<Index>&); \
  template LACIS_API std::int64_t factor_ic0(csr_matrix<T, Index>&, const factor_order<Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver

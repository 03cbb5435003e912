// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Bounds of rounding errors and precise residuals: rows of entries, from first to last, in any layout.
#include "summation/precise.hpp"

#include <vector>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "plan/entries.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

/// work(row, begin, end) for the entries of every row.
template <class T, class Index, class Work> void on_each_row(const csr_view<T, Index>& a, Work&& work) {
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    const summation::rounding_guard guard;
    for (std::int64_t i = first; i < last; ++i) work(i, a.row_offsets.data()[i], a.row_offsets.data()[i + 1]);
  });
}

/// The rows of a plan where they lie one after the other: as(view), or false.
template <class T, class Index, class As> bool as_rows(const layout<T, Index>& l, As&& as) {
  if (const auto* csr = std::get_if<csr_layout<T, Index>>(&l.arrays)) {
    as(csr->view());
    return true;
  }
  const bool in_any_order =
      std::visit([](const auto& arrays) { return requires { read_back(arrays, row_pieces<T, Index>()); }; }, l.arrays);
  if (!in_any_order) return false;
  const csr_matrix<T, Index> rows = csr_of(l);
  as(rows.view());
  return true;
}

template <class T> struct row_magnitudes {
  double sum = 0;
  std::int64_t entries = 0;
};

}  // namespace

template <class T, class Index> void bound_rounding(const csr_view<T, Index>& a, const T* x, T* y) {
  on_each_row(a, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
    double sum = 0;
    for (std::int64_t k = begin; k < end; ++k)
      sum += summation::magnitude_of_product(a.values[k], x[a.columns.data()[k]]);
    y[i] = T(summation::bound_of_row<T>(end - begin, sum));
  });
}

template <class T, class Index> void bound_rounding(const plan<T, Index>& p, const T* x, T* y) {
  const layout<T, Index>& l = p.internals()->plain;
  if (as_rows(l, [&](const csr_view<T, Index>& rows) { bound_rounding(rows, x, y); })) return;
  std::vector<row_magnitudes<T>> all(static_cast<std::size_t>(l.rows));
  read_entries<T, Index>(l, [&](std::int64_t row, std::int64_t, std::int64_t count, const auto& entries) {
    const summation::rounding_guard guard;
    row_magnitudes<T>& mine = all[static_cast<std::size_t>(row)];
    for (std::int64_t k = 0; k < count; ++k)
      mine.sum += summation::magnitude_of_product(entries.values[entries.iso ? 0 : k], x[entries.columns[k]]);
    mine.entries += count;
  });
  parallel_for(l.rows, [&](std::int64_t i) {
    const row_magnitudes<T>& mine = all[static_cast<std::size_t>(i)];
    y[i] = T(summation::bound_of_row<T>(mine.entries, mine.sum));
  });
}

template <class T, class Index> void precise_residual(const csr_view<T, Index>& a, const T* b, const T* x, T* r) {
  on_each_row(a, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
    summation::precise_row<T> row(b[i]);
    for (std::int64_t k = begin; k < end; ++k) row.subtract(a.values[k], x[a.columns.data()[k]]);
    r[i] = row.rounded();
  });
}

template <class T, class Index> void precise_residual(const plan<T, Index>& p, const T* b, const T* x, T* r) {
  const layout<T, Index>& l = p.internals()->plain;
  if (as_rows(l, [&](const csr_view<T, Index>& rows) { precise_residual(rows, b, x, r); })) return;
  std::vector<summation::precise_row<T>> all(b, b + l.rows);
  read_entries<T, Index>(l, [&](std::int64_t row, std::int64_t, std::int64_t count, const auto& entries) {
    const summation::rounding_guard guard;
    summation::precise_row<T>& mine = all[static_cast<std::size_t>(row)];
    for (std::int64_t k = 0; k < count; ++k) mine.subtract(entries.values[entries.iso ? 0 : k], x[entries.columns[k]]);
  });
  parallel_for(l.rows, [&](std::int64_t i) { r[i] = all[static_cast<std::size_t>(i)].rounded(); });
}

#define LACIS_PRECISE(T, Index)                                                                \
  template LACIS_API void bound_rounding(const csr_view<T, Index>&, const T*, T*);             \
  template LACIS_API void bound_rounding(const plan<T, Index>&, const T*, T*);                 \
  template LACIS_API void precise_residual(const csr_view<T, Index>&, const T*, const T*, T*); \
  template LACIS_API void precise_residual(const plan<T, Index>&, const T*, const T*, T*);
LACIS_FOR_EACH_TYPE(LACIS_PRECISE)

}  // namespace lacis::detail

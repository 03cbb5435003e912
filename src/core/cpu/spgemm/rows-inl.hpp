// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The rows of a sparse product, each by the method that suits it. Compiled once per target.
#if defined(LACIS_CPU_SPGEMM_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_ROWS_INL
#undef LACIS_CPU_SPGEMM_ROWS_INL
#else
#define LACIS_CPU_SPGEMM_ROWS_INL
#endif

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>

#include "cpu/spgemm/batch-inl.hpp"
#include "cpu/spgemm/dense-inl.hpp"
#include "cpu/spgemm/fetch-inl.hpp"
#include "cpu/spgemm/hash-inl.hpp"
#include "cpu/spgemm/short-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// Columns for each product up to which scanning a dense row is cheaper than a hash table.
inline constexpr std::int64_t widest_for_product = 2048;

/// Columns for each product from which on sorting products is cheaper than scanning a dense row.
inline constexpr std::int64_t widest_sum = 32;

/// Of products that are sorted, so many should be entries: adding neighbours is full of wrong guesses. The rows before
/// tell.
inline constexpr double fewest_distinct = 0.8;

/// One row by the method that suits it; how many entries it has.
template <class T, class Index>
std::int64_t multiply_row(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch,
                          const row_fetcher<T, Index>& rows_of_b, std::int64_t row, std::int64_t products,
                          row_target<T, Index> to) {
  const std::int64_t begin = job.a.offsets[row];
  const std::int64_t end = job.a.offsets[row + 1];
  spgemm_method method = spgemm_method::copy;
  std::int64_t entries = 0;
  if (end - begin == 1) {
    scratch.enter(method);
    rows_of_b.ahead_of(begin, end);
    entries = copied_row(job, begin, to);
  } else if (products <= spgemm_block) {
    scratch.enter(method = spgemm_method::sort);
    rows_of_b.ahead_of(begin, end);
    entries = block_row(job, scratch, begin, end, to);
  } else {
    const column_window window = window_of(job, begin, end);
#if LACIS_SIMD_TARGET
    if constexpr (spgemm_simd<T, Index>)
      if (products <= spgemm_most_sorted && job.cols <= widest_sorted && window.width() >= widest_sum * products &&
          scratch.distinct > fewest_distinct) {
        scratch.enter(method = spgemm_method::sort);
        scratch.prepare_sort(products);
        make_products(job, rows_of_b, begin, end, scratch.columns.data(), scratch.products.data());
        entries = sorted_row(scratch.columns.data(), scratch.products.data(), products, to);
        scratch.distinct = static_cast<double>(entries) / static_cast<double>(products);
        scratch.count(method, products, entries);
        return entries;
      }
#endif
    rows_of_b.ahead_of(begin, end);
    if (window.width() <= spgemm_widest && window.width() / widest_for_product <= products) {
      scratch.enter(method = spgemm_method::dense);
      entries = dense_row(job, scratch, begin, end, products, window, to);
      scratch.distinct = static_cast<double>(entries) / static_cast<double>(products);
    } else {
      scratch.enter(method = spgemm_method::hash);
      entries = hashed_row(job, scratch, begin, end, products, to);
    }
  }
  scratch.count(method, products, entries);
  return entries;
}

template <class T, class Index>
std::int64_t multiply_rows(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch,
                           const spgemm_piece& piece, std::int64_t* lengths, Index* columns, T* values) {
  const row_fetcher<T, Index> rows_of_b(job);
  const std::int64_t last = piece.last_row;
#if LACIS_SIMD_TARGET
  if constexpr (spgemm_simd<T, Index>)
    if (piece.longest <= spgemm_block && piece.products <= spgemm_largest_batch && job.cols <= widest_sorted) {
      scratch.enter(spgemm_method::sort);
      return batch_rows(job, scratch, rows_of_b, piece.first_row, last, piece.products, lengths, {columns, values});
    }
#endif
  std::int64_t total = 0;
  for (std::int64_t i = piece.first_row; i < last;) {
    const row_target<T, Index> to{columns + total, values + total};
#if LACIS_SIMD_TARGET
    if constexpr (spgemm_simd<T, Index>) {
      std::int64_t products = 0;
      std::int64_t end = i;
      while (job.cols <= widest_sorted && end < last && lengths[end] <= spgemm_block &&
             products + lengths[end] <= spgemm_batch)
        products += lengths[end++];
      if (end > i) {
        scratch.enter(spgemm_method::sort);
        total += batch_rows(job, scratch, rows_of_b, i, end, products, lengths, to);
        i = end;
        continue;
      }
    }
#endif
    if (lengths[i] != 0) {
      lengths[i] = multiply_row(job, scratch, rows_of_b, i, lengths[i], to);
      total += lengths[i];
    }
    ++i;
  }
  return total;
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

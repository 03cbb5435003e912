// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The rows of a sparse product, each by the method that suits it. Compiled once a target.
#if defined(LACIS_CPU_SPGEMM_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_ROWS_INL
#undef LACIS_CPU_SPGEMM_ROWS_INL
#else
#define LACIS_CPU_SPGEMM_ROWS_INL
#endif

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>

#include "cpu/spgemm_dense-inl.hpp"
#include "cpu/spgemm_hash-inl.hpp"
#include "cpu/spgemm_short-inl.hpp"
#include "cpu/spgemm_stencil-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// Columns for each product up to which scanning a dense row is cheaper than a hash table.
inline constexpr std::int64_t widest_for_product = 2048;

/// One row by the method that suits it; how many entries it has.
template <class T, class Index>
std::int64_t plain_row(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, std::int64_t row,
                       std::int64_t products, row_target<T, Index> to) {
  const std::int64_t begin = job.a.offsets[row];
  const std::int64_t end = job.a.offsets[row + 1];
  spgemm_method method = spgemm_method::copy;
  std::int64_t entries = 0;
  if (end - begin == 1) {
    scratch.enter(method);
    entries = copied_row(job, begin, to);
  } else if (products <= spgemm_block) {
    scratch.enter(method = spgemm_method::sort);
    entries = block_row(job, scratch, begin, end, to);
  } else {
    const column_window window = window_of(job, begin, end);
    if (window.width() <= spgemm_widest && window.width() / widest_for_product <= products) {
      scratch.enter(method = spgemm_method::dense);
      entries = dense_row(job, scratch, begin, end, products, window, to);
    } else {
      scratch.enter(method = spgemm_method::hash);
      entries = hashed_row(job, scratch, begin, end, products, to);
    }
  }
  scratch.count(method, 1, products, entries);
  return entries;
}

/// The template of row i; null where it has none.
template <class T, class Index>
const spgemm_template* template_of(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch,
                                   std::int64_t row) {
  const auto* found = job.templates->find(job.a_view, job.b_view, *job.shapes, *job.values, row, scratch.last_template);
  if (found == nullptr) return nullptr;
  scratch.last_template = found;
  return &found->second;
}

/// Neighbouring rows that have one template; how many, 0 when row i has none.
template <class T, class Index>
std::int64_t stencil_rows([[maybe_unused]] const spgemm_job<T, Index>& job,
                          [[maybe_unused]] spgemm_scratch<T, Index>& scratch, [[maybe_unused]] std::int64_t first,
                          [[maybe_unused]] std::int64_t last, [[maybe_unused]] std::int64_t* lengths,
                          [[maybe_unused]] row_target<T, Index> to) {
#if LACIS_SIMD_TARGET
  if constexpr (has_templates<T, Index>) {
    if (job.shapes == nullptr) return 0;
    const std::int64_t count = rows_of_template(job, first, last);
    const spgemm_template* pattern = template_of(job, scratch, first);
    if (pattern == nullptr) return 0;
    scratch.enter(spgemm_method::stencil);
    const std::int64_t entries = pattern->entries();
    on_tiles(job, scratch, *pattern, first, count,
             [&](std::int64_t i, std::int64_t rows, const T* tile, std::int64_t tile_rows) {
               store_tile(*pattern, first + i, rows, tile, tile_rows, to.columns + i * entries, to.values + i * entries);
             });
    std::fill(lengths + first, lengths + first + count, entries);
    scratch.count(spgemm_method::stencil, count, count * static_cast<std::int64_t>(pattern->terms.size()),
                  count * entries);
    return count;
  }
#endif
  return 0;
}

/// Asks for rows of B that rows of A will want soon: their offsets well ahead, their entries a little ahead.
template <class T, class Index> class row_fetcher {
 public:
  explicit row_fetcher(const spgemm_job<T, Index>& job) : job_(job), last_(job.a_view.nnz() - 1) {}

  /// Entries begin .. end of A are about to be used.
  HWY_INLINE void ahead_of(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t p = begin; p < end; ++p) {
      prefetch(job_.b.offsets + job_.a.columns[std::min(p + 2 * distance, last_)]);
      const std::int64_t from = job_.b.offsets[job_.a.columns[std::min(p + distance, last_)]];
      prefetch(job_.b.columns + from);
      prefetch(job_.b.values + from * job_.b.step);
      prefetch(reinterpret_cast<const char*>(job_.b.values + from * job_.b.step) + 64);
    }
  }

 private:
  /// Entries of A: a row of B is some ten nanoseconds of work, memory is some hundred away.
  static constexpr std::int64_t distance = 16;

  static HWY_INLINE void prefetch(const void* address) { __builtin_prefetch(address); }

  const spgemm_job<T, Index>& job_;
  std::int64_t last_;
};

template <class T, class Index>
std::int64_t multiply_rows(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, std::int64_t first,
                           std::int64_t last, std::int64_t* lengths, Index* columns, T* values) {
  const row_fetcher<T, Index> rows_of_b(job);
  std::int64_t total = 0;
  for (std::int64_t i = first; i < last;) {
    const row_target<T, Index> to{columns + total, values + total};
    if (const std::int64_t done = stencil_rows(job, scratch, i, last, lengths, to)) {
      total += done * lengths[i];
      i += done;
      continue;
    }
    rows_of_b.ahead_of(job.a.offsets[i], job.a.offsets[i + 1]);
    if (lengths[i] != 0) lengths[i] = plain_row(job, scratch, i, lengths[i], to);
    total += lengths[i++];
  }
  return total;
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

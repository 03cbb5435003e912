// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of a sparse product whose pattern is known: each product goes to the entry that the plan names. Compiled
// once a target.
#if defined(LACIS_CPU_SPGEMM_FILL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_FILL_INL
#undef LACIS_CPU_SPGEMM_FILL_INL
#else
#define LACIS_CPU_SPGEMM_FILL_INL
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cpu/spgemm.hpp"
#include "cpu/spgemm_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// One row; a byte, two or four of `slots` for each product. Moves those and a value of B for each product, nothing of
/// B's columns. Returns where the slots of the next row begin.
template <class Slot, class T, class Index>
const std::uint8_t* fill_row(const spgemm_job<T, Index>& job, std::int64_t row, const std::uint8_t* slots,
                             std::int64_t entries, T* HWY_RESTRICT values) {
  std::fill(values, values + entries, T{});
  for (std::int64_t p = job.a.offsets[row]; p < job.a.offsets[row + 1]; ++p) {
    const std::int64_t k = job.a.columns[p];
    const T factor = job.a.values[p * job.a.step];
    for (std::int64_t q = job.b.offsets[k]; q < job.b.offsets[k + 1]; ++q, slots += sizeof(Slot)) {
      Slot slot;
      std::memcpy(&slot, slots, sizeof(Slot));
      values[slot] = summation::add(values[slot], summation::multiply(factor, job.b.values[q * job.b.step]));
    }
  }
  return slots;
}

/// Rows from `first` on that have one template, values alone; how many.
template <class T, class Index>
std::int64_t fill_stencil_rows(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, std::int64_t first,
                               const spgemm_rows& rows, T* values) {
#if LACIS_SIMD_TARGET
  if constexpr (has_templates<T, Index>) {
    if (const spgemm_template* pattern = template_of(job, scratch, first)) {
      const std::int64_t count = rows_of_template(job, first, rows.last);
      on_tiles(job, scratch, *pattern, first, count,
               [&](std::int64_t i, std::int64_t some, const T* tile, std::int64_t tile_rows) {
                 store_values(*pattern, some, tile, tile_rows, values + rows.offsets[first + i]);
               });
      return count;
    }
  }
#endif
  // Operands that have become iso, or have ceased to be, may ask for more templates than there may be.
  const std::int64_t entries = rows.offsets[first + 1] - rows.offsets[first];
  buffer<Index> columns(entries + spgemm_slack);
  buffer<T> sums(entries + spgemm_slack);
  std::int64_t products = 0;
  for (std::int64_t p = job.a.offsets[first]; p < job.a.offsets[first + 1]; ++p)
    products += job.b.offsets[job.a.columns[p] + 1] - job.b.offsets[job.a.columns[p]];
  if (products != 0) plain_row(job, scratch, first, products, row_target<T, Index>{columns.data(), sums.data()});
  std::copy_n(sums.data(), entries, values + rows.offsets[first]);
  return 1;
}

template <class T, class Index>
void fill_rows(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, const spgemm_rows& rows, T* values) {
  const row_fetcher<T, Index> rows_of_b(job);
  const std::uint8_t* slots = rows.slots;
  for (std::int64_t i = rows.first; i < rows.last;) {
    if (rows.has_template[i] != 0) {
      i += fill_stencil_rows(job, scratch, i, rows, values);
      continue;
    }
    const std::int64_t entries = rows.offsets[i + 1] - rows.offsets[i];
    const std::int64_t begin = job.a.offsets[i];
    rows_of_b.ahead_of(begin, job.a.offsets[i + 1]);
    T* row = values + rows.offsets[i];
    if (job.a.offsets[i + 1] - begin == 1) {
      const std::int64_t from = job.b.offsets[job.a.columns[begin]];
      scale_into<true, overrun::none>(job.a.values[begin * job.a.step], job.b.values + from * job.b.step, job.b.step,
                                      entries, row);
    } else if (slot_bytes(entries) == 1) {
      slots = fill_row<std::uint8_t>(job, i, slots, entries, row);
    } else if (slot_bytes(entries) == 2) {
      slots = fill_row<std::uint16_t>(job, i, slots, entries, row);
    } else {
      slots = fill_row<std::uint32_t>(job, i, slots, entries, row);
    }
    ++i;
  }
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

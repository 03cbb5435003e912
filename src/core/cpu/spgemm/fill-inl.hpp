// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of a sparse product whose pattern is known: each product goes to the entry that the plan names. Compiled
// once per target.
#if defined(LACIS_CPU_SPGEMM_FILL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_FILL_INL
#undef LACIS_CPU_SPGEMM_FILL_INL
#else
#define LACIS_CPU_SPGEMM_FILL_INL
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cpu/spgemm/fetch-inl.hpp"
#include "cpu/spgemm/parts-inl.hpp"
#include "cpu/spgemm/spgemm.hpp"

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

template <class T, class Index>
void fill_rows(const spgemm_job<T, Index>& job, std::int64_t first, std::int64_t last, const std::int64_t* offsets,
               const std::uint8_t* slots, T* values) {
  const row_fetcher<T, Index> rows_of_b(job);
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t entries = offsets[i + 1] - offsets[i];
    if (entries == 0) continue;
    const std::int64_t begin = job.a.offsets[i];
    const std::int64_t end = job.a.offsets[i + 1];
    rows_of_b.ahead_of(begin, end);
    T* row = values + offsets[i];
    if (end - begin == 1) {
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
  }
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

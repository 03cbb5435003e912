// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse product that are wide and nearly empty. Compiled once per target.
#if defined(LACIS_CPU_SPGEMM_HASH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_HASH_INL
#undef LACIS_CPU_SPGEMM_HASH_INL
#else
#define LACIS_CPU_SPGEMM_HASH_INL
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <hwy/highway.h>

#include "cpu/spgemm/parts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// A table of the columns met, then their order.
template <class T, class Index>
std::int64_t hashed_row(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, std::int64_t begin,
                        std::int64_t end, std::int64_t products, row_target<T, Index> to) {
  scratch.enlarge_table(products);
  const auto mask = static_cast<std::uint64_t>(scratch.slots.size() - 1);
  const int shift = 64 - std::bit_width(mask);
  Index* slots = scratch.slots.data();
  T* sums = scratch.slot_sums.data();
  std::int64_t entries = 0;
  for (std::int64_t p = begin; p < end; ++p) {
    const std::int64_t k = job.a.columns[p];
    const T factor = job.a.values[p * job.a.step];
    for (std::int64_t q = job.b.offsets[k]; q < job.b.offsets[k + 1]; ++q) {
      const Index column = job.b.columns[q];
      std::uint64_t slot = static_cast<std::uint64_t>(column) * 0x9e3779b97f4a7c15u >> shift;
      while (slots[slot] != column && slots[slot] >= 0) slot = (slot + 1) & mask;
      const T product = summation::multiply(factor, job.b.values[q * job.b.step]);
      if (slots[slot] < 0) {
        slots[slot] = column;
        sums[slot] = summation::add(T{}, product);
        to.columns[entries++] = column;
      } else {
        sums[slot] = summation::add(sums[slot], product);
      }
    }
  }
  std::sort(to.columns, to.columns + entries);
  for (std::int64_t i = 0; i < entries; ++i) {
    std::uint64_t slot = static_cast<std::uint64_t>(to.columns[i]) * 0x9e3779b97f4a7c15u >> shift;
    while (slots[slot] != to.columns[i]) slot = (slot + 1) & mask;
    to.values[i] = sums[slot];
  }
  std::fill(slots, slots + scratch.slots.size(), Index{-1});
  return entries;
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

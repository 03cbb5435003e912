// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse product with few products, one by one: copied, or sorted by column. Compiled once per target.
#if defined(LACIS_CPU_SPGEMM_SHORT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_SHORT_INL
#undef LACIS_CPU_SPGEMM_SHORT_INL
#else
#define LACIS_CPU_SPGEMM_SHORT_INL
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>

#include "cpu/spgemm/parts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// One entry in the row of A: a row of B, scaled.
template <class T, class Index>
std::int64_t copied_row(const spgemm_job<T, Index>& job, std::int64_t p, row_target<T, Index> to) {
  const std::int64_t k = job.a.columns[p];
  const std::int64_t from = job.b.offsets[k];
  const std::int64_t count = job.b.offsets[k + 1] - from;
  std::memcpy(to.columns, job.b.columns + from, static_cast<std::size_t>(count) * sizeof(Index));
  scale_into<true, overrun::some>(job.a.values[p * job.a.step], job.b.values + from * job.b.step, job.b.step, count,
                                  to.values);
  return count;
}

/// Products whose keys, column and place, are in order: neighbours of one column become one entry.
template <class T, class Index, class Key>
std::int64_t add_neighbours(const Key* keys, int place_bits, std::int64_t count, const T* products,
                            row_target<T, Index> to) {
  const Key places = (Key{1} << place_bits) - 1;
  std::int64_t entries = -1;
  Key last = ~Key{0};
  for (std::int64_t i = 0; i < count; ++i) {
    const Key column = keys[i] >> place_bits;
    const T product = products[keys[i] & places];
    if (column != last) {
      last = column;
      ++entries;
      to.columns[entries] = static_cast<Index>(column);
      to.values[entries] = summation::add(T{}, product);
    } else {
      to.values[entries] = summation::add(to.values[entries], product);
    }
  }
  return entries + 1;
}

/// At most 64 products, sorted by column without vectors.
template <class T, class Index>
std::int64_t block_row(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, std::int64_t begin,
                       std::int64_t end, row_target<T, Index> to) {
  scratch.prepare_sort(spgemm_block);
  T* products = scratch.products.data();
  std::uint64_t* keys = scratch.keys.data();
  std::int64_t count = 0;
  for (std::int64_t p = begin; p < end; ++p) {
    const std::int64_t k = job.a.columns[p];
    const T factor = job.a.values[p * job.a.step];
    for (std::int64_t q = job.b.offsets[k]; q < job.b.offsets[k + 1]; ++q, ++count) {
      keys[count] = static_cast<std::uint64_t>(job.b.columns[q]) << 6 | static_cast<std::uint64_t>(count);
      products[count] = summation::multiply(factor, job.b.values[q * job.b.step]);
    }
  }
  std::sort(keys, keys + count);
  return add_neighbours(keys, 6, count, products, to);
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

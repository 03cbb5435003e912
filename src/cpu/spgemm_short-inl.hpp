// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse product with few products: copied, or sorted by column. Compiled once a target.
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

#include "cpu/spgemm_parts-inl.hpp"
#include "cpu/spgemm_sort-inl.hpp"

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
std::int64_t add_neighbours(const Key* keys, int place_bits, std::int64_t count, std::int64_t base, const T* products,
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
      to.columns[entries] = static_cast<Index>(static_cast<std::int64_t>(column) + base);
      to.values[entries] = summation::add(T{}, product);
    } else {
      to.values[entries] = summation::add(to.values[entries], product);
    }
  }
  return entries + 1;
}

#if LACIS_SIMD_TARGET
/// Columns become keys: shifted, with the place of the product in the low bits.
HWY_INLINE void make_keys(const std::int32_t* columns, std::int64_t count, std::int64_t base, std::int64_t first_place,
                          std::uint32_t* keys) {
  const key_tag d;
  const hn::RebindToSigned<key_tag> signed_tag;
  const auto least = hn::Set(d, static_cast<std::uint32_t>(base));
  for (std::int64_t k = 0; k < count; k += key_lanes) {
    const auto loaded =
        k + key_lanes <= count
            ? hn::LoadU(signed_tag, columns + k)
            : hn::MaskedLoad(hn::FirstN(signed_tag, static_cast<std::size_t>(count - k)), signed_tag, columns + k);
    const auto shifted = hn::ShiftLeft<6>(hn::Sub(hn::BitCast(d, loaded), least));
    const auto place = hn::Iota(d, static_cast<std::uint32_t>(first_place + k));
    hn::StoreU(hn::Or(shifted, place), d, keys + k);
  }
}

/// Sorted keys of one block without equal columns: columns and values go out as vectors.
template <class T>
HWY_INLINE void store_distinct(const std::uint32_t* keys, std::int64_t count, std::int64_t base, const T* products,
                               row_target<T, std::int32_t> to) {
  const tag<T> d;
  const index_tag<T> di;
  const hn::RebindToUnsigned<index_tag<T>> du;
  const auto least = hn::Set(di, static_cast<std::int32_t>(base));
  for (std::int64_t k = 0; k < count; k += width<T>) {
    const auto key = hn::LoadU(du, keys + k);
    hn::StoreU(hn::Add(hn::BitCast(di, hn::ShiftRight<6>(key)), least), di, to.columns + k);
    const auto place = hn::BitCast(di, hn::And(key, hn::Set(du, 63)));
    const auto gathered = gather<T>(products, place);
    hn::StoreU(hn::Add(hn::Zero(d), gathered), d, to.values + k);
  }
}

/// Whether two neighbours of `count` sorted keys have one column. The array has a vector of room behind its end.
HWY_INLINE bool has_equal_neighbours(const std::uint32_t* keys, std::int64_t count) {
  const key_tag d;
  const auto last = hn::Set(d, static_cast<std::uint32_t>(count - 1));
  auto equal = hn::FirstN(d, 0);
  for (std::int64_t k = 0; k + 1 < count; k += key_lanes) {
    const auto differing = hn::ShiftRight<6>(hn::Xor(hn::LoadU(d, keys + k), hn::LoadU(d, keys + k + 1)));
    const auto is_pair = hn::Lt(hn::Iota(d, static_cast<std::uint32_t>(k)), last);
    equal = hn::Or(equal, hn::And(is_pair, hn::Eq(differing, hn::Zero(d))));
  }
  return !hn::AllFalse(d, equal);
}
#endif

/// At most 64 products: sorted in registers where the window of columns leaves room for the place in a key.
template <class T, class Index>
std::int64_t block_row(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, std::int64_t begin,
                       std::int64_t end, row_target<T, Index> to) {
  scratch.prepare_sort();
  T* products = scratch.products.data();
  std::int64_t count = 0;
#if LACIS_SIMD_TARGET
  if constexpr (spgemm_simd<T, Index>) {
    constexpr std::int64_t widest = (std::int64_t{1} << 26) - 1;
    const column_window all = job.cols() <= widest ? column_window{0, job.cols() - 1} : window_of(job, begin, end);
    if (all.width() <= widest) {
      HWY_ALIGN std::uint32_t keys[spgemm_block + 2 * key_lanes];
      for (std::int64_t p = begin; p < end; ++p) {
        const std::int64_t k = job.a.columns[p];
        const std::int64_t from = job.b.offsets[k];
        const std::int64_t length = job.b.offsets[k + 1] - from;
        make_keys(job.b.columns + from, length, all.first, count, keys + count);
        scale_into<false, overrun::some>(job.a.values[p * job.a.step], job.b.values + from * job.b.step, job.b.step,
                                         length, products + count);
        count += length;
      }
      sort_keys(keys, count);
      if (has_equal_neighbours(keys, count)) return add_neighbours(keys, 6, count, all.first, products, to);
      store_distinct(keys, count, all.first, products, to);
      return count;
    }
  }
#endif
  std::uint64_t* keys = scratch.keys.data();
  for (std::int64_t p = begin; p < end; ++p) {
    const std::int64_t k = job.a.columns[p];
    const T factor = job.a.values[p * job.a.step];
    for (std::int64_t q = job.b.offsets[k]; q < job.b.offsets[k + 1]; ++q, ++count) {
      keys[count] = static_cast<std::uint64_t>(job.b.columns[q]) << 6 | static_cast<std::uint64_t>(count);
      products[count] = summation::multiply(factor, job.b.values[q * job.b.step]);
    }
  }
  std::sort(keys, keys + count);
  return add_neighbours(keys, 6, count, 0, products, to);
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

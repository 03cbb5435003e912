// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse product with few products, many rows at a time: all products made first, then each row sorted by
// column in registers. Short rows are short of work to hide a wrong guess, so hardly anything here is one: entries are
// made eight at a time and rows sorted sixteen at a time, whether there are so many or not. Compiled once per target.
#if defined(LACIS_CPU_SPGEMM_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_BATCH_INL
#undef LACIS_CPU_SPGEMM_BATCH_INL
#else
#define LACIS_CPU_SPGEMM_BATCH_INL
#endif

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>

#include "cpu/spgemm/fetch-inl.hpp"
#include "cpu/spgemm/short-inl.hpp"
#include "cpu/spgemm/sort-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// Bits of a key that say where a product stands: as many as the longest sorted row needs.
inline constexpr int place_bits = 9;
inline constexpr std::int64_t widest_sorted = (std::int64_t{1} << (32 - place_bits)) - 1;
static_assert(spgemm_most_sorted <= std::int64_t{1} << place_bits);

/// The products of entries begin .. end of A, one behind the other, and their columns. `AtOnce` of a row of B are made
/// together, whether there are so many or not: guessing whether a row has more costs as much as making eight.
template <std::int64_t AtOnce, class T>
void make_products_of(const spgemm_job<T, std::int32_t>& job, const row_fetcher<T, std::int32_t>& rows_of_b,
                      std::int64_t begin, std::int64_t end, std::int32_t* HWY_RESTRICT columns,
                      T* HWY_RESTRICT products) {
  using lanes = hn::CappedTag<T, 8>;
  using indices = hn::CappedTag<std::int32_t, AtOnce>;
  const lanes d;
  const indices di;
  constexpr std::int64_t step = hn::MaxLanes(lanes());
  constexpr std::int64_t index_step = hn::MaxLanes(indices());
  static_assert(AtOnce % step == 0 && AtOnce % index_step == 0);
  for (std::int64_t p = begin; p < end; ++p) {
    rows_of_b.ahead_of(p);
    const std::int64_t k = job.a.columns[p];
    const std::int64_t from = job.b.offsets[k];
    const std::int64_t length = job.b.offsets[k + 1] - from;
    const auto factor = hn::Set(d, job.a.values[p * job.a.step]);
    const std::int32_t* b_columns = job.b.columns + from;
    const T* b_values = job.b.values + from * job.b.step;
    std::int64_t left = length;
    std::int64_t q = 0;
    do {
      if (from + q + AtOnce <= job.b_nnz) {
        for (std::int64_t v = 0; v < AtOnce; v += index_step)
          hn::StoreU(hn::LoadU(di, b_columns + q + v), di, columns + q + v);
        for (std::int64_t v = 0; v < AtOnce; v += step) {
          const auto value = job.b.step == 0 ? hn::Set(d, *b_values) : hn::LoadU(d, b_values + q + v);
          hn::StoreU(hn::Mul(factor, value), d, products + q + v);
        }
      } else {
        for (std::int64_t i = q; i < length; ++i) {
          columns[i] = b_columns[i];
          products[i] = summation::multiply(job.a.values[p * job.a.step], b_values[i * job.b.step]);
        }
        break;
      }
      q += AtOnce;
      left -= AtOnce;
    } while (left > 0);
    columns += length;
    products += length;
  }
}

/// Entries of a row of B, on average, from which on sixteen at once are better than eight.
inline constexpr std::int64_t long_row_of_b = 5;

template <class T>
void make_products(const spgemm_job<T, std::int32_t>& job, const row_fetcher<T, std::int32_t>& rows_of_b,
                   std::int64_t begin, std::int64_t end, std::int32_t* columns, T* products) {
  if (job.b_nnz >= long_row_of_b * job.b_rows)
    make_products_of<16>(job, rows_of_b, begin, end, columns, products);
  else
    make_products_of<8>(job, rows_of_b, begin, end, columns, products);
}

/// Keys of `count` products from `place` on; behind them the largest key.
HWY_INLINE key_vec keys_at(const std::int32_t* columns, std::int64_t place, std::int64_t count) {
  const key_tag d;
  const auto places = hn::Iota(d, static_cast<std::uint32_t>(place));
  const auto column = hn::BitCast(d, hn::LoadU(hn::RebindToSigned<key_tag>(), columns + place));
  const auto key = hn::Or(hn::ShiftLeft<place_bits>(column), places);
  return hn::IfThenElse(hn::Lt(places, hn::Set(d, static_cast<std::uint32_t>(count))), key,
                        hn::Set(d, ~std::uint32_t{0}));
}

/// Whether two neighbours of `count` sorted keys have one column. The array has a key of room behind its end.
HWY_INLINE bool has_equal_neighbours(const std::uint32_t* keys, std::int64_t count) {
  const key_tag d;
  const auto last = hn::Set(d, static_cast<std::uint32_t>(count - 1));
  auto equal = hn::FirstN(d, 0);
  for (std::int64_t k = 0; k + 1 < count; k += key_lanes) {
    const auto differing = hn::ShiftRight<place_bits>(hn::Xor(hn::LoadU(d, keys + k), hn::LoadU(d, keys + k + 1)));
    const auto is_pair = hn::Lt(hn::Iota(d, static_cast<std::uint32_t>(k)), last);
    equal = hn::Or(equal, hn::And(is_pair, hn::Eq(differing, hn::Zero(d))));
  }
  return !hn::AllFalse(d, equal);
}

/// Sorted keys without equal columns: columns and values go out as vectors.
template <class T>
HWY_INLINE void store_distinct(const std::uint32_t* keys, std::int64_t count, const T* products,
                               row_target<T, std::int32_t> to) {
  const tag<T> d;
  const index_tag<T> di;
  const hn::RebindToUnsigned<index_tag<T>> du;
  const auto places = hn::Set(du, (std::uint32_t{1} << place_bits) - 1);
  for (std::int64_t k = 0; k < count; k += width<T>) {
    const auto key = hn::LoadU(du, keys + k);
    hn::StoreU(hn::BitCast(di, hn::ShiftRight<place_bits>(key)), di, to.columns + k);
    const auto gathered = gather<T>(products, hn::BitCast(di, hn::And(key, places)));
    hn::StoreU(hn::Add(hn::Zero(d), gathered), d, to.values + k);
  }
}

template <int Vectors>
HWY_INLINE void sort_block(const std::int32_t* columns, std::int64_t place, std::int64_t count, std::uint32_t* keys) {
  key_vec v[Vectors];
  HWY_UNROLL(8)
  for (int i = 0; i < Vectors; ++i) v[i] = keys_at(columns, place + i * key_lanes, count);
  sort_vectors<Vectors>(v);
  HWY_UNROLL(8)
  for (int i = 0; i < Vectors; ++i) hn::Store(v[i], key_tag(), keys + i * key_lanes);
}

/// A row of `count` products, at least one; how many entries it has.
template <class T>
HWY_INLINE std::int64_t sorted_row(const std::int32_t* columns, const T* products, std::int64_t count,
                                   row_target<T, std::int32_t> to) {
  HWY_ALIGN std::uint32_t keys[spgemm_most_sorted + key_lanes];
  if (count <= key_lanes) {
    sort_block<1>(columns, 0, count, keys);
  } else if (count <= 2 * key_lanes) {
    sort_block<2>(columns, 0, count, keys);
  } else if (count <= 4 * key_lanes) {
    sort_block<4>(columns, 0, count, keys);
  } else {
    constexpr std::int64_t block = most_vectors * key_lanes;
    std::int64_t padded = block;
    while (padded < count) padded *= 2;
    for (std::int64_t first = 0; first < padded; first += block)
      sort_block<most_vectors>(columns, first, count, keys + first);
    for (std::int64_t run = most_vectors; run * key_lanes < padded; run *= 2)
      for (std::int64_t first = 0; first < padded; first += 2 * run * key_lanes) merge_runs(keys + first, run);
  }
  if (has_equal_neighbours(keys, count)) return add_neighbours(keys, place_bits, count, products, to);
  store_distinct(keys, count, products, to);
  return count;
}

/// What the report says of rows before they are sorted: each product as an entry.
template <class T>
void count_rows(const spgemm_job<T, std::int32_t>& job, spgemm_scratch<T, std::int32_t>& scratch, std::int64_t first,
                std::int64_t last, const std::int64_t* lengths) {
  for (std::int64_t i = first; i < last; ++i)
    if (lengths[i] != 0)
      scratch.count(job.a.offsets[i + 1] - job.a.offsets[i] == 1 ? spgemm_method::copy : spgemm_method::sort,
                    lengths[i], lengths[i]);
}

/// Rows first .. last, none of which has more than spgemm_block products, all together `count` of them.
template <class T>
std::int64_t batch_rows(const spgemm_job<T, std::int32_t>& job, spgemm_scratch<T, std::int32_t>& scratch,
                        const row_fetcher<T, std::int32_t>& rows_of_b, std::int64_t first, std::int64_t last,
                        std::int64_t count, std::int64_t* lengths, row_target<T, std::int32_t> to) {
  scratch.prepare_sort(count);
  const std::int32_t* columns = scratch.columns.data();
  const T* products = scratch.products.data();
  make_products(job, rows_of_b, job.a.offsets[first], job.a.offsets[last], scratch.columns.data(),
                scratch.products.data());
  if (scratch.is_timed()) count_rows(job, scratch, first, last, lengths);
  std::int64_t at = 0;
  std::int64_t total = 0;
  for (std::int64_t i = first; i < last; ++i) {
    std::int64_t entries = lengths[i];
    const std::int64_t next = at + entries;
    // Written also where there is no product: the next row comes to the same place.
    to.columns[total] = columns[at];
    to.values[total] = summation::add(T{}, products[at]);
    if (entries > 1)
      lengths[i] = entries =
          sorted_row<T>(columns + at, products + at, entries, {to.columns + total, to.values + total});
    total += entries;
    at = next;
  }
  if (scratch.is_timed()) scratch.shares[static_cast<std::size_t>(spgemm_method::sort)].entries -= count - total;
  return total;
}

}  // namespace
#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

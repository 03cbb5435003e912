// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The rows of a sparse product: products made, brought into the order of columns, added in ascending k. Compiled once a
// target.
#if defined(LACIS_CPU_SPGEMM_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_ROWS_INL
#undef LACIS_CPU_SPGEMM_ROWS_INL
#else
#define LACIS_CPU_SPGEMM_ROWS_INL
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>

#include "cpu/simd-inl.hpp"
#include "cpu/spgemm.hpp"
#include "cpu/spgemm_sort-inl.hpp"
#include "cpu/spgemm_stencil-inl.hpp"
#include "summation/arithmetic.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// Where vectors are used: the pairs that most matrices have.
template <class T, class Index>
inline constexpr bool spgemm_simd = LACIS_SIMD_TARGET && !is_complex<T> && sizeof(Index) == 4;

/// Columns for each product up to which scanning a dense row is cheaper than a hash table.
inline constexpr std::int64_t widest_for_product = 2048;

/// The entries of a row so far, written from these places on.
template <class T, class Index> struct row_target {
  Index* columns;
  T* values;
};

/// The first and the last column that the rows of B reach which a row of A asks for.
struct column_window {
  std::int64_t first;
  std::int64_t last;
  [[nodiscard]] std::int64_t width() const { return last - first + 1; }
};

template <class T, class Index>
column_window window_of(const spgemm_job<T, Index>& job, std::int64_t begin, std::int64_t end) {
  column_window w{job.cols(), -1};
  for (std::int64_t p = begin; p < end; ++p) {
    const std::int64_t k = job.a.columns[p];
    const std::int64_t from = job.b.offsets[k];
    const std::int64_t to = job.b.offsets[k + 1];
    if (from == to) continue;
    w.first = std::min<std::int64_t>(w.first, job.b.columns[from]);
    w.last = std::max<std::int64_t>(w.last, job.b.columns[to - 1]);
  }
  return w;
}

/// What a vector may write behind the end of an array: nothing, or up to spgemm_slack elements.
enum class overrun { none, some };

/// to[0 .. count) = factor from[0 .. count), plus the +0 with which a sum starts when Summed.
template <bool Summed, overrun Behind, class T>
HWY_INLINE void scale_into(T factor, const T* from, std::int64_t step, std::int64_t count, T* to) {
  std::int64_t k = 0;
#if LACIS_SIMD_TARGET
  if constexpr (!is_complex<T>) {
    const tag<T> d;
    const auto factors = hn::Set(d, factor);
    const auto nothing = hn::Zero(d);
    const auto put = [&](auto loaded) {
      const auto product = hn::Mul(factors, loaded);
      hn::StoreU(Summed ? hn::Add(nothing, product) : product, d, to + k);
    };
    if (step != 0) {
      for (; k + width<T> <= count; k += width<T>) put(hn::LoadU(d, from + k));
      if (Behind == overrun::some && k < count) {
        put(hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count - k)), d, from + k));
        return;
      }
    }
  }
#endif
  for (; k < count; ++k) {
    const T product = summation::multiply(factor, from[k * step]);
    to[k] = Summed ? summation::add(T{}, product) : product;
  }
}

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

/// A sum and a bit for each column of the window; the bits, scanned, give the columns in order.
template <class T, class Index>
std::int64_t dense_row(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, std::int64_t begin,
                       std::int64_t end, column_window window, row_target<T, Index> to) {
  const std::int64_t base = window.first & ~std::int64_t{63};
  scratch.widen(window.last - base + 1);
  T* HWY_RESTRICT sums = scratch.sums.data();
  std::uint8_t* HWY_RESTRICT used = scratch.used.data();
  for (std::int64_t p = begin; p < end; ++p) {
    const std::int64_t k = job.a.columns[p];
    const T factor = job.a.values[p * job.a.step];
    const std::int64_t last = job.b.offsets[k + 1];
    for (std::int64_t q = job.b.offsets[k]; q < last; ++q) {
      const std::int64_t c = job.b.columns[q] - base;
      sums[c] = summation::add(sums[c], summation::multiply(factor, job.b.values[q * job.b.step]));
      used[c >> 3] = static_cast<std::uint8_t>(used[c >> 3] | 1u << (c & 7));
    }
  }
  const std::int64_t words = (window.last - base) / 64 + 1;
  std::int64_t entries = 0;
  for (std::int64_t w = 0; w < words; ++w) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, used + w * 8, 8);
    if (bits == 0) continue;
    std::memset(used + w * 8, 0, 8);
    T* group = sums + w * 64;
    const std::int64_t first = base + w * 64;
#if LACIS_SIMD_TARGET
    if constexpr (spgemm_simd<T, Index>) {
      if (std::popcount(bits) >= 12) {
        using lanes = hn::CappedTag<T, 8>;
        const lanes d;
        const hn::Rebind<Index, lanes> di;
        constexpr std::int64_t step = hn::MaxLanes(lanes());
        for (std::int64_t part = 0; part < 64; part += step) {
          const auto here = static_cast<std::uint8_t>(bits >> part & ((1u << step) - 1));
          if (here == 0) continue;
          const std::uint8_t raw[8] = {here};
          const auto values = hn::LoadU(d, group + part);
          hn::StoreU(hn::Zero(d), d, group + part);
          hn::StoreU(hn::Compress(values, hn::LoadMaskBits(d, raw)), d, to.values + entries);
          const auto columns = hn::Iota(di, static_cast<Index>(first + part));
          hn::StoreU(hn::Compress(columns, hn::LoadMaskBits(di, raw)), di, to.columns + entries);
          entries += std::popcount(here);
        }
        continue;
      }
    }
#endif
    for (; bits != 0; bits &= bits - 1) {
      const int at = std::countr_zero(bits);
      to.columns[entries] = static_cast<Index>(first + at);
      to.values[entries] = group[at];
      group[at] = T{};
      ++entries;
    }
  }
  return entries;
}

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
      entries = dense_row(job, scratch, begin, end, window, to);
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
    T* tile = scratch.tile_for(*pattern);
    for (std::int64_t i = 0; i < count; i += width<T>) {
      fill_tile(job, *pattern, first + i, tile);
      store_tile(*pattern, first + i, std::min(width<T>, count - i), tile, to.columns + i * entries,
                 to.values + i * entries);
    }
    std::fill(lengths + first, lengths + first + count, entries);
    scratch.count(spgemm_method::stencil, count, count * static_cast<std::int64_t>(pattern->terms.size()),
                  count * entries);
    return count;
  }
#endif
  return 0;
}

template <class T, class Index>
std::int64_t multiply_rows(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, std::int64_t first,
                           std::int64_t last, std::int64_t* lengths, Index* columns, T* values) {
  std::int64_t total = 0;
  for (std::int64_t i = first; i < last;) {
    const row_target<T, Index> to{columns + total, values + total};
    if (const std::int64_t done = stencil_rows(job, scratch, i, last, lengths, to)) {
      total += done * lengths[i];
      i += done;
      continue;
    }
    if (lengths[i] != 0) lengths[i] = plain_row(job, scratch, i, lengths[i], to);
    total += lengths[i++];
  }
  return total;
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows stored slot by slot with SIMD: one row per lane, for ELL, SELL-C-sigma and JDS.
//
// A group is as many neighbouring places as a vector has lanes. Slot s of the group is one contiguous load of columns
// and one of values, and a gather from x; every lane adds its own row from left to right, so short rows keep their
// order and 8 or 16 of them are in flight. A row whose length is reached keeps its sum: padding never enters it. Rows
// of more than 32 entries have 32 sums each, one a vector register's lane again. Bytes: 8 + 4 for each slot of a double
// matrix, padding included. (ELLPACK: Bell and Garland 2009; SELL-C-sigma: Kreutzer et al. 2014; JDS: Saad 1989.)
#include <algorithm>
#include <array>
#include <limits>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"
#include "summation/tree.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/slot_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

using columns_type = std::int32_t;

/// Neighbouring places, one a lane, and where their slots are.
template <class R> struct group {
  std::int64_t first = 0;  ///< place
  std::int64_t count = 0;  ///< at most the lanes of a vector
  std::int64_t base = 0;
  std::int64_t stride = 0;
  const std::int64_t* diagonals = nullptr;
  std::int64_t total = 0;
  HWY_ALIGN columns_type lengths[static_cast<std::size_t>(width<R>)] = {};
  columns_type shortest = 0;
  columns_type longest = 0;

  [[nodiscard]] HWY_INLINE std::int64_t at(std::int64_t slot) const {
    return diagonals != nullptr ? diagonals[slot] + first : base + slot * stride;
  }
};

/// The rows of a group as they are summed: operand, lengths as vectors, and what was seen of the columns.
template <class A, class X> struct group_reader {
  using R = real_of<X>;
  static constexpr std::int64_t lanes = width<R>;

  const operand<A, columns_type, X>& e;
  const group<R>& g;
  index_vec<R> lengths = hn::Load(index_tag<R>(), g.lengths);
  index_vec<R> last = hn::Set(index_tag<R>(), -1);
  hn::Mask<index_tag<R>> rising = hn::Eq(last, last);  ///< and inside the matrix
  index_vec<R> end = hn::Set(index_tag<R>(), last_column(e));
  number<A, R> same = broadcast<R>(e.iso ? e.values[0] : A{});

  HWY_INLINE group_reader(const operand<A, columns_type, X>& entries, const group<R>& places) : e(entries), g(places) {}

  /// Lanes whose row has a slot s.
  [[nodiscard]] HWY_INLINE mask<R> longer_than(std::int64_t s) const {
    const tag<R> d;
    const wide_tag<R> wide;
    if constexpr (sizeof(R) == 4)
      return hn::RebindMask(d, hn::Gt(lengths, hn::Set(wide, static_cast<columns_type>(s))));
    else
      return hn::RebindMask(d, hn::Gt(hn::PromoteTo(wide, lengths), hn::Set(wide, s)));
  }

  /// The largest column that x has, as far as columns go.
  [[nodiscard]] static HWY_INLINE columns_type last_column(const operand<A, columns_type, X>& entries) {
    return static_cast<columns_type>(
        std::min<std::int64_t>(entries.cols - 1, std::numeric_limits<columns_type>::max()));
  }

  /// Slot s of every lane, multiplied with x; what lanes without that slot get has no meaning. Their column is that of
  /// another entry or of padding. A column outside the matrix becomes the last one of it.
  template <bool All> HWY_INLINE auto products(std::int64_t s) {
    const std::int64_t at = g.at(s);
    const index_tag<R> narrow;
    const bool whole = All || at + lanes <= g.total;
    const auto stored = whole ? hn::LoadU(narrow, e.columns + at) : first_columns(at);
    const hn::RebindToUnsigned<index_tag<R>> without_sign;  // where what is negative is large
    const auto indices =
        hn::BitCast(narrow, hn::Min(hn::BitCast(without_sign, stored), hn::BitCast(without_sign, end)));
    rising = hn::And(rising, hn::Eq(stored, indices));
    const auto falls = hn::Not(hn::Lt(last, indices));
    if constexpr (All) {
      rising = hn::AndNot(falls, rising);
    } else {
      const auto active = hn::Gt(lengths, hn::Set(narrow, static_cast<columns_type>(s)));
      rising = hn::AndNot(hn::And(falls, active), rising);
    }
    last = indices;
    const auto x = gather(e.x, indices);
    hwy::Prefetch(reinterpret_cast<const char*>(e.columns + at) + fetch_distance / 2);
    if (e.iso) return multiply(same, x);
    hwy::Prefetch(reinterpret_cast<const char*>(e.values + at) + fetch_distance);
    return multiply(whole ? load<R>(e.values + at) : load_first<R>(e.values + at, g.total - at), x);
  }

  [[nodiscard]] HWY_INLINE index_vec<R> first_columns(std::int64_t at) const {
    const index_tag<R> narrow;
    return hn::MaskedLoad(hn::FirstN(narrow, static_cast<std::size_t>(g.total - at)), narrow, e.columns + at);
  }

  [[nodiscard]] HWY_INLINE bool good() const { return hn::AllTrue(index_tag<R>(), rising); }
};

/// Rows of at most short_limit entries.
template <class A, class X> HWY_INLINE number<product_of<A, X>, real_of<X>> short_sums(group_reader<A, X>& rows) {
  auto sums = zero<product_of<A, X>>();
  std::int64_t s = 0;
  for (; s < rows.g.shortest; ++s) sums = add(sums, rows.template products<true>(s));
  for (; s < rows.g.longest; ++s) {
    const auto active = rows.longer_than(s);
    sums = choose(active, add(sums, rows.template products<false>(s)), sums);
  }
  return sums;
}

/// Slots begin .. end, one chunk at most, of rows of any length: in `serial` from left to right as far as short rows
/// go, and in lanes, joined, as the result.
template <class A, class X>
HWY_INLINE number<product_of<A, X>, real_of<X>> chunk_sums(group_reader<A, X>& rows, std::int64_t begin,
                                                           std::int64_t end,
                                                           number<product_of<A, X>, real_of<X>>& serial) {
  number<product_of<A, X>, real_of<X>> sums[lane_count];
  for (auto& sum : sums) sum = zero<product_of<A, X>>();
  for (std::int64_t s = begin; s < end; ++s) {
    const auto active = rows.longer_than(s);
    const auto product = rows.template products<false>(s);
    if (s < short_limit) serial = choose(active, add(serial, product), serial);
    auto& sum = sums[s % lane_count];
    sum = choose(active, add(sum, product), sum);
  }
  for (std::int64_t half = lane_count / 2; half > 0; half /= 2)
    for (std::int64_t t = 0; t < half; ++t) sums[t] = add(sums[t], sums[t + half]);
  return sums[0];
}

/// Rows of which one at least has more than short_limit entries: one sum per row to `sums`.
template <class A, class X>
HWY_NOINLINE bool long_sums(const operand<A, columns_type, X>& e, const group<real_of<X>>& g, product_of<A, X>* sums) {
  using T = product_of<A, X>;
  using R = real_of<X>;
  group_reader<A, X> rows(e, g);
  auto serial = zero<T>();
  const auto first = chunk_sums(rows, 0, std::min<std::int64_t>(chunk_size, g.longest), serial);
  store<T>(choose(rows.longer_than(short_limit), first, serial), sums);
  if (g.longest <= chunk_size) return rows.good();
  std::array<summation::node_range<T>, static_cast<std::size_t>(width<R>)> trees;
  for (std::size_t l = 0; l < trees.size(); ++l) trees[l].append(sums[l]);
  HWY_ALIGN T next[static_cast<std::size_t>(width<R>)];
  for (std::int64_t begin = chunk_size; begin < g.longest; begin += chunk_size) {
    store<T>(chunk_sums(rows, begin, std::min<std::int64_t>(begin + chunk_size, g.longest), serial), next);
    for (std::size_t l = 0; l < trees.size(); ++l)
      if (g.lengths[l] > begin) trees[l].append(next[l]);
  }
  for (std::size_t l = 0; l < trees.size(); ++l) sums[l] = trees[l].total();
  return rows.good();
}

/// Writes the sums of a group to their rows.
template <class R, class T> struct group_writer {
  const slots<columns_type>& where;
  const scaling<T>& scale;
  T* y;
  const columns_type* skip;
  std::uint32_t row_count = static_cast<std::uint32_t>(std::min(where.rows, std::int64_t{1} << 31));

  /// Whether the rows of a group are rows of y.
  [[nodiscard]] HWY_INLINE bool has_rows(const group<R>& g) const {
    if (where.permutation == nullptr) return true;
    const columns_type* rows = where.permutation + g.first;
    if (g.count == width<R>) {
      const hn::RebindToUnsigned<index_tag<R>> without_sign;
      const auto stored = hn::BitCast(without_sign, hn::LoadU(index_tag<R>(), rows));
      return hn::AllTrue(without_sign, hn::Lt(stored, hn::Set(without_sign, row_count)));
    }
    bool all = true;
    for (std::int64_t l = 0; l < g.count; ++l) all &= static_cast<std::uint32_t>(rows[l]) < row_count;
    return all;
  }

  [[nodiscard]] HWY_INLINE bool contiguous(const group<R>& g) const {
    if (g.count < width<R> || !scale.plain) return false;
    if (where.skip != nullptr && skip != where.skip_end && *skip < g.first + g.count) return false;
    if (where.permutation == nullptr) return true;
    const index_tag<R> narrow;
    const columns_type* rows = where.permutation + g.first;
    return hn::AllTrue(narrow, hn::Eq(hn::LoadU(narrow, rows), hn::Iota(narrow, rows[0])));
  }

  [[nodiscard]] HWY_INLINE std::int64_t row(std::int64_t place) const {
    return where.permutation != nullptr ? where.permutation[place] : place;
  }

  HWY_INLINE void write(const group<R>& g, number<T, R> sums) {
    if (contiguous(g)) {
      store<T>(sums, y + row(g.first));
      return;
    }
    HWY_ALIGN T each[static_cast<std::size_t>(width<R>)];
    store<T>(sums, each);
    for (std::int64_t l = 0; l < g.count; ++l) {
      const std::int64_t i = row(g.first + l);
      while (skip != where.skip_end && *skip < i) ++skip;
      if (skip == where.skip_end || *skip != i) scale.store(y[i], each[l]);
    }
  }
};

/// Finds the lengths and the slots of one group after the other.
template <class R> struct group_walker {
  const slots<columns_type>& where;
  std::int64_t length = where.diagonal_count;  ///< JDS: of the place reached; lengths fall
  std::int64_t slice = 0;                      ///< SELL: of the place reached

  HWY_INLINE void place(group<R>& g, std::int64_t first, std::int64_t end) {
    g.first = first;
    g.count = std::min(width<R>, end - first);
    if (where.slice_offsets != nullptr) {
      slice = first / where.stride;
      g.count = std::min(g.count, (slice + 1) * where.stride - first);
      g.base = where.slice_offsets[slice] + first % where.stride;
    } else {
      g.base = first;
    }
    const index_tag<R> narrow;
    if (where.lengths != nullptr && g.count == width<R>) {
      const auto lengths = hn::LoadU(narrow, where.lengths + first);
      hn::Store(lengths, narrow, g.lengths);
      g.shortest = hn::GetLane(hn::MinOfLanes(narrow, lengths));
      g.longest = hn::GetLane(hn::MaxOfLanes(narrow, lengths));
      return;
    }
    g.shortest = g.longest = 0;
    for (std::int64_t l = 0; l < width<R>; ++l) {
      const columns_type found = l < g.count ? length_of(first + l) : 0;
      g.lengths[l] = found;
      g.longest = std::max(g.longest, found);
      g.shortest = l == 0 ? found : std::min(g.shortest, found);
    }
  }

  /// Whether the lengths of a group are those of slots that exist.
  [[nodiscard]] HWY_INLINE bool fits(const group<R>& g) const {
    return where.lengths == nullptr || (g.shortest >= 0 && where.has_slots(slice, g.longest));
  }

 private:
  HWY_INLINE columns_type length_of(std::int64_t p) {
    if (where.lengths != nullptr) return where.lengths[p];
    while (length > 0 && where.diagonals[length] - where.diagonals[length - 1] <= p) --length;
    return static_cast<columns_type>(length);
  }
};

template <class A, class X>
bool slot_places(const operand<A, columns_type, X>& e, const slots<columns_type>& where, std::int64_t begin,
                 std::int64_t end, const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  using T = product_of<A, X>;
  using R = real_of<X>;
  group_walker<R> walker{where};
  group_writer<R, T> writer{where, scale, y, where.skip};
  group<R> g;
  g.stride = where.stride;
  g.diagonals = where.diagonals;
  g.total = where.total;
  bool good = true;
  for (std::int64_t p = begin; p < end; p += g.count) {
    walker.place(g, p, end);
    if (!walker.fits(g) || !writer.has_rows(g)) return false;
    if (g.longest <= short_limit) {
      group_reader<A, X> rows(e, g);
      writer.write(g, short_sums(rows));
      good &= rows.good();
    } else {
      HWY_ALIGN T sums[static_cast<std::size_t>(width<R>)];
      good &= long_sums(e, g, sums);
      writer.write(g, load<R>(sums));
    }
  }
  return good;
}

}  // namespace

template <class A, class X> void set_slot_kernels(kernel_table<A, columns_type, X>& table) {
  table.slot_places = slot_places<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_slot_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_SIMD_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

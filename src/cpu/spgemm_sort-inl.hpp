// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Up to 64 numbers of 32 bits sorted in registers by a bitonic network (Batcher 1968). Compiled once a target.
#if defined(LACIS_CPU_SPGEMM_SORT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_SORT_INL
#undef LACIS_CPU_SPGEMM_SORT_INL
#else
#define LACIS_CPU_SPGEMM_SORT_INL
#endif

#include <cstdint>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace hn = hwy::HWY_NAMESPACE;

using key_tag = hn::ScalableTag<std::uint32_t>;
using key_vec = hn::Vec<key_tag>;
inline constexpr int key_lanes = HWY_MAX_BYTES / 4;

/// Lane i meets lane i ^ Flip; the lower lane keeps the smaller key.
template <int Flip> HWY_INLINE key_vec exchange(key_vec v) {
  const key_tag d;
  constexpr int top = Flip >= 8 ? 8 : Flip >= 4 ? 4 : Flip >= 2 ? 2 : 1;
  const auto lane = hn::Iota(d, 0);
  const auto partner = hn::TableLookupLanes(v, hn::IndicesFromVec(d, hn::Xor(lane, hn::Set(d, Flip))));
  const auto is_lower = hn::TestBit(lane, hn::Set(d, top));
  return hn::IfThenElse(is_lower, hn::Max(v, partner), hn::Min(v, partner));
}

/// Distances Distance, Distance / 2 ... 1 within each vector.
template <int Distance, int Count> HWY_INLINE void exchange_within(key_vec* v) {
  if constexpr (Distance >= 1) {
    for (int i = 0; i < Count; ++i) v[i] = exchange<Distance>(v[i]);
    exchange_within<Distance / 2, Count>(v);
  }
}

/// Sorted runs of Run lanes become sorted vectors.
template <int Run, int Count> HWY_INLINE void merge_within(key_vec* v) {
  if constexpr (Run < key_lanes) {
    for (int i = 0; i < Count; ++i) v[i] = exchange<2 * Run - 1>(v[i]);
    exchange_within<Run / 2, Count>(v);
    merge_within<2 * Run, Count>(v);
  }
}

/// Sorted runs of Run vectors become one sorted run of all of them.
template <int Run, int Count> HWY_INLINE void merge_across(key_vec* v) {
  if constexpr (Run < Count) {
    const key_tag d;
    for (int base = 0; base < Count; base += 2 * Run)
      for (int i = 0; i < Run; ++i) {
        key_vec& low = v[base + i];
        key_vec& high = v[base + 2 * Run - 1 - i];
        const auto turned = hn::Reverse(d, high);
        high = hn::Reverse(d, hn::Max(low, turned));
        low = hn::Min(low, turned);
      }
    for (int apart = Run / 2; apart >= 1; apart /= 2)
      for (int i = 0; i < Count; ++i)
        if ((i & apart) == 0) {
          const auto low = v[i];
          v[i] = hn::Min(low, v[i + apart]);
          v[i + apart] = hn::Max(low, v[i + apart]);
        }
    exchange_within<key_lanes / 2, Count>(v);
    merge_across<2 * Run, Count>(v);
  }
}

/// Sorts Count vectors of keys.
template <int Count> HWY_INLINE void sort_vectors(std::uint32_t* keys) {
  const key_tag d;
  key_vec v[Count];
  for (int i = 0; i < Count; ++i) v[i] = hn::Load(d, keys + i * key_lanes);
  merge_within<1, Count>(v);
  merge_across<1, Count>(v);
  for (int i = 0; i < Count; ++i) hn::Store(v[i], d, keys + i * key_lanes);
}

/// Sorts `count` keys, at most 64, in an aligned array of 64: what lies behind them is overwritten by the largest key.
HWY_INLINE void sort_keys(std::uint32_t* keys, std::int64_t count) {
  const key_tag d;
  const auto vectors = (count + key_lanes - 1) / key_lanes;
  int padded = 1;
  while (padded < vectors) padded *= 2;
  const auto none = hn::Set(d, ~std::uint32_t{0});
  for (std::int64_t i = count / key_lanes; i < padded; ++i) {
    const auto place = hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<std::uint32_t>(i * key_lanes)));
    const auto filled = hn::Lt(place, hn::Set(d, static_cast<std::uint32_t>(count)));
    hn::Store(hn::IfThenElse(filled, hn::Load(d, keys + i * key_lanes), none), d, keys + i * key_lanes);
  }
  switch (padded) {
    case 1:
      sort_vectors<1>(keys);
      break;
    case 2:
      sort_vectors<2>(keys);
      break;
    case 4:
      sort_vectors<4>(keys);
      break;
    default:
      if constexpr (key_lanes == 8) sort_vectors<8>(keys);
  }
}

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

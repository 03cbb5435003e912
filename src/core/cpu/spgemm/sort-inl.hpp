// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of 32 bits sorted by a bitonic network (Batcher 1968), in registers as far as these go. Compiled once a
// target.
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

// Loops over vectors are unrolled: a compiler that does not do so by itself keeps the vectors in memory, where each
// step waits for the store of the one before.

/// Distances Distance, Distance / 2 ... 1 within each vector.
template <int Distance, int Count> HWY_INLINE void exchange_within(key_vec* v) {
  if constexpr (Distance >= 1) {
    HWY_UNROLL(8)
    for (int i = 0; i < Count; ++i) v[i] = exchange<Distance>(v[i]);
    exchange_within<Distance / 2, Count>(v);
  }
}

/// Sorted runs of Run lanes become sorted vectors.
template <int Run, int Count> HWY_INLINE void merge_within(key_vec* v) {
  if constexpr (Run < key_lanes) {
    HWY_UNROLL(8)
    for (int i = 0; i < Count; ++i) v[i] = exchange<2 * Run - 1>(v[i]);
    exchange_within<Run / 2, Count>(v);
    merge_within<2 * Run, Count>(v);
  }
}

/// Distances Apart, Apart / 2 ... 1 between vectors.
template <int Apart, int Count> HWY_INLINE void exchange_across(key_vec* v) {
  if constexpr (Apart >= 1) {
    HWY_UNROLL(8)
    for (int i = 0; i < Count; ++i)
      if ((i & Apart) == 0) {
        const auto low = v[i];
        v[i] = hn::Min(low, v[i + Apart]);
        v[i + Apart] = hn::Max(low, v[i + Apart]);
      }
    exchange_across<Apart / 2, Count>(v);
  }
}

/// Sorted runs of Run vectors become one sorted run of all of them.
template <int Run, int Count> HWY_INLINE void merge_across(key_vec* v) {
  if constexpr (Run < Count) {
    const key_tag d;
    HWY_UNROLL(4)
    for (int k = 0; k < Count / 2; ++k) {
      const int base = k / Run * 2 * Run;
      key_vec& low = v[base + k % Run];
      key_vec& high = v[base + 2 * Run - 1 - k % Run];
      const auto turned = hn::Reverse(d, high);
      high = hn::Reverse(d, hn::Max(low, turned));
      low = hn::Min(low, turned);
    }
    exchange_across<Run / 2, Count>(v);
    exchange_within<key_lanes / 2, Count>(v);
    merge_across<2 * Run, Count>(v);
  }
}

/// Sorts Count vectors of keys.
template <int Count> HWY_INLINE void sort_vectors(key_vec (&v)[Count]) {
  merge_within<1, Count>(v);
  merge_across<1, Count>(v);
}

/// Vectors that are sorted without leaving registers.
inline constexpr int most_vectors = 8;

/// Two neighbouring sorted runs of `run` vectors, a multiple of most_vectors, become one.
HWY_INLINE void merge_runs(std::uint32_t* keys, std::int64_t run) {
  const key_tag d;
  const auto meet = [&](std::uint32_t* low, std::uint32_t* high) {
    const auto x = hn::Load(d, low);
    const auto y = hn::Load(d, high);
    hn::Store(hn::Min(x, y), d, low);
    hn::Store(hn::Max(x, y), d, high);
  };
  for (std::int64_t i = 0; i < run; ++i) {
    std::uint32_t* low = keys + i * key_lanes;
    std::uint32_t* high = keys + (2 * run - 1 - i) * key_lanes;
    const auto x = hn::Load(d, low);
    const auto y = hn::Reverse(d, hn::Load(d, high));
    hn::Store(hn::Min(x, y), d, low);
    hn::Store(hn::Reverse(d, hn::Max(x, y)), d, high);
  }
  for (std::int64_t apart = run / 2; apart >= most_vectors; apart /= 2)
    for (std::int64_t i = 0; i < 2 * run; ++i)
      if ((i & apart) == 0) meet(keys + i * key_lanes, keys + (i + apart) * key_lanes);
  for (std::int64_t first = 0; first < 2 * run; first += most_vectors) {
    key_vec v[most_vectors];
    HWY_UNROLL(8)
    for (int i = 0; i < most_vectors; ++i) v[i] = hn::Load(d, keys + (first + i) * key_lanes);
    exchange_across<most_vectors / 2, most_vectors>(v);
    exchange_within<key_lanes / 2, most_vectors>(v);
    HWY_UNROLL(8)
    for (int i = 0; i < most_vectors; ++i) hn::Store(v[i], d, keys + (first + i) * key_lanes);
  }
}

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

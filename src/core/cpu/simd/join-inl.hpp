// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors of lanes joined as the order of summation joins lanes. Compiled once per target.
#if defined(LACIS_CPU_JOIN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_JOIN_INL
#undef LACIS_CPU_JOIN_INL
#else
#define LACIS_CPU_JOIN_INL
#endif

#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET

/// Vectors joined by halving, into the first.
template <int Count, class Vector> HWY_INLINE void join_vectors(Vector* sums) {
  if constexpr (Count > 1) {
    HWY_UNROLL(8)
    for (int v = 0; v < Count / 2; ++v) sums[v] = add(sums[v], sums[v + Count / 2]);
    join_vectors<Count / 2>(sums);
  }
}

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

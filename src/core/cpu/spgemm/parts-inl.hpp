// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the ways to compute a row of a sparse product share. Compiled once per target.
#if defined(LACIS_CPU_SPGEMM_PARTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_PARTS_INL
#undef LACIS_CPU_SPGEMM_PARTS_INL
#else
#define LACIS_CPU_SPGEMM_PARTS_INL
#endif

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>

#include "cpu/simd/simd-inl.hpp"
#include "cpu/spgemm/spgemm.hpp"
#include "summation/arithmetic.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// Where vectors are used: the pairs that most matrices have.
template <class T, class Index>
inline constexpr bool spgemm_simd = LACIS_SIMD_TARGET && !is_complex<T> && sizeof(Index) == 4;

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
  column_window w{job.cols, -1};
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

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse product with a sum for every column of a window. Compiled once per target.
#if defined(LACIS_CPU_SPGEMM_DENSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_DENSE_INL
#undef LACIS_CPU_SPGEMM_DENSE_INL
#else
#define LACIS_CPU_SPGEMM_DENSE_INL
#endif

#include <bit>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>

#include "cpu/spgemm/parts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// Every product of the row: added to the sum of its column, whose bit is set.
template <class T, class Index>
HWY_INLINE void add_products(const spgemm_job<T, Index>& job, std::int64_t begin, std::int64_t end, std::int64_t base,
                             T* HWY_RESTRICT sums, std::uint8_t* HWY_RESTRICT used) {
  const spgemm_operand<T, Index> a = job.a;
  const spgemm_operand<T, Index> b = job.b;
  const auto add_row = [&](T factor, const Index* HWY_RESTRICT columns, std::int64_t count, auto value_of) {
    for (std::int64_t q = 0; q < count; ++q) {
      const std::int64_t c = columns[q] - base;
      sums[c] = summation::add(sums[c], summation::multiply(factor, value_of(q)));
      used[c >> 3] = static_cast<std::uint8_t>(used[c >> 3] | 1u << (c & 7));
    }
  };
  for (std::int64_t p = begin; p < end; ++p) {
    const std::int64_t k = a.columns[p];
    const std::int64_t first = b.offsets[k];
    const std::int64_t count = b.offsets[k + 1] - first;
    const T factor = a.values[p * a.step];
    if (b.step == 0) {
      add_row(factor, b.columns + first, count, [value = *b.values](std::int64_t) { return value; });
    } else {
      const T* HWY_RESTRICT values = b.values + first;
      add_row(factor, b.columns + first, count, [values](std::int64_t q) { return values[q]; });
    }
  }
}

/// The columns whose bits are set, in order; clears the bits. At once writes `AtOnce` columns for each word of 64 bits,
/// whether it has as many or not: a loop over an unpredictable number of bits costs more than that.
template <int AtOnce, class Index>
HWY_INLINE std::int64_t list_columns(std::uint8_t* HWY_RESTRICT used, std::int64_t words, std::int64_t first,
                                     Index* HWY_RESTRICT columns) {
  constexpr std::int64_t group = 8;
  constexpr std::uint64_t last_bit = std::uint64_t{1} << 63;  // without it the compiler asks whether a bit is left
  std::int64_t count = 0;
  for (std::int64_t begin = 0; begin < words; begin += group) {
    std::uint64_t bits[group];
    std::memcpy(bits, used + begin * 8, sizeof(bits));
    if ((bits[0] | bits[1] | bits[2] | bits[3] | bits[4] | bits[5] | bits[6] | bits[7]) == 0) continue;
    std::memset(used + begin * 8, 0, sizeof(bits));
    for (std::int64_t w = 0; w < group; ++w) {
      std::uint64_t left = bits[w];
      const auto from = static_cast<Index>(first + (begin + w) * 64);
      const int here = std::popcount(left);
      const auto put_next = [&](int i) {
        columns[count + i] = static_cast<Index>(from + std::countr_zero(left | last_bit));
        left &= left - 1;
      };
      for (int i = 0; i < AtOnce; ++i) put_next(i);
      for (int i = AtOnce; i < here; ++i) put_next(i);
      count += here;
    }
  }
  return count;
}

/// The sums of listed columns, which become +0.
template <class T, class Index>
HWY_INLINE void take_sums(T* HWY_RESTRICT sums, std::int64_t base, const Index* HWY_RESTRICT columns,
                          std::int64_t count, T* HWY_RESTRICT values) {
  for (std::int64_t k = 0; k < count; ++k) {
    T& sum = sums[columns[k] - base];
    values[k] = sum;
    sum = T{};
  }
}

#if HWY_TARGET == HWY_AVX3
// What Highway 1.0 has for this copies a table of 2 KiB for every eight numbers.
HWY_INLINE void compress_into(__mmask8 which, const double* from, double* to) {
  _mm512_storeu_pd(to, _mm512_maskz_compress_pd(which, _mm512_loadu_pd(from)));
}
HWY_INLINE void compress_into(__mmask8 which, const float* from, float* to) {
  _mm256_storeu_ps(to, _mm256_maskz_compress_ps(which, _mm256_loadu_ps(from)));
}

/// Columns and sums of rows that fill a good part of their window: 8 columns at a time, compressed.
template <class T>
HWY_INLINE std::int64_t compress_sums(std::uint8_t* HWY_RESTRICT used, T* HWY_RESTRICT sums, std::int64_t words,
                                      std::int64_t first, row_target<T, std::int32_t> to) {
  const __m256i ascending = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  std::int64_t count = 0;
  for (std::int64_t w = 0; w < words; ++w) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, used + w * 8, sizeof(bits));
    if (bits == 0) continue;
    std::memset(used + w * 8, 0, sizeof(bits));
    T* group = sums + w * 64;
    auto column = static_cast<std::int32_t>(first + w * 64);
    for (int part = 0; part < 8; ++part, bits >>= 8, group += 8, column += 8) {
      const auto here = static_cast<__mmask8>(bits);
      compress_into(here, group, to.values + count);
      hn::StoreU(hn::Zero(hn::CappedTag<T, 8>()), hn::CappedTag<T, 8>(), group);
      const __m256i columns = _mm256_maskz_compress_epi32(here, _mm256_add_epi32(_mm256_set1_epi32(column), ascending));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.columns + count), columns);
      count += std::popcount(static_cast<std::uint8_t>(here));
    }
  }
  return count;
}
#endif

/// A sum and a bit for each column of the window; the bits, scanned, give the columns in order.
template <class T, class Index>
std::int64_t dense_row(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, std::int64_t begin,
                       std::int64_t end, std::int64_t products, column_window window, row_target<T, Index> to) {
  const std::int64_t base = window.first & ~std::int64_t{63};
  scratch.widen(window.last - base + 1);
  T* sums = scratch.sums.data();
  std::uint8_t* used = scratch.used.data();
  add_products(job, begin, end, base, sums, used);
  const std::int64_t words = (window.last - base) / 64 + 1;
#if HWY_TARGET == HWY_AVX3
  if constexpr (spgemm_simd<T, Index>)
    if (products >= 6 * words) return compress_sums(used, sums, words, base, to);
#endif
  const std::int64_t entries = products >= 2 * words ? list_columns<8>(used, words, base, to.columns)
                                                     : list_columns<4>(used, words, base, to.columns);
  take_sums(sums, base, to.columns, entries, to.values);
  return entries;
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse product that have one template, a lane each: every entry is a chain of rounded products over plain
// loads, and the tile of entries is turned into rows at the end. Compiled once a target.
#if defined(LACIS_CPU_SPGEMM_STENCIL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_STENCIL_INL
#undef LACIS_CPU_SPGEMM_STENCIL_INL
#else
#define LACIS_CPU_SPGEMM_STENCIL_INL
#endif

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>

#include "cpu/simd-inl.hpp"
#include "cpu/spgemm.hpp"
#include "summation/arithmetic.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// Neighbouring rows from `row` on that have one template, at most up to `last`.
template <class T, class Index>
std::int64_t rows_of_template(const spgemm_job<T, Index>& job, std::int64_t row, std::int64_t last) {
  std::int64_t count = std::min<std::int64_t>(last, job.shapes->a().run_end[row]) - row;
  for (std::int64_t p = job.a.offsets[row]; p < job.a.offsets[row + 1]; ++p) {
    const std::int64_t k = job.a.columns[p];
    count = std::min<std::int64_t>(count, job.shapes->b.run_end[k] - k);
  }
  return count;
}

/// The entries of rows row .. row + width<T> of C, a vector of rows for each entry.
template <class T, class Index>
void fill_tile(const spgemm_job<T, Index>& job, const spgemm_template& pattern, std::int64_t row, T* tile) {
  const tag<T> d;
  const T* HWY_RESTRICT a = job.values->a().data.data() + row * job.values->a().row_step;
  const T* HWY_RESTRICT b = job.values->b.data.data() + row * job.values->b.row_step;
  const spgemm_template::term* term = pattern.terms.data();
  const spgemm_template::term* const terms = term;
  const auto product = [&](const spgemm_template::term& t) {
    return hn::Mul(hn::LoadU(d, a + t.a), hn::LoadU(d, b + t.b));
  };
  for (std::int64_t e = 0; e < pattern.entries(); ++e) {
    const spgemm_template::term* const end = terms + pattern.ends[static_cast<std::size_t>(e)];
    auto sum = hn::Add(hn::Zero(d), product(*term));
    for (++term; term != end; ++term) sum = hn::Add(sum, product(*term));
    hn::StoreU(sum, d, tile + e * width<T>);
  }
}

/// Entries `entry` .. entry + width<T> of one row of a tile.
template <class T> HWY_INLINE vec<T> from_tile(const T* tile, std::int64_t lane, std::int64_t entry) {
  const index_tag<T> di;
  const auto places = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(width<T>)));
  return gather<T>(tile + entry * width<T> + lane, places);
}

/// The first `count` rows of a tile, columns and values, one row behind the other. Writes up to a vector too much.
template <class T>
void store_tile(const spgemm_template& pattern, std::int64_t row, std::int64_t count, const T* tile,
                std::int32_t* columns, T* values) {
  const tag<T> d;
  const index_tag<T> di;
  const std::int64_t entries = pattern.entries();
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const auto shift = hn::Set(di, static_cast<std::int32_t>(row + lane));
    for (std::int64_t e = 0; e < entries; e += width<T>) {
      hn::StoreU(hn::Add(hn::LoadU(di, pattern.columns.data() + e), shift), di, columns + lane * entries + e);
      hn::StoreU(from_tile(tile, lane, e), d, values + lane * entries + e);
    }
  }
}

/// The values alone, and nothing behind them.
template <class T> void store_values(const spgemm_template& pattern, std::int64_t count, const T* tile, T* values) {
  const tag<T> d;
  const std::int64_t entries = pattern.entries();
  for (std::int64_t lane = 0; lane < count; ++lane) {
    T* to = values + lane * entries;
    std::int64_t e = 0;
    for (; e + width<T> <= entries; e += width<T>) hn::StoreU(from_tile(tile, lane, e), d, to + e);
    for (; e < entries; ++e) to[e] = tile[e * width<T> + lane];
  }
}

}  // namespace
#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

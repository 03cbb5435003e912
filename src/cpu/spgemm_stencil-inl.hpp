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

/// The entries of rows row .. row + Vectors * width<T> of C: for each entry the rows one after the other.
template <int Vectors, class T, class Index>
void fill_tile(const spgemm_job<T, Index>& job, const spgemm_template& pattern, std::int64_t row, T* tile) {
  const tag<T> d;
  const std::int64_t a_step = job.values->a().row_step;
  const std::int64_t b_step = job.values->b.row_step;
  const T* HWY_RESTRICT a = job.values->a().data.data() + row * a_step;
  const T* HWY_RESTRICT b = job.values->b.data.data() + row * b_step;
  const spgemm_template::term* term = pattern.terms.data();
  const spgemm_template::term* const terms = term;
  const auto product = [&](const spgemm_template::term& t, int v) {
    return hn::Mul(hn::LoadU(d, a + t.a + v * width<T> * a_step), hn::LoadU(d, b + t.b + v * width<T> * b_step));
  };
  for (std::int64_t e = 0; e < pattern.entries(); ++e) {
    const spgemm_template::term* const end = terms + pattern.ends[static_cast<std::size_t>(e)];
    vec<T> sums[Vectors];
    for (int v = 0; v < Vectors; ++v) sums[v] = hn::Add(hn::Zero(d), product(*term, v));
    for (++term; term != end; ++term)
      for (int v = 0; v < Vectors; ++v) sums[v] = hn::Add(sums[v], product(*term, v));
    for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[v], d, tile + (e * Vectors + v) * width<T>);
  }
}

/// Entries `entry` .. entry + width<T> of one row of a tile that has `rows` rows.
template <class T>
HWY_INLINE vec<T> from_tile(const T* tile, std::int64_t rows, std::int64_t lane, std::int64_t entry) {
  const index_tag<T> di;
  const auto places = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(rows)));
  return gather<T>(tile + entry * rows + lane, places);
}

/// The first `count` rows of a tile, columns and values, one row behind the other. Writes up to a vector too much.
template <class T>
void store_tile(const spgemm_template& pattern, std::int64_t row, std::int64_t count, const T* tile,
                std::int64_t tile_rows, std::int32_t* columns, T* values) {
  const tag<T> d;
  const index_tag<T> di;
  const std::int64_t entries = pattern.entries();
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const auto shift = hn::Set(di, static_cast<std::int32_t>(row + lane));
    for (std::int64_t e = 0; e < entries; e += width<T>) {
      hn::StoreU(hn::Add(hn::LoadU(di, pattern.columns.data() + e), shift), di, columns + lane * entries + e);
      hn::StoreU(from_tile(tile, tile_rows, lane, e), d, values + lane * entries + e);
    }
  }
}

/// The values alone, and nothing behind them.
template <class T> void store_values(const spgemm_template& pattern, std::int64_t count, const T* tile, std::int64_t tile_rows, T* values) {
  const tag<T> d;
  const std::int64_t entries = pattern.entries();
  for (std::int64_t lane = 0; lane < count; ++lane) {
    T* to = values + lane * entries;
    std::int64_t e = 0;
    for (; e + width<T> <= entries; e += width<T>) hn::StoreU(from_tile(tile, tile_rows, lane, e), d, to + e);
    for (; e < entries; ++e) to[e] = tile[e * tile_rows + lane];
  }
}

/// store(first, rows, tile, tile_rows) for tiles that cover `count` rows of one template from `first` on: two vectors of
/// rows while there are so many, for the addresses of factors are then read half as often.
template <class T, class Index, class Store>
void on_tiles(const spgemm_job<T, Index>& job, spgemm_scratch<T, Index>& scratch, const spgemm_template& pattern,
              std::int64_t first, std::int64_t count, Store&& store) {
  T* tile = scratch.tile_for(pattern);
  for (std::int64_t i = 0; i < count;) {
    const bool wide = count - i > width<T>;
    const std::int64_t tile_rows = wide ? 2 * width<T> : width<T>;
    const std::int64_t rows = std::min(tile_rows, count - i);
    if (wide)
      fill_tile<2>(job, pattern, first + i, tile);
    else
      fill_tile<1>(job, pattern, first + i, tile);
    store(i, rows, tile, tile_rows);
    i += rows;
  }
}

}  // namespace
#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

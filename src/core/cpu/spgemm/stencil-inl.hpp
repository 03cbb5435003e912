// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse product that have one template, a lane each: every entry is a chain of rounded products over plain
// loads, and the tile of entries is turned into rows at the end. Compiled once per target.
#if defined(LACIS_CPU_SPGEMM_STENCIL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_STENCIL_INL
#undef LACIS_CPU_SPGEMM_STENCIL_INL
#else
#define LACIS_CPU_SPGEMM_STENCIL_INL
#endif

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>

#include "cpu/simd/simd-inl.hpp"
#include "cpu/spgemm/spgemm.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// The entries of rows row .. row + Vectors * width<T> of C: for each entry the rows one after the other.
template <int Vectors, class T>
void fill_tile(const operand_values<T>& operands, const spgemm_template& pattern, const spgemm_factors* factors,
               std::int64_t row, T* HWY_RESTRICT tile) {
  const tag<T> d;
  const std::int64_t a_step = operands.a().row_step;
  const std::int64_t b_step = operands.b.row_step;
  const T* HWY_RESTRICT a = operands.a().data.data() + row * a_step;
  const T* HWY_RESTRICT b = operands.b.data.data() + row * b_step;
  const auto product = [&](const spgemm_factors& f, int v) {
    return hn::Mul(hn::LoadU(d, a + f.a + v * width<T> * a_step), hn::LoadU(d, b + f.b + v * width<T> * b_step));
  };
  const spgemm_factors* at = factors;
  for (const std::int32_t end : pattern.ends) {
    vec<T> sums[Vectors];
    for (int v = 0; v < Vectors; ++v) sums[v] = hn::Add(hn::Zero(d), product(*at, v));
    for (++at; at != factors + end; ++at)
      for (int v = 0; v < Vectors; ++v) sums[v] = hn::Add(sums[v], product(*at, v));
    for (int v = 0; v < Vectors; ++v, tile += width<T>) hn::StoreU(sums[v], d, tile);
  }
}

/// The first `count` rows of a tile of `tile_rows` rows, from row number `row` on, one behind the other. Only the last
/// row takes care not to write behind its end: the others are followed by a row that is yet to come.
template <class T>
void store_tile(const spgemm_template& pattern, std::int64_t row, std::int64_t count, const T* tile,
                std::int64_t tile_rows, std::int32_t* columns, T* values) {
  const tag<T> d;
  const index_tag<T> di;
  const std::int64_t entries = pattern.entries();
  const auto places = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(tile_rows)));
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const std::int64_t whole = lane + 1 < count ? entries : entries / width<T> * width<T>;
    const auto shift = static_cast<std::int32_t>(row + lane);
    std::int64_t e = 0;
    for (; e < whole; e += width<T>) {
      hn::StoreU(gather<T>(tile + e * tile_rows + lane, places), d, values + e);
      if (columns != nullptr)
        hn::StoreU(hn::Add(hn::LoadU(di, pattern.columns.data() + e), hn::Set(di, shift)), di, columns + e);
    }
    for (; e < entries; ++e) {
      values[e] = tile[e * tile_rows + lane];
      if (columns != nullptr) columns[e] = pattern.columns[static_cast<std::size_t>(e)] + shift;
    }
    values += entries;
    if (columns != nullptr) columns += entries;
  }
}

/// A run, two vectors of rows at a time while there are so many: the addresses of factors are then read half as often.
template <class T>
void multiply_run(const spgemm_tiles<T>& tiles, const spgemm_template& pattern, const spgemm_run& run, buffer<T>& tile,
                  std::int32_t* columns, T* values) {
  const std::int64_t entries = pattern.entries();
  // A gather may begin at the last entry.
  const std::int64_t size = (entries + width<T>)*2 * width<T>;
  if (tile.size() < size) tile = buffer<T>(size, T{});
  const spgemm_factors* factors = tiles.factors[run.pattern].data();
  for (std::int64_t i = 0; i < run.rows;) {
    const bool wide = run.rows - i > width<T>;
    const std::int64_t tile_rows = wide ? 2 * width<T> : width<T>;
    const std::int64_t rows = std::min(tile_rows, run.rows - i);
    const std::int64_t row = run.first_row + i;
    if (wide)
      fill_tile<2>(tiles.values, pattern, factors, row, tile.data());
    else
      fill_tile<1>(tiles.values, pattern, factors, row, tile.data());
    store_tile(pattern, row, rows, tile.data(), tile_rows, columns == nullptr ? nullptr : columns + i * entries,
               values + i * entries);
    i += rows;
  }
}

}  // namespace
#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

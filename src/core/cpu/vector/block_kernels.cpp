// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Gram matrices and combinations of several vectors with SIMD.
//
// Both work on tiles in registers: a step of a Gram matrix loads one vector of lanes from each of a few x and y and
// adds all their products, so an element is read once per tile instead of once per product. The 32 lanes of a block do
// not fit the registers for a whole tile: one vector of lanes after the other goes through the block.
#include "cpu/vector/block_kernels.hpp"

#include <algorithm>
#include <array>

#include "cpu/simd/targets.hpp"
#include "cpu/vector/kernels.hpp"
#include "cpu/vector/portable.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/vector/block_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

template <class T> using number_of = number<T, real_of<T>>;
template <class T> inline constexpr std::int64_t step = width<real_of<T>>;
template <class T> inline constexpr int vectors = static_cast<int>(block_lanes / step<T>);

/// x's and y's of a tile: sums, the x's and one y are in registers, of which AVX-512 has 32 and AVX2 16. A complex sum
/// takes two.
inline constexpr bool many_registers = HWY_TARGET == HWY_AVX3;
template <class T> inline constexpr int tile_x = is_complex<T> ? 2 : 4;
template <class T> inline constexpr int tile_y = is_complex<T> ? (many_registers ? 4 : 2) : (many_registers ? 4 : 2);

template <class V> HWY_INLINE V multiply_conjugated(V a, V b) { return hn::Mul(a, b); }
template <class R> HWY_INLINE complex_vec<R> multiply_conjugated(complex_vec<R> a, complex_vec<R> b) {
  return {hn::Add(hn::Mul(a.re, b.re), hn::Mul(a.im, b.im)), hn::Sub(hn::Mul(a.re, b.im), hn::Mul(a.im, b.re))};
}

/// Joins the lanes of a sum, which has several vectors of them.
template <class T> HWY_INLINE T joined(number_of<T> (&sums)[vectors<T>]) {
  for (int half = vectors<T> / 2; half > 0; half /= 2)
    for (int v = 0; v < half; ++v) sums[v] = add(sums[v], sums[v + half]);
  return join_lanes<T>(sums[0]);
}

/// Asks for the lines of `count` elements: vectors are read in pieces so short that a processor foresees little.
template <class T> HWY_INLINE void fetch(const T* p, std::int64_t count) {
  for (std::int64_t k = 0; k < count; k += 64 / static_cast<std::int64_t>(sizeof(T))) __builtin_prefetch(p + k);
}

/// The products of X x's and Y y's.
template <class T, int X, int Y> struct tile {
  std::array<const T*, X> x;
  std::array<const T*, X> next_x;  ///< those that are read next
  std::array<const T*, Y> y;
  T products[X][Y];
};

/// Every sum takes in one vector of products.
template <class T, int X, int Y, class Load>
HWY_INLINE void add_products(number_of<T> (&sums)[X][Y], const tile<T, X, Y>& of, std::int64_t at, Load&& load_at) {
  number_of<T> a[X];
  HWY_UNROLL(4)
  for (int i = 0; i < X; ++i) a[i] = load_at(of.x[static_cast<std::size_t>(i)] + at);
  HWY_UNROLL(4)
  for (int j = 0; j < Y; ++j) {
    const auto b = load_at(of.y[static_cast<std::size_t>(j)] + at);
    HWY_UNROLL(4)
    for (int i = 0; i < X; ++i) sums[i][j] = add(sums[i][j], multiply_conjugated(a[i], b));
  }
}

/// The sums of one block, one vector of lanes after the other.
template <class T, int X, int Y> void sum_tile(tile<T, X, Y>& of, std::int64_t count) {
  // The lanes of all sums, as they leave the registers.
  number_of<T> lanes[X][Y][vectors<T>];
  for (int v = 0; v < vectors<T>; ++v) {
    number_of<T> sums[X][Y];
    for (auto& row : sums)
      for (auto& sum : row) sum = zero<T>();
    std::int64_t k = v * step<T>;
    for (; k + step<T> <= count; k += block_lanes)
      add_products<T>(sums, of, k, [](const T* p) { return load<real_of<T>>(p); });
    if (k < count) add_products<T>(sums, of, k, [&](const T* p) { return load_first<real_of<T>>(p, count - k); });
    for (int i = 0; i < X; ++i)
      for (int j = 0; j < Y; ++j) lanes[i][j][v] = sums[i][j];
  }
  for (int i = 0; i < X; ++i)
    for (int j = 0; j < Y; ++j) of.products[i][j] = joined<T>(lanes[i][j]);
}

/// The same with all lanes in registers: memory is read once, in its order.
template <class T, int X, int Y> void sum_narrow_tile(tile<T, X, Y>& of, std::int64_t count) {
  number_of<T> sums[vectors<T>][X][Y];
  for (auto& lanes : sums)
    for (auto& row : lanes)
      for (auto& sum : row) sum = zero<T>();
  constexpr std::int64_t ahead = 4096 / static_cast<std::int64_t>(sizeof(T));
  std::int64_t k = 0;
  for (; k + block_lanes <= count; k += block_lanes) {
    for (std::size_t i = 0; i < X; ++i)
      fetch(k + ahead < count ? of.x[i] + k + ahead : of.next_x[i] + k + ahead - count, block_lanes);
    HWY_UNROLL(4)
    for (int v = 0; v < vectors<T>; ++v)
      add_products<T>(sums[v], of, k + v * step<T>, [](const T* p) { return load<real_of<T>>(p); });
  }
  for (int v = 0; v < vectors<T>; ++v) {
    const std::int64_t at = k + v * step<T>;
    if (at < count)
      add_products<T>(sums[v], of, at,
                      [&](const T* p) { return load_first<real_of<T>>(p, std::min(step<T>, count - at)); });
  }
  for (int i = 0; i < X; ++i)
    for (int j = 0; j < Y; ++j) {
      number_of<T> lanes[vectors<T>];
      for (int v = 0; v < vectors<T>; ++v) lanes[v] = sums[v][i][j];
      of.products[i][j] = joined<T>(lanes);
    }
}

/// The vectors of a tile from one on; behind the last one that again, whose results are left out.
template <std::size_t Size, class T>
std::array<T*, Size> tile_of(T* const* x, std::int64_t first, std::int64_t xs, std::int64_t begin) {
  std::array<T*, Size> tile;
  for (std::size_t i = 0; i < Size; ++i) tile[i] = x[std::min(first + static_cast<std::int64_t>(i), xs - 1)] + begin;
  return tile;
}

/// Tiles of X x's and Y y's; sum(tile, count) fills one.
template <int X, int Y, class T, class Sum>
void gram_by_tiles(const T* const* x, std::int64_t xs, const T* const* y, std::int64_t ys, std::int64_t begin,
                   std::int64_t count, bool upper, T* products, Sum&& sum) {
  for (std::int64_t j = 0; j < ys; j += Y)
    for (std::int64_t i = 0; i < (upper ? std::min<std::int64_t>(xs, j + Y) : xs); i += X) {
      const bool is_last = i + X >= xs;
      const auto next_x = tile_of<X>(x, is_last ? 0 : i + X, xs, is_last ? begin + count : begin);
      tile<T, X, Y> some{tile_of<X>(x, i, xs, begin), next_x, tile_of<Y>(y, j, ys, begin), {}};
      sum(some, count);
      for (std::int64_t u = 0; u < std::min<std::int64_t>(X, xs - i); ++u)
        for (std::int64_t v = 0; v < std::min<std::int64_t>(Y, ys - j); ++v)
          products[(i + u) * ys + j + v] = some.products[u][v];
    }
}

template <class T>
void gram(const T* const* x, std::int64_t xs, const T* const* y, std::int64_t ys, std::int64_t begin,
          std::int64_t count, bool upper, T* products) {
  if constexpr (many_registers && !is_complex<T>) {
    constexpr int most_y = 2;
    if (ys <= most_y)
      return gram_by_tiles<8 / vectors<T>, most_y>(x, xs, y, ys, begin, count, upper, products,
                                                   [](auto& some, std::int64_t size) { sum_narrow_tile(some, size); });
  }
  gram_by_tiles<tile_x<T>, tile_y<T>>(x, xs, y, ys, begin, count, upper, products,
                                      [](auto& some, std::int64_t size) { sum_tile(some, size); });
}

/// Vectors of elements of each y that are summed in registers.
template <class T> inline constexpr int depth = is_complex<T> ? 1 : 2;

/// What a tile of a combination asks for, for the tiles to share the work: the elements of x's first .. end that lie
/// `by` further on.
struct reading_ahead {
  std::int64_t first;
  std::int64_t end;
  std::int64_t by;
};

/// A tile of Size y's, a few elements of each: all x's are added before anything is written.
template <std::size_t Size, class T>
HWY_INLINE void combine_stripe(const T* factors, std::int64_t stride, const T* const* x, std::int64_t xs,
                               std::int64_t at, const std::array<T*, Size>& y, std::int64_t k, bool onto,
                               const reading_ahead& ahead) {
  number_of<T> sums[Size][depth<T>];
  for (std::size_t j = 0; j < Size; ++j)
    for (int v = 0; v < depth<T>; ++v) sums[j][v] = onto ? load<real_of<T>>(y[j] + k + v * step<T>) : zero<T>();
  for (std::int64_t i = 0; i < xs; ++i) {
    if (i >= ahead.first && i < ahead.end) fetch(x[i] + at + ahead.by, depth<T> * step<T>);
    number_of<T> from[depth<T>];
    HWY_UNROLL(2)
    for (int v = 0; v < depth<T>; ++v) from[v] = load<real_of<T>>(x[i] + at + v * step<T>);
    HWY_UNROLL(4)
    for (std::size_t j = 0; j < Size; ++j) {
      const auto factor = broadcast<real_of<T>>(factors[i * stride + static_cast<std::int64_t>(j)]);
      HWY_UNROLL(2)
      for (int v = 0; v < depth<T>; ++v) sums[j][v] = add(multiply(factor, from[v]), sums[j][v]);
    }
  }
  for (std::size_t j = 0; j < Size; ++j)
    for (int v = 0; v < depth<T>; ++v) store<T>(sums[j][v], y[j] + k + v * step<T>);
}

template <std::size_t Size, class T>
void combine_tile(const T* factors, std::int64_t stride, const T* const* x, std::int64_t xs,
                  const std::array<T*, Size>& y, std::int64_t begin, std::int64_t count, bool onto,
                  const reading_ahead& ahead) {
  constexpr std::int64_t stripe = depth<T> * step<T>;
  std::int64_t k = 0;
  for (; k + stripe <= count; k += stripe) combine_stripe<Size>(factors, stride, x, xs, begin + k, y, k, onto, ahead);
  for (; k < count; ++k)
    for (std::size_t j = 0; j < Size; ++j) {
      T sum = onto ? y[j][k] : T{};
      for (std::int64_t i = 0; i < xs; ++i)
        sum = summation::add(summation::multiply(factors[i * stride + static_cast<std::int64_t>(j)], x[i][begin + k]),
                             sum);
      y[j][k] = sum;
    }
}

/// Whether a factor is one that updates of single vectors do not multiply with: the bits differ where an element is not
/// finite.
template <class T> bool has_special_factor(const T* factors, std::int64_t stride, std::int64_t xs, std::int64_t size) {
  for (std::int64_t i = 0; i < xs; ++i)
    for (std::int64_t v = 0; v < size; ++v)
      if (factors[i * stride + v] == T(0) || factors[i * stride + v] == T(1)) return true;
  return false;
}

/// Size y's from number j on; returns the number of the next. All tiles together ask for what lies `by` elements
/// further on.
template <std::size_t Size, class T>
std::int64_t combine_some(const T* factors, const T* const* x, std::int64_t xs, T* const* y, std::int64_t ys,
                          std::int64_t j, std::int64_t begin, std::int64_t count, bool onto, std::int64_t by) {
  constexpr auto size = static_cast<std::int64_t>(Size);
  if (!has_special_factor(factors + j, ys, xs, size)) {
    const reading_ahead ahead{xs * j / ys, xs * (j + size) / ys, by};
    combine_tile<Size>(factors + j, ys, x, xs, tile_of<Size>(y, j, ys, begin), begin, count, onto, ahead);
    return j + size;
  }
  const auto axpby = vector_kernels_for<T>(many_registers ? isa::avx512 : isa::avx2).axpby;
  for (std::int64_t v = j; v < j + size; ++v) {
    if (!onto) std::fill_n(y[v] + begin, count, T{});
    for (std::int64_t i = 0; i < xs; ++i)
      if (factors[i * ys + v] != T(0)) axpby(factors[i * ys + v], x[i] + begin, T(1), y[v] + begin, count);
  }
  return j + size;
}

/// One or two y's, which stay in the L2 cache while a few x's at a time pass in long runs: memory is read faster
/// so than in short pieces of all x's.
template <std::size_t Size, class T>
void combine_few(const T* factors, const T* const* x, std::int64_t xs, T* const* y, std::int64_t begin,
                 std::int64_t count, bool onto) {
  constexpr std::int64_t at_once = 8;
  constexpr std::int64_t by = 4096 / static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t i = 0; i < std::max<std::int64_t>(1, xs); i += at_once)
    combine_some<Size>(factors + i * static_cast<std::int64_t>(Size), x + i, std::min(at_once, xs - i), y,
                       static_cast<std::int64_t>(Size), 0, begin, count, onto || i > 0, by);
}

template <class T>
void combine(const T* factors, const T* const* x, std::int64_t xs, T* const* y, std::int64_t ys, std::int64_t begin,
             std::int64_t count, bool onto) {
  if (ys == 1) return combine_few<1>(factors, x, xs, y, begin, count, onto);
  if (ys == 2) return combine_few<2>(factors, x, xs, y, begin, count, onto);
  // Some elements of all x stay in the nearest cache while the tiles of y pass.
  constexpr std::int64_t some = 256;
  for (std::int64_t k = 0; k < count; k += some) {
    const std::int64_t size = std::min(some, count - k);
    std::int64_t j = 0;
    while (j + tile_y<T> <= ys) j = combine_some<tile_y<T>>(factors, x, xs, y, ys, j, begin + k, size, onto, size);
    while (j + 2 <= ys) j = combine_some<2>(factors, x, xs, y, ys, j, begin + k, size, onto, size);
    while (j < ys) j = combine_some<1>(factors, x, xs, y, ys, j, begin + k, size, onto, size);
  }
}

}  // namespace

template <class T> void set_block_kernels(block_table<T>& table) { table = {gram<T>, combine<T>}; }

template void set_block_kernels(block_table<float>&);
template void set_block_kernels(block_table<double>&);
template void set_block_kernels(block_table<std::complex<float>>&);
template void set_block_kernels(block_table<std::complex<double>>&);

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lacis::cpu {
namespace {

template <class T>
void plain_gram(const T* const* x, std::int64_t xs, const T* const* y, std::int64_t ys, std::int64_t begin,
                std::int64_t count, bool upper, T* products) {
  for (std::int64_t i = 0; i < xs; ++i)
    for (std::int64_t j = upper ? i : 0; j < ys; ++j)
      products[i * ys + j] = portable::dotc(x[i] + begin, y[j] + begin, count);
}

template <class T>
void plain_combine(const T* factors, const T* const* x, std::int64_t xs, T* const* y, std::int64_t ys,
                   std::int64_t begin, std::int64_t count, bool onto) {
  for (std::int64_t j = 0; j < ys; ++j) {
    if (!onto) std::fill_n(y[j] + begin, count, T{});
    for (std::int64_t i = 0; i < xs; ++i)
      if (factors[i * ys + j] != T(0)) portable::axpby(factors[i * ys + j], x[i] + begin, T(1), y[j] + begin, count);
  }
}

template <class T> block_table<T> make_block_table(isa set) {
  block_table<T> table{plain_gram<T>, plain_combine<T>};
  if (!is_supported(set)) return table;
#if HWY_TARGETS & HWY_AVX2
  if (set == isa::avx2) N_AVX2::set_block_kernels(table);
#endif
#if HWY_TARGETS & HWY_AVX3
  if (set == isa::avx512) N_AVX3::set_block_kernels(table);
#endif
  static_cast<void>(set);
  return table;
}

}  // namespace

template <value T> const block_table<T>& block_kernels_for(isa set) {
  static const block_table<T> tables[] = {make_block_table<T>(isa::scalar), make_block_table<T>(isa::avx2),
                                          make_block_table<T>(isa::avx512)};
  return tables[static_cast<std::size_t>(set)];
}

template const block_table<float>& block_kernels_for<float>(isa);
template const block_table<double>& block_kernels_for<double>(isa);
template const block_table<std::complex<float>>& block_kernels_for<std::complex<float>>(isa);
template const block_table<std::complex<double>>& block_kernels_for<std::complex<double>>(isa);

}  // namespace lacis::cpu
#endif

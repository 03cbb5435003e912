// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums of a block in 32 lanes and elementwise updates with SIMD.
//
// A dot product of doubles moves 16 bytes per element, a norm 8, an update 24. Elements missing in the last step of a
// sum are taken as +0, whose terms are +0: they change no lane, since a lane is never -0.
#include "cpu/vector/kernels.hpp"

#include <algorithm>

#include "cpu/simd/targets.hpp"
#include "cpu/vector/portable.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/vector/kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

template <class T> using number_of = number<T, real_of<T>>;
/// Elements in a vector, and vectors that hold all lanes of a block.
template <class T> inline constexpr std::int64_t step = width<real_of<T>>;
template <class T> inline constexpr int vectors = static_cast<int>(block_lanes / step<T>);

/// The last elements of a range, followed by zeros.
template <class T, std::int64_t Size> struct padded {
  HWY_ALIGN T elements[static_cast<std::size_t>(Size)] = {};

  padded() = default;
  padded(const T* x, std::int64_t count) { std::copy_n(x, count, elements); }
};

template <class V> HWY_INLINE V multiply_conjugated(V a, V b) { return hn::Mul(a, b); }
template <class R> HWY_INLINE complex_vec<R> multiply_conjugated(complex_vec<R> a, complex_vec<R> b) {
  return {hn::Add(hn::Mul(a.re, b.re), hn::Mul(a.im, b.im)), hn::Sub(hn::Mul(a.re, b.im), hn::Mul(a.im, b.re))};
}

template <class V> HWY_INLINE V square(V x, V factor) {
  const V scaled = hn::Mul(x, factor);
  return hn::Mul(scaled, scaled);
}
template <class R> HWY_INLINE vec<R> square(complex_vec<R> z, vec<R> factor) {
  return hn::Add(square(z.re, factor), square(z.im, factor));
}

template <class V> HWY_INLINE V largest_part(V x) { return hn::Abs(x); }
template <class R> HWY_INLINE vec<R> largest_part(complex_vec<R> z) { return hn::Max(hn::Abs(z.re), hn::Abs(z.im)); }

/// The lanes of all vectors joined by halving.
template <class T> HWY_INLINE T join(number_of<T>* sums) {
  for (int half = vectors<T> / 2; half > 0; half /= 2)
    for (int v = 0; v < half; ++v) sums[v] = add(sums[v], sums[v + half]);
  return join_lanes<T>(sums[0]);
}

/// Every lane takes in one product.
template <bool Conjugate, class T> HWY_INLINE void add_products(number_of<T>* sums, const T* x, const T* y) {
  HWY_UNROLL(8)
  for (int v = 0; v < vectors<T>; ++v) {
    const auto a = load<real_of<T>>(x + v * step<T>);
    const auto b = load<real_of<T>>(y + v * step<T>);
    if constexpr (Conjugate)
      sums[v] = add(sums[v], multiply_conjugated(a, b));
    else
      sums[v] = add(sums[v], multiply(a, b));
  }
}

template <bool Conjugate, class T> T sum_of_products(const T* x, const T* y, std::int64_t count) {
  number_of<T> sums[vectors<T>];
  for (auto& sum : sums) sum = zero<T>();
  std::int64_t k = 0;
  for (; k + block_lanes <= count; k += block_lanes) add_products<Conjugate>(sums, x + k, y + k);
  if (k < count) {
    const padded<T, block_lanes> last_x(x + k, count - k);
    const padded<T, block_lanes> last_y(y + k, count - k);
    add_products<Conjugate>(sums, last_x.elements, last_y.elements);
  }
  return join<T>(sums);
}

/// Asks for what one step reads, a page later. The processor's own prefetcher stops at the end of a page, which a
/// single stream feels: a norm on one thread gains about a quarter, a dot product nothing. The address may lie behind
/// the vector; nothing is read.
template <class T> HWY_INLINE void prefetch_page_ahead(const T* x) {
  const auto ahead = reinterpret_cast<std::uintptr_t>(x) + 4096;
  for (std::size_t b = 0; b < block_lanes * sizeof(T); b += 64) hwy::Prefetch(reinterpret_cast<const char*>(ahead + b));
}

/// Every lane takes in one square.
template <class T> HWY_INLINE void add_squares(vec<real_of<T>>* sums, const T* x, vec<real_of<T>> factor) {
  HWY_UNROLL(8)
  for (int v = 0; v < vectors<T>; ++v) sums[v] = hn::Add(sums[v], square(load<real_of<T>>(x + v * step<T>), factor));
}

template <class T> real_of<T> sum_of_squares(const T* x, std::int64_t count, real_of<T> factor) {
  using R = real_of<T>;
  const auto factors = broadcast<R>(factor);
  vec<R> sums[vectors<T>];
  for (auto& sum : sums) sum = zero<R>();
  std::int64_t k = 0;
  for (; k + block_lanes <= count; k += block_lanes) {
    prefetch_page_ahead(x + k);
    add_squares(sums, x + k, factors);
  }
  if (k < count) add_squares(sums, padded<T, block_lanes>(x + k, count - k).elements, factors);
  return join<R>(sums);
}

template <class T> real_of<T> largest(const T* x, std::int64_t count) {
  using R = real_of<T>;
  auto most = zero<R>();
  std::int64_t k = 0;
  for (; k + step<T> <= count; k += step<T>) most = hn::Max(most, largest_part(load<R>(x + k)));
  if (k < count) most = hn::Max(most, largest_part(load<R>(padded<T, step<T>>(x + k, count - k).elements)));
  return hn::GetLane(hn::MaxOfLanes(tag<R>(), most));
}

/// What a factor is: 0 leaves its vector unread, 1 unmultiplied.
enum class factor { zero, one, other };

template <class T> factor factor_of(T alpha) {
  return alpha == T(0) ? factor::zero : alpha == T(1) ? factor::one : factor::other;
}

template <factor Alpha, class T> HWY_INLINE number_of<T> scaled(number_of<T> alpha, const T* x) {
  if constexpr (Alpha == factor::one)
    return load<real_of<T>>(x);
  else
    return multiply(alpha, load<real_of<T>>(x));
}

/// One vector of results.
template <factor Alpha, factor Beta, class T>
HWY_INLINE void update(number_of<T> alpha, const T* x, number_of<T> beta, T* y) {
  if constexpr (Alpha == factor::zero && Beta == factor::zero)
    store<T>(zero<T>(), y);
  else if constexpr (Alpha == factor::zero)
    store<T>(scaled<Beta>(beta, y), y);
  else if constexpr (Beta == factor::zero)
    store<T>(scaled<Alpha>(alpha, x), y);
  else
    store<T>(add(scaled<Alpha>(alpha, x), scaled<Beta, T>(beta, y)), y);
}

template <factor Alpha, factor Beta, class T> void axpby_of(T alpha, const T* x, T beta, T* y, std::int64_t count) {
  const auto alphas = broadcast<real_of<T>>(alpha);
  const auto betas = broadcast<real_of<T>>(beta);
  std::int64_t k = 0;
  for (; k + step<T> <= count; k += step<T>) update<Alpha, Beta>(alphas, x + k, betas, y + k);
  if (k < count) {
    padded<T, step<T>> last_x;
    padded<T, step<T>> last_y;
    if (Alpha != factor::zero) std::copy_n(x + k, count - k, last_x.elements);
    if (Beta != factor::zero) std::copy_n(y + k, count - k, last_y.elements);
    update<Alpha, Beta, T>(alphas, last_x.elements, betas, last_y.elements);
    std::copy_n(last_y.elements, count - k, y + k);
  }
}

template <factor Alpha, class T> void axpby_with(T alpha, const T* x, T beta, T* y, std::int64_t count) {
  switch (factor_of(beta)) {
    case factor::zero:
      return axpby_of<Alpha, factor::zero>(alpha, x, beta, y, count);
    case factor::one:
      return axpby_of<Alpha, factor::one>(alpha, x, beta, y, count);
    case factor::other:
      return axpby_of<Alpha, factor::other>(alpha, x, beta, y, count);
  }
}

template <class T> void axpby(T alpha, const T* x, T beta, T* y, std::int64_t count) {
  switch (factor_of(alpha)) {
    case factor::zero:
      return axpby_with<factor::zero>(alpha, x, beta, y, count);
    case factor::one:
      return axpby_with<factor::one>(alpha, x, beta, y, count);
    case factor::other:
      return axpby_with<factor::other>(alpha, x, beta, y, count);
  }
}

template <class T> HWY_INLINE void scale_vector(const T* w, const T* x, T* y) {
  using R = real_of<T>;
  store<T>(add(zero<T>(), multiply(load<R>(w), load<R>(x))), y);
}

template <class T> void scale(const T* w, const T* x, T* y, std::int64_t count) {
  std::int64_t k = 0;
  for (; k + step<T> <= count; k += step<T>) scale_vector(w + k, x + k, y + k);
  if (k < count) {
    const padded<T, step<T>> last_w(w + k, count - k);
    padded<T, step<T>> last_x(x + k, count - k);
    scale_vector<T>(last_w.elements, last_x.elements, last_x.elements);
    std::copy_n(last_x.elements, count - k, y + k);
  }
}

}  // namespace

template <class T> void set_vector_kernels(vector_table<T>& table) {
  table = {sum_of_products<false, T>, sum_of_products<true, T>, sum_of_squares<T>, largest<T>, axpby<T>, scale<T>};
}

template void set_vector_kernels(vector_table<float>&);
template void set_vector_kernels(vector_table<double>&);
template void set_vector_kernels(vector_table<std::complex<float>>&);
template void set_vector_kernels(vector_table<std::complex<double>>&);

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lacis::cpu {
namespace {

template <class T> vector_table<T> make_table(isa set) {
  vector_table<T> table{portable::dot<T, T>,  portable::dotc<T, T>, portable::sum_of_squares<T>,
                        portable::largest<T>, portable::axpby<T>,   portable::scale<T>};
  if (!is_supported(set)) return table;
#if HWY_TARGETS & HWY_AVX2
  if (set == isa::avx2) N_AVX2::set_vector_kernels(table);
#endif
#if HWY_TARGETS & HWY_AVX3
  if (set == isa::avx512) N_AVX3::set_vector_kernels(table);
#endif
  static_cast<void>(set);
  return table;
}

}  // namespace

template <value T> const vector_table<T>& vector_kernels_for(isa set) {
  static const vector_table<T> tables[] = {make_table<T>(isa::scalar), make_table<T>(isa::avx2),
                                           make_table<T>(isa::avx512)};
  return tables[static_cast<std::size_t>(set)];
}

template const vector_table<float>& vector_kernels_for<float>(isa);
template const vector_table<double>& vector_kernels_for<double>(isa);
template const vector_table<std::complex<float>>& vector_kernels_for<std::complex<float>>(isa);
template const vector_table<std::complex<double>>& vector_kernels_for<std::complex<double>>(isa);

}  // namespace lacis::cpu
#endif

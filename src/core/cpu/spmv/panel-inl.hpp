// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors of neighbouring dense columns, and the value of an entry that meets them. Compiled once per target.
//
// Complex numbers stay as they lie in memory: a row of X is a row of real numbers, twice as many.
#if defined(LACIS_CPU_PANEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_PANEL_INL
#undef LACIS_CPU_PANEL_INL
#else
#define LACIS_CPU_PANEL_INL
#endif

#include <utility>

#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET

/// The value of an entry, to be multiplied with a vector of X.
template <class A, class D> struct factor {
  using R = hn::TFromD<D>;
  hn::Vec<D> re;
  hn::Vec<D> im;  ///< of a complex value

  static HWY_INLINE factor of(A a) {
    const D d;
    if constexpr (is_complex<A>) {
      return {hn::Set(d, static_cast<R>(a.real())), hn::Set(d, static_cast<R>(a.imag()))};
    } else {
      const auto same = hn::Set(d, static_cast<R>(a));
      return {same, same};
    }
  }
  [[nodiscard]] HWY_INLINE hn::Vec<D> times(hn::Vec<D> x) const {
    if constexpr (is_complex<A>) {
      const auto first = hn::Mul(re, x);
      const auto second = hn::Mul(im, hn::Reverse2(D(), x));
      return hn::OddEven(hn::Add(first, second), hn::Sub(first, second));
    } else {
      return hn::Mul(re, x);
    }
  }
};

/// `Vectors` vectors of columns, or the first `count` numbers of one vector if `Cut`.
template <int Vectors, bool Cut, class D> class column_vectors {
 public:
  using R = hn::TFromD<D>;
  static constexpr int size = Vectors;
  static constexpr std::int64_t lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr std::int64_t numbers = Vectors * lanes;  ///< if not cut

  explicit column_vectors(std::int64_t count)
      : some_(hn::FirstN(D(), static_cast<std::size_t>(count))), count_(count) {}

  [[nodiscard]] HWY_INLINE hn::Vec<D> read(const R* p, int v) const {
    if constexpr (Cut)
      return hn::MaskedLoad(some_, D(), p);
    else
      return hn::LoadU(D(), p + v * lanes);
  }
  HWY_INLINE void write(hn::Vec<D> sum, R* p, int v) const {
    if constexpr (Cut)
      hn::BlendedStore(sum, some_, D(), p);
    else
      hn::StoreU(sum, D(), p + v * lanes);
  }
  /// The same past the caches, where `past` says so: p is then aligned for it.
  HWY_INLINE void write(hn::Vec<D> sum, R* p, int v, bool past) const {
    if constexpr (!Cut && sizeof(R) * lanes == 64)
      if (past) return hn::Stream(sum, D(), p + v * lanes);
    write(sum, p, v);
  }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  hn::Mask<D> some_;
  std::int64_t count_;
};

/// work(v) for every vector of a block, written out: sums that are indexed in a loop would be in memory.
template <int Size, class Work> HWY_INLINE void each_vector(Work&& work) {
  [&]<int... V>(std::integer_sequence<int, V...>) HWY_ATTR { (work(V), ...); }(std::make_integer_sequence<int, Size>());
}

/// A complex number is two real ones.
template <class T> inline constexpr std::int64_t parts_of = is_complex<T> ? 2 : 1;

/// work(vectors, their first number) for so many numbers, wide blocks first. Few: of fewer sizes, for what is rare.
template <class A, class R, bool Few = false, class Work>
HWY_INLINE void each_block(std::int64_t numbers, Work&& work) {
  using D = tag<R>;
  constexpr std::int64_t lanes = width<R>;
  std::int64_t first = 0;
  const auto take = [&](auto vectors) {
    work(vectors, first);
    first += decltype(vectors)::numbers;
  };
  if constexpr (!Few && !is_complex<A>)
    while (first + 8 * lanes <= numbers) take(column_vectors<8, false, D>(8 * lanes));
  while (first + 4 * lanes <= numbers) take(column_vectors<4, false, D>(4 * lanes));
  if constexpr (!Few)
    if (first + 2 * lanes <= numbers) take(column_vectors<2, false, D>(2 * lanes));
  while (first + lanes <= numbers) take(column_vectors<1, false, D>(lanes));
  if constexpr (!Few)
    if (first + lanes / 2 == numbers) return take(column_vectors<1, false, hn::Half<D>>(lanes / 2));
  if constexpr (!Few && lanes >= 8)
    if (first + lanes / 4 == numbers) return take(column_vectors<1, false, hn::Half<hn::Half<D>>>(lanes / 4));
  if (first < numbers) take(column_vectors<1, true, D>(numbers - first));
}

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

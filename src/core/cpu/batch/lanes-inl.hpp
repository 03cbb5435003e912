// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One number for each system of a group, and the rounded operations on them: in vectors of Highway, or in an array
// where there are none. Compiled once per target.
#if defined(LACIS_CPU_BATCH_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_BATCH_LANES_INL
#undef LACIS_CPU_BATCH_LANES_INL
#else
#define LACIS_CPU_BATCH_LANES_INL
#endif

#include <cmath>
#include <cstdint>

#include "cpu/batch/kernels.hpp"
#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

#if LACIS_SIMD_TARGET
template <class T> using batch_part = vec<T>;
template <class T> inline constexpr std::int64_t part_width = width<T>;

template <class T> HWY_INLINE vec<T> load_part(const T* p) { return hn::Load(tag<T>(), p); }
template <class T> HWY_INLINE void store_part(vec<T> v, T* p) { hn::Store(v, tag<T>(), p); }
template <class T> HWY_INLINE vec<T> set_part(T value) { return hn::Set(tag<T>(), value); }
template <class V> HWY_INLINE V add_part(V a, V b) { return hn::Add(a, b); }
template <class V> HWY_INLINE V subtract_part(V a, V b) { return hn::Sub(a, b); }
template <class V> HWY_INLINE V multiply_part(V a, V b) { return hn::Mul(a, b); }
template <class V> HWY_INLINE V divide_part(V a, V b) { return hn::Div(a, b); }
template <class V> HWY_INLINE V root_part(V a) { return hn::Sqrt(a); }
template <class V> HWY_INLINE V negative_part(V a) { return hn::Neg(a); }
template <class V> HWY_INLINE V magnitude_part(V a) { return hn::Abs(a); }
template <class V> HWY_INLINE V if_equal_part(V a, V b, V yes, V no) { return hn::IfThenElse(hn::Eq(a, b), yes, no); }
template <class V> HWY_INLINE V if_greater_part(V a, V b, V yes, V no) { return hn::IfThenElse(hn::Gt(a, b), yes, no); }
#else
template <class T> using batch_part = T;
template <class T> inline constexpr std::int64_t part_width = 1;

template <class T> T load_part(const T* p) { return *p; }
template <class T> void store_part(T v, T* p) { *p = v; }
template <class T> T set_part(T value) { return value; }
template <class T> T add_part(T a, T b) { return a + b; }
template <class T> T subtract_part(T a, T b) { return a - b; }
template <class T> T multiply_part(T a, T b) { return a * b; }
template <class T> T divide_part(T a, T b) { return a / b; }
template <class T> T root_part(T a) { return std::sqrt(a); }
template <class T> T negative_part(T a) { return -a; }
template <class T> T magnitude_part(T a) { return std::fabs(a); }
template <class T> T if_equal_part(T a, T b, T yes, T no) { return a == b ? yes : no; }
template <class T> T if_greater_part(T a, T b, T yes, T no) { return a > b ? yes : no; }
#endif

template <class T> struct lanes {
  static constexpr std::int64_t parts = batch_lanes<T> / part_width<T>;
  batch_part<T> part[static_cast<std::size_t>(parts)];
};

/// An operation on every part.
#define LACIS_BATCH_EACH(T, result, expression)                                   \
  lanes<T> result;                                                                \
  HWY_UNROLL(2)                                                                   \
  for (std::int64_t p = 0; p < lanes<T>::parts; ++p) result.part[p] = expression; \
  return result

template <class T> HWY_INLINE lanes<T> load_lanes(const T* from) {
  LACIS_BATCH_EACH(T, all, load_part(from + p * part_width<T>));
}
template <class T> HWY_INLINE void store_lanes(const lanes<T>& all, T* to) {
  for (std::int64_t p = 0; p < lanes<T>::parts; ++p) store_part(all.part[p], to + p * part_width<T>);
}
template <class T> HWY_INLINE lanes<T> every_lane(T value) { LACIS_BATCH_EACH(T, all, set_part(value)); }
template <class T> HWY_INLINE lanes<T> operator+(const lanes<T>& a, const lanes<T>& b) {
  LACIS_BATCH_EACH(T, all, add_part(a.part[p], b.part[p]));
}
template <class T> HWY_INLINE lanes<T> operator-(const lanes<T>& a, const lanes<T>& b) {
  LACIS_BATCH_EACH(T, all, subtract_part(a.part[p], b.part[p]));
}
template <class T> HWY_INLINE lanes<T> operator*(const lanes<T>& a, const lanes<T>& b) {
  LACIS_BATCH_EACH(T, all, multiply_part(a.part[p], b.part[p]));
}
template <class T> HWY_INLINE lanes<T> operator/(const lanes<T>& a, const lanes<T>& b) {
  LACIS_BATCH_EACH(T, all, divide_part(a.part[p], b.part[p]));
}
template <class T> HWY_INLINE lanes<T> root(const lanes<T>& a) { LACIS_BATCH_EACH(T, all, root_part(a.part[p])); }
template <class T> HWY_INLINE lanes<T> negative(const lanes<T>& a) {
  LACIS_BATCH_EACH(T, all, negative_part(a.part[p]));
}
template <class T> HWY_INLINE lanes<T> magnitude(const lanes<T>& a) {
  LACIS_BATCH_EACH(T, all, magnitude_part(a.part[p]));
}
template <class T>
HWY_INLINE lanes<T> if_equal(const lanes<T>& a, const lanes<T>& b, const lanes<T>& yes, const lanes<T>& no) {
  LACIS_BATCH_EACH(T, all, if_equal_part(a.part[p], b.part[p], yes.part[p], no.part[p]));
}
template <class T>
HWY_INLINE lanes<T> if_greater(const lanes<T>& a, const lanes<T>& b, const lanes<T>& yes, const lanes<T>& no) {
  LACIS_BATCH_EACH(T, all, if_greater_part(a.part[p], b.part[p], yes.part[p], no.part[p]));
}
#undef LACIS_BATCH_EACH

/// Accumulators that fit the registers.
template <class T> inline constexpr int sums_held = lanes<T>::parts <= 2 ? static_cast<int>(8 / lanes<T>::parts) : 1;
inline constexpr std::int64_t batch_sum_lanes = 32;

/// 32 accumulators, overwritten, to one.
template <class T> HWY_INLINE lanes<T> join_by_halving(T* sums) {
  for (std::int64_t half = batch_sum_lanes / 2; half > 0; half /= 2)
    for (std::int64_t t = 0; t < half; ++t)
      store_lanes(load_lanes(sums + t * batch_lanes<T>) + load_lanes(sums + (t + half) * batch_lanes<T>),
                  sums + t * batch_lanes<T>);
  return load_lanes<T>(sums);
}

/// Terms first .. last of a sum in 32 accumulators, joined by halving: summation::sum_of_chunk in every lane.
/// term(k) may be called in any order, once for each k.
template <class T, class Term>
HWY_INLINE lanes<T> sum_of_chunk(std::int64_t first, std::int64_t last, const Term& term) {
  HWY_ALIGN T joined[static_cast<std::size_t>(batch_sum_lanes * batch_lanes<T>)];
  constexpr int held = sums_held<T>;
  for (std::int64_t t = 0; t < batch_sum_lanes; t += held) {
    lanes<T> sums[static_cast<std::size_t>(held)];
    for (auto& sum : sums) sum = every_lane(T(0));
    std::int64_t k = first + t;
    for (; k + held <= last; k += batch_sum_lanes) {
      HWY_UNROLL(8)
      for (int s = 0; s < held; ++s) sums[s] = sums[s] + term(k + s);
    }
    for (int s = 0; k + s < last && s < held; ++s) sums[s] = sums[s] + term(k + s);
    for (int s = 0; s < held; ++s) store_lanes(sums[s], joined + (t + s) * batch_lanes<T>);
  }
  return join_by_halving(joined);
}

/// The neighbour tree over sums that come one after the other.
template <class T> class lane_tree {
 public:
  HWY_INLINE void append(lanes<T> sum) {
    std::int64_t level = 0;
    for (; (count_ >> level & 1) != 0; ++level) sum = load_lanes(node(level)) + sum;
    store_lanes(sum, node(level));
    ++count_;
  }
  [[nodiscard]] HWY_INLINE lanes<T> total() const {
    lanes<T> sum = every_lane(T(0));
    bool is_first = true;
    for (std::int64_t level = 0; count_ >> level != 0; ++level) {
      if ((count_ >> level & 1) == 0) continue;
      sum = is_first ? load_lanes(node(level)) : load_lanes(node(level)) + sum;
      is_first = false;
    }
    return sum;
  }

 private:
  [[nodiscard]] HWY_INLINE T* node(std::int64_t level) { return nodes_ + level * batch_lanes<T>; }
  [[nodiscard]] HWY_INLINE const T* node(std::int64_t level) const { return nodes_ + level * batch_lanes<T>; }

  std::int64_t count_ = 0;
  HWY_ALIGN T nodes_[static_cast<std::size_t>(48 * batch_lanes<T>)];
};

/// The sum of `count` terms in chunks of `chunk`.
template <class T, class Term>
HWY_INLINE lanes<T> sum_in_chunks(std::int64_t count, std::int64_t chunk, const Term& term) {
  if (count <= chunk) return sum_of_chunk<T>(0, count, term);
  lane_tree<T> tree;
  for (std::int64_t begin = 0; begin < count; begin += chunk)
    tree.append(sum_of_chunk<T>(begin, count - begin < chunk ? count : begin + chunk, term));
  return tree.total();
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The two phases of a staged product with SIMD. Both gather from half a megabyte that stays in the L2, and
// ask for the next half megabyte meanwhile, in order; so nothing waits for a single element of memory.
//
// An entry moves 2 bytes of index and its value; an element of x that a block needs moves 2 bytes of index and 24 of
// its own (written once, which reads the line too, and read again). Of a permutation of x, which blocks share, an entry
// moves 4 bytes of index, and what many entries refer to stays near.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/portable.hpp"
#include "cpu/spmv/slot_costs.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/staged_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/values-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

template <class R> HWY_INLINE index_vec<R> places_at(const std::uint16_t* HWY_RESTRICT places) {
  return hn::PromoteTo(index_tag<R>(), hn::LoadU(hn::Rebind<std::uint16_t, tag<R>>(), places));
}
template <class R> HWY_INLINE index_vec<R> places_at(const std::int32_t* HWY_RESTRICT places) {
  return hn::LoadU(index_tag<R>(), places);
}

/// Whether elements of x are loaded one by one where that is faster than a gather. For those of 16 bytes a gather takes
/// two elements per number.
template <class X, class Work> HWY_INLINE void with_loads(Work&& work) {
  if constexpr (sizeof(X) == 16) {
    work(std::true_type());
  } else {
    if constexpr (sizeof(X) == 8)
      if (loads_each()) return work(std::true_type());
    work(std::false_type());
  }
}

/// The elements of x at a vector of places.
template <bool LoadsEach, class X, class Place>
HWY_INLINE number<X, real_of<X>> elements_at(const X* HWY_RESTRICT x, const Place* HWY_RESTRICT places) {
  using R = real_of<X>;
  if constexpr (!LoadsEach) {
    return gather(x, places_at<R>(places));
  } else if constexpr (sizeof(Place) == 4) {
    return load_each(x, places);
  } else {
    HWY_ALIGN std::int32_t wide[width<R>];
    hn::Store(places_at<R>(places), index_tag<R>(), wide);
    return load_each(x, wide);
  }
}

/// Asks for an array line by line, a line whenever it is told.
class fetcher {
 public:
  template <class X>
  HWY_INLINE fetcher(const X* begin, const X* end)
      : next_(reinterpret_cast<const char*>(begin)), end_(reinterpret_cast<const char*>(end)) {}
  HWY_INLINE void line() {
    if (next_ >= end_) return;
    __builtin_prefetch(next_, 0, 2);
    next_ += 64;
  }

 private:
  const char* next_;
  const char* end_;
};

template <bool LoadsEach, class X>
void stage_parts(const staging& s, const X* x, std::int64_t begin, std::int64_t end, X* staged) {
  using R = real_of<X>;
  constexpr std::int64_t lanes = width<R>;
  while (begin < end) {
    const std::int64_t piece = begin / s.blocks;
    const X* from = x + piece * piece_size;
    fetcher next(x + std::min(s.cols, (piece + 1) * piece_size), x + std::min(s.cols, (piece + 2) * piece_size));
    const std::int64_t last = std::min(end, (piece + 1) * s.blocks);
    for (std::int64_t part = std::exchange(begin, last); part < last; ++part) {
      const std::uint16_t* places = s.places + s.first[part];
      const std::int64_t count = s.first[part + 1] - s.first[part];
      X* to = staged + s.target[part];
      std::int64_t k = 0;
      for (; k + lanes <= count; k += lanes) {
        next.line();
        store<X>(elements_at<LoadsEach>(from, places + k), to + k);
      }
      for (; k < count; ++k) to[k] = from[places[k]];
    }
  }
}

template <class X> void stage(const staging& s, const X* x, std::int64_t begin, std::int64_t end, X* staged) {
  with_loads<X>([&](auto each) { stage_parts<decltype(each)::value>(s, x, begin, end, staged); });
}

template <class A, class X, class Place, value_form Form, bool LoadsEach> struct block_worker {
  using T = product_of<A, X>;
  using R = real_of<X>;
  static constexpr std::int64_t lanes = width<R>;
  static constexpr std::int64_t height = slice_height<A>;
  static constexpr int slice_vectors = static_cast<int>(height / lanes);
  static constexpr int chunk_vectors = static_cast<int>(lane_count / lanes);

  const staged_blocks<A>& a;
  const Place* all_places;
  const X* HWY_RESTRICT staged;
  const scaling<T>& scale;
  T* HWY_RESTRICT y;
  T* partial;
  value_stream<A, R, Form> values{a.values.data};

  template <int Vectors, class Active>
  HWY_INLINE void add_vectors(number<T, R> (&sums)[Vectors], const X* x, const Place* places,
                              const value_stream<A, R, Form>& at, Active&& active) const {
    for (int v = 0; v < Vectors; ++v) {
      const auto product = multiply(at.at(v * lanes), elements_at<LoadsEach>(x, places + v * lanes));
      sums[v] = active(v, add(sums[v], product), sums[v]);
    }
  }

  HWY_INLINE void slices(const staged_block& b, const X* x, fetcher& next) const {
    const Place* places = all_places + b.slots;
    auto at = values.from(b.slots);
    HWY_ALIGN real_of<T> parts[static_cast<std::size_t>(height) * (is_complex<T> ? 2 : 1)];
    T* each = reinterpret_cast<T*>(parts);
    for (std::int64_t first = 0; first < b.rows; first += height) {
      const std::uint8_t* lengths = a.lengths + b.lanes + first;
      const int longest = lengths[0];
      const int shortest = lengths[height - 1];
      number<T, R> sums[slice_vectors];
      for (auto& sum : sums) sum = zero<T>();
      int s = 0;
      for (; s < longest; ++s) {
        next.line();
        __builtin_prefetch(places + fetch_distance / 4);
        at.fetch_ahead();
        if (s < shortest)
          add_vectors(sums, x, places, at, [](int, auto sum, auto) { return sum; });
        else
          add_vectors(sums, x, places, at,
                      [&](int v, auto sum, auto old) { return choose(has_slot<R>(lengths, v, s), sum, old); });
        places += height;
        at.advance(height);
      }
      for (int v = 0; v < slice_vectors; ++v) store<T>(sums[v], each + v * lanes);
      const std::uint16_t* rows = a.rows + b.lanes + first;
      T* to = y + b.first_row;
      const std::int64_t count = std::min(height, b.rows - first);
      for (std::int64_t l = 0; l < count; ++l) scale.store(to[rows[l]], each[l]);
    }
  }

  HWY_INLINE T chunk_sum(const staged_chunk& c, const X* x, fetcher& next) const {
    const Place* places = all_places + c.slots;
    auto at = values.from(c.slots);
    number<T, R> sums[chunk_vectors];
    for (auto& sum : sums) sum = zero<T>();
    std::int64_t k = 0;
    const auto ask = [&] {
      next.line();
      next.line();
      for (std::int64_t line = 0; line < lane_count; line += 64 / static_cast<std::int64_t>(sizeof(Place)))
        __builtin_prefetch(places + k + line + fetch_distance / 4);
      for (int v = 0; v < chunk_vectors; ++v) at.fetch_ahead(v * lanes);
    };
    for (; k + lane_count <= c.count; k += lane_count) {
      ask();
      add_vectors(sums, x, places + k, at, [](int, auto sum, auto) { return sum; });
      at.advance(lane_count);
    }
    const std::int64_t left = c.count - k;
    if (left > 0)
      add_vectors(sums, x, places + k, at, [&](int v, auto sum, auto old) {
        const std::int64_t some = std::clamp<std::int64_t>(left - v * lanes, 0, lanes);
        return choose(hn::FirstN(tag<R>(), static_cast<std::size_t>(some)), sum, old);
      });
    for (int half = chunk_vectors / 2; half > 0; half /= 2)
      for (int v = 0; v < half; ++v) sums[v] = add(sums[v], sums[v + half]);
    return join_lanes<T>(sums[0]);
  }

  HWY_INLINE void block(std::int64_t number) const {
    const staged_block& b = a.blocks[number];
    const X* x = staged + b.region;
    const X* after = x + b.region_size;
    fetcher next(after, number + 1 < a.count ? after + a.blocks[number + 1].region_size : after);
    slices(b, x, next);
    for (std::int64_t k = b.chunks; k < b.chunks + b.chunk_count; ++k) {
      const staged_chunk& c = a.chunks[k];
      const T sum = chunk_sum(c, x, next);
      if (c.target >= 0)
        scale.store(y[c.target], sum);
      else
        partial[~c.target] = sum;
    }
  }
};

template <class A, class X>
void staged_rows(const staged_blocks<A>& a, const X* staged, std::int64_t begin, std::int64_t end,
                 const scaling<product_of<A, X>>& scale, product_of<A, X>* y, product_of<A, X>* partial) {
  const auto in_plain_code = [&] { portable::staged_rows(a, staged, begin, end, scale, y, partial); };
  with_form<A, X, is_staged_pair<A, X>>(
      a.values.form,
      [&](auto form) {
        const auto work = [&]<class Place>(const Place* places) {
          with_loads<X>([&](auto each) {
            using worker_type = block_worker<A, X, Place, decltype(form)::value, decltype(each)::value>;
            const worker_type worker{a, places, staged, scale, y, partial};
            for (std::int64_t b = begin; b < end; ++b) worker.block(b);
          });
        };
        if (a.shared_places != nullptr)
          work(a.shared_places);
        else if constexpr (std::is_same_v<A, X>)
          work(a.places);
        else
          in_plain_code();
      },
      in_plain_code);
}

}  // namespace

template <class A, class X> void set_staged_kernels(kernel_table<A, std::int32_t, X>& table) {
  if constexpr (std::is_same_v<A, X>) table.stage = stage<X>;
  table.staged_rows = staged_rows<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_staged_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_EQUAL_PAIR(LACIS_INSTANTIATE)
LACIS_INSTANTIATE(float, std::complex<float>)
LACIS_INSTANTIATE(double, std::complex<double>)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

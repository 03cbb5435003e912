// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Stencils of symmetric matrices with SIMD: one row per lane, values on and above the main diagonal by vector loads,
// those below it from the rows that have them above.
//
// For a matrix of doubles whose rows have 2 h + 1 entries, 8 (h + 1) bytes move for each row. The values that a slice
// needs below the diagonal begin in the middle of an earlier slice and end in the next one: each of the two is turned
// by that many lanes, and lanes are taken from either. A slice turned for one row of slices serves the one after it.
#include <algorithm>
#include <array>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/symmetric_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/spmv/stencil-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// Turns vectors by some lanes: lane l gets what lane l + `by` had, the last `by` what the first had.
template <class R> class turning {
  using number_of_lane = std::conditional_t<sizeof(R) == 8, std::int64_t, std::int32_t>;
  static constexpr auto lanes = static_cast<std::size_t>(width<R>);
  static constexpr std::array<number_of_lane, 2 * lanes> numbers = [] {
    std::array<number_of_lane, 2 * lanes> all{};
    for (std::size_t l = 0; l < all.size(); ++l) all[l] = static_cast<number_of_lane>(l % lanes);
    return all;
  }();

 public:
  HWY_INLINE explicit turning(std::int64_t by)
      : from_(hn::SetTableIndices(tag<R>(), numbers.data() + by)),
        first_(hn::FirstN(tag<R>(), static_cast<std::size_t>(width<R> - by))) {}

  HWY_INLINE vec<R> turned(vec<R> v) const { return hn::TableLookupLanes(v, from_); }
  HWY_INLINE complex_vec<R> turned(complex_vec<R> v) const { return {turned(v.re), turned(v.im)}; }
  /// The lanes from `by` on of a vector and the first ones of the next, both turned.
  template <class Number> HWY_INLINE Number join(Number vector, Number next) const {
    return choose(first_, vector, next);
  }

 private:
  decltype(hn::SetTableIndices(tag<R>(), static_cast<const number_of_lane*>(nullptr))) from_;
  mask<R> first_;
};

/// The product for one thread's runs.
template <class A> struct symmetric_worker {
  using R = real_of<A>;
  static constexpr std::int64_t lanes = width<R>;
  static constexpr std::int64_t height = slice_height<A>;
  static constexpr int vectors = static_cast<int>(height / lanes);
  static constexpr int registers = vectors * (is_complex<A> ? 2 : 1);
  /// Slices at once.
  static constexpr int group = registers >= 4 ? 1 : registers >= 2 ? 2 : 4;

  const stencil_slices<A>& a;
  const A* HWY_RESTRICT x;
  row_writer<A> out;
  A* HWY_RESTRICT y;
  const A* values = static_cast<const A*>(a.values.data);
  std::int64_t step = a.upper * height;  ///< from slice to slice

  /// A pattern and the number of its diagonals below the main one, which come first.
  struct shape {
    const stencil_pattern& pattern;
    const std::int64_t* diagonals;
    const upper_place* places;
    std::int32_t lower = 0;

    HWY_INLINE shape(const stencil_slices<A>& a, const stencil_pattern& p)
        : pattern(p), diagonals(a.diagonals + p.first), places(a.places + p.first) {
      while (lower < p.slots && diagonals[lower] < 0) ++lower;
    }
  };

  /// Vector v of the slices from `from` on.
  HWY_INLINE auto vector(const A* from, std::int64_t v) const {
    return load<R>(from + v / vectors * step + v % vectors * lanes);
  }

  /// take(v, values) for vectors 0, 1, ... of slices that find their values from lane `lane` of `from` on.
  template <int Count, class Take> HWY_INLINE void each_value(const A* from, std::int64_t lane, Take&& take) const {
    const auto by = static_cast<std::uint64_t>(lane) % lanes;
    const std::int64_t whole = vectors == 1 ? 0 : lane / lanes;
    if (by == 0) return each_vector<Count>([&](int v) HWY_ATTR { take(v, vector(from, whole + v)); });
    const turning<R> turn(static_cast<std::int64_t>(by));
    auto before = turn.turned(vector(from, whole));
    each_vector<Count>([&](int v) HWY_ATTR {
      const auto next = turn.turned(vector(from, whole + v + 1));
      take(v, turn.join(before, next));
      before = next;
    });
  }

  /// `Slices` slices whose rows have every slot.
  template <int Slices> HWY_INLINE void full_slices(const shape& p, std::int64_t row) const {
    constexpr int count = Slices * vectors;
    const A* own = values + a.upper_slots(row);
    const A* elements = x + row;
    const std::int32_t slots = p.pattern.slots;
    number<A, R> sums[count];
    each_vector<count>([&](int v) HWY_ATTR { sums[v] = zero<A>(); });
    for (std::int32_t s = 0; s < p.lower; ++s) {
      const A* from = elements + p.diagonals[s];
      each_value<count>(own + p.places[s].from, p.places[s].lane, [&](int v, auto value) HWY_ATTR {
        sums[v] = add(sums[v], multiply(value, load<R>(from + v * lanes)));
      });
    }
    for (std::int32_t s = p.lower; s < slots; ++s) {
      const A* from = elements + p.diagonals[s];
      const A* at = own + p.places[s].from;
      each_vector<count>([&](int v) HWY_ATTR {
        if (v % vectors == 0) fetch_ahead(at + v / vectors * step);
        sums[v] = add(sums[v], multiply(vector(at, v), load<R>(from + v * lanes)));
      });
    }
    each_vector<count>([&](int v) HWY_ATTR { out.put(sums[v], y + row + v * lanes); });
  }

  /// A slice whose rows have some of the slots.
  HWY_INLINE void partial_slice(const shape& p, std::int64_t row) const {
    const A* own = values + a.upper_slots(row);
    const std::uint16_t* masks = a.masks + p.pattern.first;
    number<A, R> sums[vectors];
    each_vector<vectors>([&](int v) HWY_ATTR { sums[v] = zero<A>(); });
    for (std::int32_t s = 0; s < p.pattern.slots; ++s) {
      const A* elements = x + (row + p.diagonals[s]);
      if (s >= p.lower) fetch_ahead(own + p.places[s].from);
      each_value<vectors>(own + p.places[s].from, p.places[s].lane, [&](int v, auto value) HWY_ATTR {
        const std::uint32_t some = static_cast<std::uint32_t>(masks[s]) >> (v * lanes);
        sums[v] = add(sums[v], only_in<A>(some, multiply(value, load_some(some, elements + v * lanes))));
      });
    }
    each_vector<vectors>([&](int v) HWY_ATTR {
      out.put_some(static_cast<std::uint32_t>(p.pattern.rows) >> (v * lanes), sums[v], y + row + v * lanes);
    });
  }

  /// A slice's own values come from memory; those of earlier slices are near.
  static HWY_INLINE void fetch_ahead(const A* at) { hwy::Prefetch(reinterpret_cast<const char*>(at) + fetch_distance); }

  HWY_INLINE void run(const stencil_run& r) const {
    const shape p(a, a.patterns[r.pattern]);
    std::int64_t row = r.first_row;
    std::int32_t left = r.slices;
    const bool full = p.pattern.full;
    for (; full && left >= group; left -= group, row += group * height) full_slices<group>(p, row);
    if constexpr (group > 2)
      for (; full && left >= 2; left -= 2, row += 2 * height) full_slices<2>(p, row);
    for (; full && left > 0; --left, row += height) full_slices<1>(p, row);
    for (; left > 0; --left, row += height) partial_slice(p, row);
  }
};

template <class A>
void symmetric_rows(const stencil_slices<A>& a, const A* x, std::int64_t begin, std::int64_t end,
                    const scaling<A>& scale, A* y) {
  const symmetric_worker<A> worker{a, x, {scale}, y};
  for (std::int64_t i = begin; i < end; ++i) worker.run(a.runs[i]);
}

}  // namespace

template <class A, class X> void set_symmetric_kernels(kernel_table<A, std::int32_t, X>& table) {
  table.symmetric_rows = symmetric_rows<A>;
}

#define LACIS_INSTANTIATE(A, X) template void set_symmetric_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_EQUAL_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

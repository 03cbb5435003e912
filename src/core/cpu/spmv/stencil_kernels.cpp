// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Stencils with SIMD: one row per lane, x and values by vector loads, several slices at once.
//
// 8 bytes move for each entry of a double matrix, fewer where values are narrow, none where they repeat with the
// pattern. A row is a chain of additions; several slices at a time keep the adders busy meanwhile.
#include <algorithm>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/portable.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/stencil_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/spmv/stencil-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// The product for one thread's runs.
template <class A, class X, value_form Form, bool ByPattern> struct stencil_worker {
  using T = product_of<A, X>;
  using R = real_of<X>;
  static constexpr std::int64_t lanes = width<R>;
  static constexpr int vectors = static_cast<int>(slice_height<A> / lanes);
  static constexpr int registers = vectors * (is_complex<T> ? 2 : 1);
  /// Slices at once.
  static constexpr int group = registers >= 4 ? 2 : 4;

  const stencil_slices<A>& a;
  const X* HWY_RESTRICT x;
  row_writer<T> out;
  T* HWY_RESTRICT y;
  value_stream<A, R, Form> values{a.values.data};

  /// `group` slices whose rows have every slot.
  HWY_INLINE void full_slices(const stencil_pattern& p, value_stream<A, R, Form> at, std::int64_t row) const {
    const std::int64_t* diagonals = a.diagonals + p.first;
    const std::int64_t next = ByPattern ? 0 : p.slots * slice_height<A>;
    constexpr int count = group * vectors;
    number<T, R> sums[count];
    each_vector<count>([&](int v) HWY_ATTR { sums[v] = zero<T>(); });
    for (std::int32_t s = 0; s < p.slots; ++s) {
      const X* elements = x + (row + diagonals[s]);
      each_vector<count>([&](int v) HWY_ATTR {
        const std::int64_t slice = v / vectors * next;
        if constexpr (!ByPattern)
          if (v % vectors == 0) at.fetch_ahead((group - 1) * next + slice);
        sums[v] = add(sums[v], multiply(at.at(slice + v % vectors * lanes), load<R>(elements + v * lanes)));
      });
      at.advance(slice_height<A>);
    }
    each_vector<count>([&](int v) HWY_ATTR { out.put(sums[v], y + row + v * lanes); });
  }

  HWY_INLINE void slice(const stencil_pattern& p, value_stream<A, R, Form> at, std::int64_t row) const {
    number<T, R> sums[vectors];
    for (auto& sum : sums) sum = zero<T>();
    if (p.full) {
      for (std::int32_t s = 0; s < p.slots; ++s) {
        const X* elements = x + (row + a.diagonals[p.first + s]);
        if constexpr (!ByPattern) at.fetch_ahead();
        for (int v = 0; v < vectors; ++v)
          sums[v] = add(sums[v], multiply(at.at(v * lanes), load<R>(elements + v * lanes)));
        at.advance(slice_height<A>);
      }
      for (int v = 0; v < vectors; ++v) out.put(sums[v], y + row + v * lanes);
      return;
    }
    for (std::int32_t s = 0; s < p.slots; ++s) {
      const X* elements = x + (row + a.diagonals[p.first + s]);
      const std::uint32_t bits = a.masks[p.first + s];
      if constexpr (!ByPattern) at.fetch_ahead();
      for (int v = 0; v < vectors; ++v) {
        const std::uint32_t some = bits >> (v * lanes);
        const auto product = multiply(at.at(v * lanes), load_some(some, elements + v * lanes));
        sums[v] = add(sums[v], only_in<T>(some, product));
      }
      at.advance(slice_height<A>);
    }
    constexpr std::uint32_t all = (std::uint32_t{1} << slice_height<A>)-1;
    for (int v = 0; v < vectors; ++v)
      if (p.rows == all)
        out.put(sums[v], y + row + v * lanes);
      else
        out.put_some(static_cast<std::uint32_t>(p.rows) >> (v * lanes), sums[v], y + row + v * lanes);
  }

  HWY_INLINE void run(const stencil_run& r) const {
    const stencil_pattern& p = a.patterns[r.pattern];
    const std::int64_t step = ByPattern ? 0 : p.slots * slice_height<A>;
    auto at = values.from(ByPattern ? p.first * slice_height<A> : r.slots);
    std::int64_t row = r.first_row;
    std::int32_t left = r.slices;
    for (; p.full && left >= group; left -= group) {
      full_slices(p, at, row);
      at.advance(group * step);
      row += group * slice_height<A>;
    }
    for (; left > 0; --left) {
      slice(p, at, row);
      at.advance(step);
      row += slice_height<A>;
    }
  }

  /// One slice after the other through some runs.
  class walk {
   public:
    HWY_INLINE walk(const stencil_worker& worker, std::int64_t begin, std::int64_t end)
        : worker_(worker), run_(worker.a.runs + begin), end_(worker.a.runs + end), at_(worker.values) {
      if (run_ != end_) enter();
    }
    [[nodiscard]] HWY_INLINE bool done() const { return run_ == end_; }
    HWY_INLINE void step() {
      worker_.slice(*pattern_, at_, row_);
      at_.advance(pattern_->slots * slice_height<A>);
      row_ += slice_height<A>;
      if (--left_ > 0) return;
      if (++run_ != end_) enter();
    }

   private:
    HWY_INLINE void enter() {
      pattern_ = worker_.a.patterns + run_->pattern;
      at_ = worker_.values.from(run_->slots);
      row_ = run_->first_row;
      left_ = run_->slices;
    }
    const stencil_worker& worker_;
    const stencil_run* run_;
    const stencil_run* end_;
    const stencil_pattern* pattern_ = nullptr;
    value_stream<A, R, Form> at_;
    std::int64_t row_ = 0;
    std::int32_t left_ = 0;
  };

  /// From two places interleaved: prefetchers follow two streams better than one. Where values fill the memory's time,
  /// slice by slice; where they are narrow, run by run, with several slices at once.
  HWY_INLINE void runs(std::int64_t begin, std::int64_t end) const {
    const std::int64_t half = (end - begin) / 2;
    if constexpr (!ByPattern && Form == value_form::full) {
      walk first(*this, begin, begin + half);
      walk second(*this, begin + half, end);
      while (!first.done() && !second.done()) {
        first.step();
        second.step();
      }
      while (!first.done()) first.step();
      while (!second.done()) second.step();
    } else {
      for (std::int64_t i = begin; i < begin + half; ++i) {
        run(a.runs[i]);
        run(a.runs[i + half]);
      }
      if ((end - begin) % 2 != 0) run(a.runs[end - 1]);
    }
  }
};

template <class A, class X>
void stencil_rows(const stencil_slices<A>& a, const X* x, std::int64_t begin, std::int64_t end,
                  const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  with_form<A, X>(
      a.values.form,
      [&](auto form) {
        constexpr value_form kept = decltype(form)::value;
        if constexpr (kept == value_form::full)
          if (a.by_pattern) return stencil_worker<A, X, kept, true>{a, x, {scale}, y}.runs(begin, end);
        stencil_worker<A, X, kept, false>{a, x, {scale}, y}.runs(begin, end);
      },
      [&] { portable::stencil_rows(a, x, begin, end, scale, y); });
}

}  // namespace

template <class A, class X> void set_stencil_kernels(kernel_table<A, std::int32_t, X>& table) {
  table.stencil_rows = stencil_rows<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_stencil_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_EQUAL_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

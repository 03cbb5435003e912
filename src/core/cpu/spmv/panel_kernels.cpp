// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse rows times several dense columns with SIMD: one column per lane, so no gather and no order to mind but k's.
//
// An entry is read once for all columns of a block and meets a contiguous piece of a row of X.
#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/panel.hpp"
#include "cpu/spmv/row_sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/panel_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/join-inl.hpp"
#include "cpu/spmv/panel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// Rows of contiguous entries, and X as real numbers.
template <class A, class R> struct entries_at {
  const A* HWY_RESTRICT values;
  std::int64_t step;  ///< 0: one value for all entries
  const std::int32_t* HWY_RESTRICT columns;
  const R* HWY_RESTRICT x;
  std::int64_t stride;

  [[nodiscard]] HWY_INLINE const R* row_of(std::int64_t k) const { return x + columns[k] * stride; }
};

/// Rows times a block of columns.
template <class A, class Vectors> class row_block {
 public:
  using R = typename Vectors::R;
  using D = hn::DFromV<decltype(std::declval<Vectors>().read(nullptr, 0))>;
  static constexpr int size = Vectors::size;
  static constexpr std::int64_t lanes = Vectors::lanes;

  row_block(const entries_at<A, R>& e, const Vectors& columns, std::int64_t first) : e_(e), columns_(columns) {
    e_.x += first;
  }

  /// At most short_limit entries, left to right; `onto`: after what `out` holds.
  HWY_INLINE void short_row(std::int64_t first, std::int64_t last, bool onto, R* out) const {
    const auto x_of = [this](std::int64_t k) HWY_ATTR { return e_.row_of(k); };
    const auto value_of = [this](std::int64_t k) HWY_ATTR { return e_.values[k * e_.step]; };
    sum_short(first, last, onto, out, false, value_of, x_of);
  }

  /// At most chunk_size entries in lanes.
  template <bool Fetch> HWY_INLINE void chunk(std::int64_t first, std::int64_t last, R* out) const {
    if constexpr (size == 1 && std::is_same_v<A, R>)
      chunk_of_vector<Fetch>(first, last, out);
    else
      chunk_of_vectors<Fetch>(first, last, out);
  }

  /// The same with lanes in the first cache.
  template <bool Fetch> HWY_INLINE void chunk_of_vectors(std::int64_t first, std::int64_t last, R* out) const {
    constexpr auto most = lane_count;
    HWY_ALIGN R sums[most][Vectors::numbers];
    const std::int64_t alone = std::min(first + most, last);
    for (std::int64_t k = first; k < alone; ++k) {
      const auto a = factor<A, D>::of(e_.values[k * e_.step]);
      const R* x = e_.row_of(k);
      each_vector<size>([&](int v) HWY_ATTR {
        hn::Store(hn::Add(hn::Zero(D()), a.times(columns_.read(x, v))), D(), sums[k - first] + v * lanes);
      });
    }
    for (std::int64_t t = alone - first; t < most; ++t)
      each_vector<size>([&](int v) HWY_ATTR { hn::Store(hn::Zero(D()), D(), sums[t] + v * lanes); });
    for (std::int64_t k = alone; k < last; ++k) {
      if constexpr (Fetch) fetch(e_.row_of(k + panel_fetch));
      const auto a = factor<A, D>::of(e_.values[k * e_.step]);
      const R* x = e_.row_of(k);
      R* lane = sums[(k - first) % most];
      each_vector<size>([&](int v) HWY_ATTR {
        hn::Store(hn::Add(hn::Load(D(), lane + v * lanes), a.times(columns_.read(x, v))), D(), lane + v * lanes);
      });
    }
    for (std::int64_t half = most / 2; half > 0; half /= 2)
      for (std::int64_t t = 0; t < half; ++t)
        each_vector<size>([&](int v) HWY_ATTR {
          R* lane = sums[t] + v * lanes;
          hn::Store(hn::Add(hn::Load(D(), lane), hn::Load(D(), sums[t + half] + v * lanes)), D(), lane);
        });
    each_vector<size>([&](int v) HWY_ATTR { columns_.write(hn::Load(D(), sums[0] + v * lanes), out, v); });
  }

  /// The same with lanes in registers, for one vector of columns. A pass has every `passes`-th lane, so its own lanes
  /// are those that halving adds first.
  template <bool Fetch> HWY_INLINE void chunk_of_vector(std::int64_t first, std::int64_t last, R* out) const {
    hn::Vec<D> sums[passes];
    for (std::int64_t pass = 0; pass < passes; ++pass) sums[pass] = sum_of_pass<Fetch>(first + pass, last);
    join_vectors<passes>(sums);
    columns_.write(sums[0], out, 0);
  }

  /// More than short_limit entries; `memory` for the sums of chunks. Apart, so that short rows have the registers.
  template <bool Fetch> HWY_NOINLINE void long_row(std::int64_t first, std::int64_t last, R* memory, R* out) const {
    if (last - first <= chunk_size) return chunk<Fetch>(first, last, out);
    panel_tree<R> tree(columns_.count(), memory);
    for (std::int64_t k = first; k < last; k += chunk_size) {
      chunk<Fetch>(k, std::min(k + chunk_size, last), out);
      tree.append(out);
    }
    tree.total(out);
  }

  template <bool Fetch>
  void rows(const std::int64_t* offsets, std::int64_t count, R* memory, R* out, std::int64_t out_stride,
            bool past) const {
    // In registers: what *this holds could have changed with every sum that is written.
    const A* const values = e_.values;
    const std::int32_t* const columns = e_.columns;
    const R* const x = e_.x;
    const std::int64_t step = e_.step;
    const std::int64_t stride = e_.stride;
    const auto value_of = [=](std::int64_t k) HWY_ATTR { return values[k * step]; };
    const auto x_of = [=](std::int64_t k) HWY_ATTR {
      if constexpr (Fetch) fetch(x + columns[k + panel_fetch] * stride);
      return x + columns[k] * stride;
    };
    for (std::int64_t i = 0; i < count; ++i, out += out_stride) {
      const std::int64_t first = offsets[i];
      const std::int64_t last = offsets[i + 1];
      if (last - first <= short_limit)
        sum_short(first, last, false, out, past, value_of, x_of);
      else
        long_row<Fetch>(first, last, memory, out);
    }
  }

 private:
  template <class ValueOf, class XOf>
  HWY_INLINE void sum_short(std::int64_t first, std::int64_t last, bool onto, R* out, bool past,
                            const ValueOf& value_of, const XOf& x_of) const {
    hn::Vec<D> sums[size];
    each_vector<size>([&](int v) HWY_ATTR { sums[v] = onto ? columns_.read(out, v) : hn::Zero(D()); });
    const auto add = [&](std::int64_t k) HWY_ATTR {
      const auto a = factor<A, D>::of(value_of(k));
      const R* x = x_of(k);
      each_vector<size>([&](int v) HWY_ATTR { sums[v] = hn::Add(sums[v], a.times(columns_.read(x, v))); });
    };
    std::int64_t k = first;
    if constexpr (size == 1)  // so little work that counting entries would be as much
      for (; k + 4 <= last; k += 4) each_vector<4>([&](int j) HWY_ATTR { add(k + j); });
    for (; k < last; ++k) add(k);
    each_vector<size>([&](int v) HWY_ATTR { columns_.write(sums[v], out, v, past); });
  }

  /// Lanes of a pass over a chunk: their sums and what is added to them are in registers.
  static constexpr int held_lanes = HWY_MAX_BYTES == 64 ? 16 : 8;
  static constexpr std::int64_t passes = lane_count / held_lanes;

  /// Entries k, k + passes, ... before `last`, each in the lane of its place, and the sum of these lanes.
  template <bool Fetch> HWY_INLINE hn::Vec<D> sum_of_pass(std::int64_t k, std::int64_t last) const {
    hn::Vec<D> sums[held_lanes];
    const auto product = [&](std::int64_t at) HWY_ATTR {
      if constexpr (Fetch) fetch(e_.row_of(at + lane_count));
      return factor<A, D>::of(e_.values[at * e_.step]).times(columns_.read(e_.row_of(at), 0));
    };
    HWY_UNROLL(16)
    for (int t = 0; t < held_lanes; ++t) sums[t] = hn::Zero(D());
    for (; k + lane_count - passes < last; k += lane_count) {
      HWY_UNROLL(16)
      for (int t = 0; t < held_lanes; ++t) sums[t] = hn::Add(sums[t], product(k + t * passes));
    }
    HWY_UNROLL(16)
    for (int t = 0; t < held_lanes; ++t) {
      if (k + t * passes >= last) break;
      sums[t] = hn::Add(sums[t], product(k + t * passes));
    }
    join_vectors<held_lanes>(sums);
    return sums[0];
  }

  static HWY_INLINE void fetch(const R* row) {
    const char* next = reinterpret_cast<const char*>(row);
    constexpr int line = 64;
    for (int byte = 0; byte < static_cast<int>(Vectors::numbers * sizeof(R)); byte += line)
      __builtin_prefetch(next + byte);
  }

  entries_at<A, R> e_;
  Vectors columns_;
};

template <class A, class X>
[[nodiscard]] HWY_INLINE entries_at<A, real_of<X>> entries_of(const operand<A, std::int32_t, X>& e,
                                                              std::int64_t stride) {
  return {e.values, e.iso ? 0 : 1, e.columns, reinterpret_cast<const real_of<X>*>(e.x), stride * parts_of<X>};
}

template <class A, class X>
void panel_row(const operand<A, std::int32_t, X>& e, std::int64_t count, std::int64_t stride, std::int64_t cols,
               bool onto, product_of<A, X>* out) {
  using R = real_of<X>;
  const auto entries = entries_of(e, stride);
  each_block<A, R, true>(cols * parts_of<X>, [&]<class Vectors>(const Vectors& columns, std::int64_t first) {
    const row_block<A, Vectors> block(entries, columns, first);
    block.short_row(0, count, onto, reinterpret_cast<R*>(out) + first);
  });
}

template <class A, class X>
void panel_chunk(const operand<A, std::int32_t, X>& e, std::int64_t count, std::int64_t stride, std::int64_t cols,
                 product_of<A, X>* out) {
  using R = real_of<X>;
  const auto entries = entries_of(e, stride);
  each_block<A, R, true>(cols * parts_of<X>, [&]<class Vectors>(const Vectors& columns, std::int64_t first) {
    const row_block<A, Vectors> block(entries, columns, first);
    block.template chunk<false>(0, count, reinterpret_cast<R*>(out) + first);
  });
}

template <class A, class X>
void csr_panel(const operand<A, std::int32_t, X>& e, const std::int64_t* offsets, std::int64_t rows,
               const dense_panel<X, product_of<A, X>>& p) {
  using R = real_of<X>;
  constexpr bool rare = !std::is_same_v<A, X>;
  const bool fetch = !rare && p.fetch && offsets[rows] + lane_count <= e.entries;
  const auto entries = entries_of(e, p.x_stride);
  each_block<A, R, rare>(p.cols * parts_of<X>, [&]<class Vectors>(const Vectors& columns, std::int64_t first) {
    const row_block<A, Vectors> block(entries, columns, first);
    R* const memory = reinterpret_cast<R*>(p.sums);
    R* const out = reinterpret_cast<R*>(p.y) + first;
    const std::int64_t stride = p.y_stride * parts_of<X>;
    if constexpr (!rare)
      if (fetch) return block.template rows<true>(offsets, rows, memory, out, stride, p.past);
    block.template rows<false>(offsets, rows, memory, out, stride, p.past);
  });
}

}  // namespace

template <class A, class X> void set_panel_kernels(kernel_table<A, std::int32_t, X>& table) {
  table.panel_row = panel_row<A, X>;
  table.panel_chunk = panel_chunk<A, X>;
  table.csr_panel = csr_panel<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_panel_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_SIMD_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

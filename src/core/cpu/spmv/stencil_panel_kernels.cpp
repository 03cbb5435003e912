// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Stencils times several dense columns with SIMD: one column per lane, rows of X at fixed distances, no column indices.
//
// Several rows at once: a row of X is read once for all of them that meet it on neighbouring diagonals, and multiplied
// once where they meet it with the same value. Where rows are alike and follow each other in X and Y without gaps, a
// few columns of a whole slice are one row of numbers.
#include <algorithm>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/panel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/stencil_panel_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/spmv/panel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// The values of a slice, slot after slot: in place where they are kept as they are, copied to `memory` otherwise.
template <class A>
HWY_INLINE const A* values_of(const stencil_slices<A>& a, const stencil_run& run, std::int64_t slice, A* memory) {
  constexpr std::int64_t height = slice_height<A>;
  const std::int32_t slots = a.patterns[run.pattern].slots;
  const bool together = a.upper == 0;
  const std::int64_t first = together ? a.slot_of(run, slice, 0, 0) : 0;
  if (together && a.values.form == value_form::full) return static_cast<const A*>(a.values.data) + first;
  for (std::int32_t s = 0; s < slots; ++s)
    for (std::int64_t l = 0; l < height; ++l)
      memory[s * height + l] = a.values[together ? first + s * height + l : a.slot_of(run, slice, s, l)];
  return memory;
}

/// Whether rows `first` .. `last` of a slice have the same value in every slot. Not asked of complex ones.
template <class A>
HWY_INLINE bool are_alike(const A* values, std::int32_t slots, std::int64_t first, std::int64_t last) {
  if constexpr (is_complex<A>) {
    return false;
  } else {
    const tag<A> d;
    constexpr std::int64_t lanes = width<A>;
    constexpr int vectors = static_cast<int>(slice_height<A> / lanes);
    bool alike = true;
    each_vector<vectors>([&](int v) HWY_ATTR {
      const auto before = [&](std::int64_t row) HWY_ATTR {
        return hn::FirstN(d, static_cast<std::size_t>(std::clamp<std::int64_t>(row - v * lanes, 0, lanes)));
      };
      auto same = hn::FirstN(d, static_cast<std::size_t>(lanes));
      for (std::int32_t s = 0; s < slots; ++s) {
        const A* slot = values + s * slice_height<A>;
        same = hn::And(same, hn::Eq(hn::LoadU(d, slot + v * lanes), hn::Set(d, slot[first])));
      }
      alike &= hn::AllFalse(d, hn::AndNot(same, hn::AndNot(before(first), before(last))));
    });
    return alike;
  }
}

/// One row of a slice times a block of columns; `x` is the row of X on diagonal 0. Full: it has every slot.
template <bool Full, class A, class Vectors>
HWY_INLINE void stencil_row(const stencil_slices<A>& a, const stencil_pattern& p, std::int64_t lane, const A* values,
                            const Vectors& columns, const typename Vectors::R* x, std::int64_t stride,
                            typename Vectors::R* out, bool past) {
  using D = hn::DFromV<decltype(columns.read(x, 0))>;
  const std::int64_t* diagonals = a.diagonals + p.first;
  const std::uint16_t* masks = a.masks + p.first;
  hn::Vec<D> sums[Vectors::size];
  each_vector<Vectors::size>([&](int v) HWY_ATTR { sums[v] = hn::Zero(D()); });
  for (std::int32_t s = 0; s < p.slots; ++s) {
    if constexpr (!Full)
      if ((masks[s] >> lane & 1) == 0) continue;
    const auto value = factor<A, D>::of(values[s * slice_height<A> + lane]);
    const auto* row = x + diagonals[s] * stride;
    each_vector<Vectors::size>([&](int v) HWY_ATTR { sums[v] = hn::Add(sums[v], value.times(columns.read(row, v))); });
  }
  each_vector<Vectors::size>([&](int v) HWY_ATTR { columns.write(sums[v], out, v, past); });
}

/// `Rows` rows that have every slot, all with the values of the first, which are at `values`.
template <int Rows, class A, class Vectors> class rows_at_once {
 public:
  using R = typename Vectors::R;
  using D = hn::DFromV<decltype(std::declval<Vectors>().read(nullptr, 0))>;

  HWY_INLINE rows_at_once(const A* values, const Vectors& columns, std::int64_t stride)
      : values_(values), columns_(columns), stride_(stride) {
    HWY_UNROLL(8)
    for (int v = 0; v < count; ++v) sums_[v] = hn::Zero(D());
  }

  HWY_INLINE void add_slots(const std::int64_t* diagonals, std::int32_t slots, const R* x) {
    for (std::int32_t s = 0; s < slots;) {
      const R* row = x + diagonals[s] * stride_;
      if (s + 2 >= slots || diagonals[s + 1] != diagonals[s] + 1 || diagonals[s + 2] != diagonals[s] + 2) {
        add_diagonals<1, true>(s, row);
        s += 1;
        continue;
      }
      if (value_of(s) == value_of(s + 1) && value_of(s) == value_of(s + 2))
        add_diagonals<3, true>(s, row);
      else
        add_diagonals<3, false>(s, row);
      s += 3;
    }
  }

  HWY_INLINE void write(R* out, std::int64_t out_stride, bool past) const {
    HWY_UNROLL(8)
    for (int v = 0; v < count; ++v) columns_.write(sums_[v], out + v / size * out_stride, v % size, past);
  }

 private:
  static constexpr int size = Vectors::size;
  static constexpr int count = Rows * size;

  [[nodiscard]] HWY_INLINE A value_of(std::int32_t s) const { return values_[s * slice_height<A>]; }

  /// Slots s, s + 1, ... on `Width` neighbouring diagonals; `x`: the row of X that the first row meets on the first of
  /// them. Same: all have one value. Every row meets rows of X in ascending order.
  template <int Width, bool Same> HWY_INLINE void add_diagonals(std::int32_t s, const R* x) {
    factor<A, D> values[Width];
    HWY_UNROLL(4)
    for (int d = 0; d < Width; ++d) values[d] = factor<A, D>::of(value_of(s + d));
    HWY_UNROLL(16)
    for (int j = 0; j < Rows + Width - 1; ++j) {
      HWY_UNROLL(8)
      for (int v = 0; v < size; ++v) {
        const auto element = columns_.read(x + j * stride_, v);
        const auto product = values[0].times(element);
        HWY_UNROLL(8)
        for (int i = 0; i < Rows; ++i)
          if (j >= i && j < i + Width)
            sums_[i * size + v] = hn::Add(sums_[i * size + v], Same ? product : values[j - i].times(element));
      }
    }
  }

  const A* values_;
  Vectors columns_;
  std::int64_t stride_;
  hn::Vec<D> sums_[count];
};

/// One slice.
template <class A, class X> class slice_panel {
 public:
  using R = real_of<X>;
  static constexpr std::int64_t height = slice_height<A>;

  slice_panel(const stencil_slices<A>& a, const stencil_pattern& pattern, const dense_panel<X, product_of<A, X>>& p,
              const A* values, const X* x, product_of<A, X>* y)
      : a_(a),
        pattern_(pattern),
        p_(p),
        values_(values),
        x_(reinterpret_cast<const R*>(x)),
        y_(reinterpret_cast<R*>(y)) {}

  /// Whether rows of that many columns are taken several at once.
  [[nodiscard]] static HWY_INLINE bool gains_from_alike_rows(std::int64_t cols) {
    const std::int64_t numbers = cols * parts_of<X>;
    return numbers % width<R> != 0 || numbers < 4 * width<R>;
  }

  /// Rows first .. last, which have every slot.
  HWY_INLINE void full_rows(std::int64_t first, std::int64_t last, bool alike) const {
    if (alike && numbers() % width<R> != 0 && p_.x_stride == p_.cols && p_.y_stride == p_.cols)
      return each_block<A, R>((last - first) * numbers(), [&]<class Vectors>(const Vectors& columns, std::int64_t at) {
        one_row<true>(columns, first, at);
      });
    alike ? rows_in_blocks<true>(first, last) : rows_in_blocks<false>(first, last);
  }

  /// A row that has not every slot.
  HWY_INLINE void row_with_gaps(std::int64_t lane) const {
    each_block<A, R>(
        numbers(), [&]<class Vectors>(const Vectors& columns, std::int64_t at) { one_row<false>(columns, lane, at); });
  }

 private:
  /// Rows at once: more than two vectors of a row keep the adders busy by themselves.
  template <class Vectors>
  static constexpr int at_once = is_complex<A> || Vectors::numbers < width<R> || Vectors::size > 2 ? 1 : 4;

  template <bool Alike> HWY_INLINE void rows_in_blocks(std::int64_t first, std::int64_t last) const {
    each_block<A, R>(numbers(), [&]<class Vectors>(const Vectors& columns, std::int64_t at) {
      std::int64_t i = first;
      if constexpr (constexpr int rows = at_once<Vectors>; Alike && rows > 1)
        for (; i + rows <= last; i += rows) some_rows<rows>(columns, i, at);
      for (; i < last; ++i) one_row<true>(columns, i, at);
    });
  }

  [[nodiscard]] HWY_INLINE std::int64_t numbers() const { return p_.cols * parts_of<X>; }
  [[nodiscard]] HWY_INLINE std::int64_t x_stride() const { return p_.x_stride * parts_of<X>; }
  [[nodiscard]] HWY_INLINE std::int64_t y_stride() const { return p_.y_stride * parts_of<X>; }

  template <bool Full, class Vectors>
  HWY_INLINE void one_row(const Vectors& columns, std::int64_t lane, std::int64_t at) const {
    stencil_row<Full>(a_, pattern_, lane, values_, columns, x_ + lane * x_stride() + at, x_stride(),
                      y_ + lane * y_stride() + at, p_.past);
  }
  template <int Rows, class Vectors>
  HWY_INLINE void some_rows(const Vectors& columns, std::int64_t lane, std::int64_t at) const {
    rows_at_once<Rows, A, Vectors> rows(values_ + lane, columns, x_stride());
    rows.add_slots(a_.diagonals + pattern_.first, pattern_.slots, x_ + lane * x_stride() + at);
    rows.write(y_ + lane * y_stride() + at, y_stride(), p_.past);
  }

  const stencil_slices<A>& a_;
  const stencil_pattern& pattern_;
  const dense_panel<X, product_of<A, X>>& p_;
  const A* values_;
  const R* x_;
  R* y_;
};

/// Whole slices of rows that follow each other in X and Y without gaps, `Rows` of them in a vector: the value of every
/// row is spread over its columns. Rows that lack entries are not told apart by branches.
template <int Rows, class R> class rows_in_vectors {
 public:
  static constexpr std::int64_t lanes = width<R>;
  static constexpr std::int64_t numbers = lanes / Rows;  ///< of a row
  static constexpr std::int64_t height = slice_height<R>;

  HWY_INLINE rows_in_vectors(const stencil_slices<R>& a, const stencil_pattern& pattern) : a_(a), pattern_(pattern) {}

  /// A slice whose values are at `values`, and those of one to come `ahead` bytes after; `x`: the first row of X on
  /// diagonal 0.
  template <bool Full>
  HWY_INLINE void multiply(const R* values, std::int64_t ahead, const R* x, R* y, bool past) const {
    const D d;
    const column_vectors<vectors, false, D> columns(vectors * lanes);
    const std::int64_t* diagonals = a_.diagonals + pattern_.first;
    const std::uint16_t* masks = a_.masks + pattern_.first;
    hn::Vec<D> sums[vectors];
    each_vector<vectors>([&](int v) HWY_ATTR { sums[v] = hn::Zero(d); });
    for (std::int32_t s = 0; s < pattern_.slots; ++s) {
      const R* slot = values + s * height;
      const R* row = x + diagonals[s] * numbers;
      __builtin_prefetch(reinterpret_cast<const char*>(slot) + ahead);
      each_vector<vectors>([&](int v) HWY_ATTR {
        const auto value = value_of(slot, v);
        if constexpr (Full) {
          sums[v] = hn::Add(sums[v], hn::Mul(value, columns.read(row, v)));
        } else {
          const auto some = lanes_of_rows(masks[s], v);
          const auto product = hn::Mul(value, hn::MaskedLoad(some, d, row + v * lanes));
          sums[v] = hn::IfThenElse(some, hn::Add(sums[v], product), sums[v]);
        }
      });
    }
    each_vector<vectors>([&](int v) HWY_ATTR {
      if constexpr (Full)
        columns.write(sums[v], y, v, past);
      else
        hn::BlendedStore(sums[v], lanes_of_rows(pattern_.rows, v), d, y + v * lanes);
    });
  }

 private:
  using D = tag<R>;
  using U = hn::RebindToUnsigned<D>;
  using places = hn::TFromD<hn::RebindToSigned<D>>;
  static constexpr int vectors = static_cast<int>(height / Rows);

  /// For lane l of the vectors: the place of its row's value, and the bit of its row in a slice.
  struct tables {
    HWY_ALIGN places place[static_cast<std::size_t>(numbers * lanes)];
    HWY_ALIGN hn::TFromD<U> bit[static_cast<std::size_t>(vectors * lanes)];
  };
  static constexpr tables made = [] {
    tables t{};
    for (std::int64_t k = 0; k < numbers * lanes; ++k) t.place[k] = static_cast<places>(k / numbers);
    for (std::int64_t k = 0; k < vectors * lanes; ++k) t.bit[k] = hn::TFromD<U>{1} << (k / numbers);
    return t;
  }();

  /// The values of the rows of vector v, each in the lanes of its row.
  static HWY_INLINE hn::Vec<D> value_of(const R* slot, int v) {
    const D d;
    if constexpr (Rows == 1) return hn::Set(d, slot[v]);
    const std::int64_t first = v * Rows / lanes * lanes;
    const auto place = hn::SetTableIndices(d, made.place + v % numbers * lanes);
    return hn::TableLookupLanes(hn::LoadU(d, slot + first), place);
  }

  /// The lanes of vector v whose rows have their bit set.
  static HWY_INLINE hn::Mask<D> lanes_of_rows(std::uint32_t rows, int v) {
    const U u;
    const auto bits = hn::Set(u, static_cast<hn::TFromD<U>>(rows));
    return hn::RebindMask(D(), hn::TestBit(bits, hn::Load(u, made.bit + v * lanes)));
  }

  const stencil_slices<R>& a_;
  const stencil_pattern& pattern_;
};

/// The rows of a slice that have every slot, as bits.
template <class A> HWY_INLINE std::uint32_t full_rows_of(const stencil_slices<A>& a, const stencil_pattern& p) {
  std::uint32_t rows = p.rows;
  for (std::int32_t s = 0; s < p.slots && !p.full; ++s) rows &= a.masks[p.first + s];
  return rows;
}

/// Slices of few columns without gaps, a number of columns that fills a vector with `Rows` rows.
template <int Rows, class A, class P>
HWY_NOINLINE void slices_in_vectors(const stencil_slices<A>& a, const stencil_run& run, std::int64_t slice,
                                    std::int64_t slices, const A* x, const P& p) {
  constexpr std::int64_t height = slice_height<A>;
  const stencil_pattern& pattern = a.patterns[run.pattern];
  const rows_in_vectors<Rows, A> rows(a, pattern);
  HWY_ALIGN A copied_values[static_cast<std::size_t>(most_slots * height)];
  for (std::int64_t i = 0; i < slices; ++i) {
    const A* values = values_of(a, run, slice + i, copied_values);
    const std::int64_t ahead = values == copied_values ? 0 : fetch_distance;
    const A* here = x + (run.first_row + (slice + i) * height) * p.cols;
    A* out = p.y + i * height * p.cols;
    pattern.full ? rows.template multiply<true>(values, ahead, here, out, p.past)
                 : rows.template multiply<false>(values, ahead, here, out, p.past);
  }
}

template <class A, class X>
void stencil_panel(const stencil_slices<A>& a, const stencil_run& run, std::int64_t slice, std::int64_t slices,
                   const X* x, const dense_panel<X, product_of<A, X>>& p) {
  constexpr std::int64_t height = slice_height<A>;
  const stencil_pattern& pattern = a.patterns[run.pattern];
  const std::uint32_t full = full_rows_of(a, pattern);
  HWY_ALIGN A copied_values[static_cast<std::size_t>(most_slots * height)];
  const bool sharing = a.by_pattern && slice_panel<A, X>::gains_from_alike_rows(p.cols);
  const bool alike =
      sharing && pattern.full && are_alike(values_of(a, run, slice, copied_values), pattern.slots, 0, height);
  if constexpr (!is_complex<A>)
    if (p.x_stride == p.cols && p.y_stride == p.cols && !alike) {
      if (p.cols == width<A>) return slices_in_vectors<1>(a, run, slice, slices, x, p);
      if (2 * p.cols == width<A>) return slices_in_vectors<2>(a, run, slice, slices, x, p);
      if (4 * p.cols == width<A>) return slices_in_vectors<4>(a, run, slice, slices, x, p);
    }
  for (std::int64_t i = 0; i < slices; ++i) {
    const A* values = values_of(a, run, slice + i, copied_values);
    if (values != copied_values)
      for (std::int32_t s = 0; s < pattern.slots; ++s)
        __builtin_prefetch(reinterpret_cast<const char*>(values + s * height) + fetch_distance);
    const std::int64_t row = run.first_row + (slice + i) * height;
    const slice_panel<A, X> panel(a, pattern, p, values, x + row * p.x_stride, p.y + i * height * p.y_stride);
    for (std::int64_t lane = 0; lane < height;) {
      std::int64_t end = lane;
      while (end < height && (full >> end & 1) != 0) ++end;
      if (end > lane)
        panel.full_rows(lane, end, pattern.full ? alike : sharing && are_alike(values, pattern.slots, lane, end));
      if (end < height && (pattern.rows >> end & 1) != 0) panel.row_with_gaps(end);
      lane = end + 1;
    }
  }
}

}  // namespace

template <class A, class X> void set_stencil_panel_kernels(kernel_table<A, std::int32_t, X>& table) {
  table.stencil_panel = stencil_panel<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_stencil_panel_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_EQUAL_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

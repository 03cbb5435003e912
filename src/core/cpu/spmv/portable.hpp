// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels in plain C++: the `scalar` instruction set, and every pair of types that has no SIMD kernel.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cpu/spmv/descents.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/row_sums.hpp"

namespace lacis::cpu::portable {

/// At most chunk_size terms in lanes; term(k) is called for k = 0, 1, ... in this order.
template <class T, class Term> [[nodiscard]] T lanes_sum(std::int64_t count, Term&& term) {
  std::array<T, static_cast<std::size_t>(lane_count)> sums{};
  for (std::int64_t k = 0; k < count; ++k) {
    T& sum = sums[static_cast<std::size_t>(k % lane_count)];
    sum = summation::add(sum, static_cast<T>(term(k)));
  }
  return summation::join_by_halving(std::span<T>(sums));
}

/// A row of `count` terms of any number; term(k) is called for k = 0, 1, ... in this order.
template <class T, class Term> [[nodiscard]] T row_sum(std::int64_t count, Term&& term) {
  if (count <= short_limit) {
    T sum{};
    for (std::int64_t k = 0; k < count; ++k) sum = summation::add(sum, static_cast<T>(term(k)));
    return sum;
  }
  if (count <= chunk_size) return lanes_sum<T>(count, term);
  summation::node_range<T> sums;
  for (std::int64_t begin = 0; begin < count; begin += chunk_size)
    sums.append(lanes_sum<T>(std::min(chunk_size, count - begin), [&](std::int64_t k) { return term(begin + k); }));
  return sums.total();
}

/// The lanes by eights, so that their sums stay in registers.
template <class A, class Index, class X>
[[nodiscard]] product_of<A, X> chunk(const operand<A, Index, X>& e, std::int64_t count) {
  using T = product_of<A, X>;
  constexpr std::int64_t some = 8;
  std::array<T, static_cast<std::size_t>(lane_count)> sums;
  for (std::int64_t lane = 0; lane < lane_count; lane += some) {
    T eight[some] = {};
    const auto take = [&](std::int64_t k, std::int64_t l) {
      const auto product = static_cast<T>(summation::multiply(e.value_at(k + l), e.x[e.columns[k + l]]));
      eight[l] = summation::add(eight[l], product);
    };
    std::int64_t k = lane;
    for (; k + some <= count; k += lane_count) {
#pragma GCC unroll 8
      for (std::int64_t l = 0; l < some; ++l) take(k, l);
    }
    for (std::int64_t l = 0; k + l < count; ++l) take(k, l);
    std::copy_n(eight, some, sums.data() + lane);
  }
  return summation::join_by_halving(std::span<T>(sums));
}

template <class A, class Index, class X>
bool csr_rows(const operand<A, Index, X>& e, const std::int64_t* offsets, std::int64_t begin, std::int64_t end,
              const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  return sum_rows(e, offsets, begin, end, scale, y, chunk<A, Index, X>, descents<Index>);
}

template <class A, class Index, class X>
bool slot_places(const operand<A, Index, X>& e, const slots<Index>& where, std::int64_t begin, std::int64_t end,
                 const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  bool good = true;
  std::int64_t falling = where.diagonal_count;
  const Index* skip = where.skip;
  for (std::int64_t p = begin; p < end; ++p) {
    const std::int64_t row = where.permutation != nullptr ? where.permutation[p] : p;
    if (row < 0 || row >= where.rows) return false;
    while (skip != where.skip_end && *skip < row) ++skip;
    if (skip != where.skip_end && *skip == row) continue;
    while (falling > 0 && where.diagonals[falling] - where.diagonals[falling - 1] <= p) --falling;
    const std::int64_t length = where.lengths != nullptr ? where.lengths[p] : falling;
    if (where.lengths != nullptr && (length < 0 || !where.has_slots(p / where.stride, length))) return false;
    Index last = -1;
    const auto term = [&](std::int64_t s) {
      const std::int64_t at = where.slot(p, s);
      const Index column = e.columns[at];
      good &= last < column && column < e.cols;
      last = column;
      return summation::multiply(e.value_at(at), e.x[column >= 0 && column < e.cols ? column : 0]);
    };
    scale.store(y[row], row_sum<product_of<A, X>>(length, term));
  }
  return good;
}

template <class A, class Index, class X>
void packed_rows(const packed_slices<A, Index>& a, const X* x, std::int64_t begin, std::int64_t end, bool onto,
                 const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  using T = product_of<A, X>;
  for (std::int64_t slice = begin; slice < end; ++slice) {
    const slice_header& h = a.headers[slice];
    std::array<T, static_cast<std::size_t>(slice_height<A>)> sums{};
    const Index* rows = a.rows + slice * slice_height<A>;
    const std::uint8_t* lengths = a.lengths + slice * slice_height<A>;
    for (std::size_t l = 0; onto && l < h.count; ++l) sums[l] = y[rows[l]];
    const Index* columns = a.columns + h.columns;
    for (int s = 0; s < h.longest; ++s) {
      const bool runs_on = (h.run_on >> s & 1) != 0;
      for (std::size_t l = 0; l < h.count; ++l) {
        if (lengths[l] <= s) continue;
        const auto lane = static_cast<std::int64_t>(l);
        const std::int64_t column = runs_on ? columns[0] + lane : columns[l];
        const A value = a.values[h.slots + s * slice_height<A> + lane];
        sums[l] = summation::add(sums[l], static_cast<T>(summation::multiply(value, x[column])));
      }
      columns += runs_on ? 1 : slice_height<A>;
    }
    for (std::size_t l = 0; l < h.count; ++l) scale.store(y[rows[l]], sums[l]);
  }
}

template <class A, class X>
void stencil_rows(const stencil_slices<A>& a, const X* x, std::int64_t begin, std::int64_t end,
                  const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  using T = product_of<A, X>;
  for (const stencil_run* r = a.runs + begin; r != a.runs + end; ++r) {
    const stencil_pattern& p = a.patterns[r->pattern];
    for (std::int64_t i = 0; i < r->slices * slice_height<A>; ++i) {
      const std::int64_t slice = i / slice_height<A>;
      const std::int64_t lane = i % slice_height<A>;
      if ((p.rows >> lane & 1) == 0) continue;
      T sum{};
      for (std::int32_t s = 0; s < p.slots; ++s) {
        if ((a.masks[p.first + s] >> lane & 1) == 0) continue;
        const A value = a.values[a.slot_of(*r, slice, s, lane)];
        const X& element = x[r->first_row + i + a.diagonals[p.first + s]];
        sum = summation::add(sum, static_cast<T>(summation::multiply(value, element)));
      }
      scale.store(y[r->first_row + i], sum);
    }
  }
}

template <class X> void stage(const staging& s, const X* x, std::int64_t begin, std::int64_t end, X* staged) {
  for (std::int64_t part = begin; part < end; ++part)
    for (std::int64_t k = s.first[part]; k < s.first[part + 1]; ++k)
      staged[s.target[part] + k - s.first[part]] = x[part / s.blocks * piece_size + s.places[k]];
}

template <class A, class X>
void staged_rows(const staged_blocks<A>& a, const X* staged, std::int64_t begin, std::int64_t end,
                 const scaling<product_of<A, X>>& scale, product_of<A, X>* y, product_of<A, X>* partial) {
  using T = product_of<A, X>;
  for (const staged_block* b = a.blocks + begin; b != a.blocks + end; ++b) {
    const X* x = staged + b->region;
    const auto product = [&](std::int64_t slot) { return summation::multiply(a.values[slot], x[a.place_of(slot)]); };
    std::int64_t slot = b->slots;
    for (std::int64_t first = b->lanes; first < b->lanes + b->rows; first += slice_height<A>) {
      for (std::int64_t l = 0; l < std::min(slice_height<A>, b->lanes + b->rows - first); ++l) {
        T sum{};
        for (std::int64_t s = 0; s < a.lengths[first + l]; ++s)
          sum = summation::add(sum, static_cast<T>(product(slot + s * slice_height<A> + l)));
        scale.store(y[b->first_row + a.rows[first + l]], sum);
      }
      slot += a.lengths[first] * slice_height<A>;
    }
    for (const staged_chunk* c = a.chunks + b->chunks; c != a.chunks + b->chunks + b->chunk_count; ++c) {
      const T sum = lanes_sum<T>(c->count, [&](std::int64_t k) { return product(c->slots + k); });
      if (c->target >= 0)
        scale.store(y[c->target], sum);
      else
        partial[~c->target] = sum;
    }
  }
}

template <class A, class X>
void dia_rows(const diagonals<A>& a, const X* x, std::int64_t begin, std::int64_t end,
              const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  const auto occupied = [&](std::int64_t d, std::int64_t i) {
    return (a.mask[d * a.mask_words + i / 64] >> (i % 64) & 1) != 0;
  };
  for (std::int64_t i = begin; i < end; ++i) {
    std::int64_t length = 0;
    for (std::int64_t d = 0; d < a.count; ++d) length += occupied(d, i) ? 1 : 0;
    std::int64_t d = -1;
    const auto term = [&](std::int64_t) {
      do ++d;
      while (!occupied(d, i));
      return summation::multiply(a.values[a.iso ? 0 : d * a.rows + i], x[i + a.offsets[d]]);
    };
    scale.store(y[i], row_sum<product_of<A, X>>(length, term));
  }
}

template <class A, class Index, class X>
void panel_row(const operand<A, Index, X>& e, std::int64_t count, std::int64_t stride, std::int64_t cols, bool onto,
               product_of<A, X>* out) {
  using T = product_of<A, X>;
  if (!onto) std::fill_n(out, cols, T{});
  for (std::int64_t k = 0; k < count; ++k) {
    const X* x = e.x + e.columns[k] * stride;
    for (std::int64_t c = 0; c < cols; ++c)
      out[c] = summation::add(out[c], static_cast<T>(summation::multiply(e.value_at(k), x[c])));
  }
}

template <class A, class Index, class X>
void panel_chunk(const operand<A, Index, X>& e, std::int64_t count, std::int64_t stride, std::int64_t cols,
                 product_of<A, X>* out) {
  for (std::int64_t c = 0; c < cols; ++c)
    out[c] = lanes_sum<product_of<A, X>>(
        count, [&](std::int64_t k) { return summation::multiply(e.value_at(k), e.x[e.columns[k] * stride + c]); });
}

template <class A, class Index, class X>
void csr_panel(const operand<A, Index, X>& e, const std::int64_t* offsets, std::int64_t rows,
               const dense_panel<X, product_of<A, X>>& p) {
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto row = e.from(offsets[i]);
    const std::int64_t count = offsets[i + 1] - offsets[i];
    product_of<A, X>* const out = p.y + i * p.y_stride;
    if (count <= short_limit) {
      panel_row(row, count, p.x_stride, p.cols, false, out);
      continue;
    }
    for (std::int64_t c = 0; c < p.cols; ++c)
      out[c] = row_sum<product_of<A, X>>(count, [&](std::int64_t k) {
        return summation::multiply(row.value_at(k), row.x[row.columns[k] * p.x_stride + c]);
      });
  }
}

template <class A, class X>
void stencil_panel(const stencil_slices<A>& a, const stencil_run& run, std::int64_t slice, std::int64_t slices,
                   const X* x, const dense_panel<X, product_of<A, X>>& p) {
  using T = product_of<A, X>;
  const stencil_pattern& pattern = a.patterns[run.pattern];
  for (std::int64_t i = 0; i < slices * slice_height<A>; ++i) {
    const std::int64_t lane = i % slice_height<A>;
    if ((pattern.rows >> lane & 1) == 0) continue;
    const std::int64_t row = slice * slice_height<A> + i;
    T* const out = p.y + i * p.y_stride;
    std::fill_n(out, p.cols, T{});
    for (std::int32_t s = 0; s < pattern.slots; ++s) {
      if ((a.masks[pattern.first + s] >> lane & 1) == 0) continue;
      const A value = a.values[a.slot_of(run, row / slice_height<A>, s, lane)];
      const X* const elements = x + (run.first_row + row + a.diagonals[pattern.first + s]) * p.x_stride;
      for (std::int64_t c = 0; c < p.cols; ++c)
        out[c] = summation::add(out[c], static_cast<T>(summation::multiply(value, elements[c])));
    }
  }
}

}  // namespace lacis::cpu::portable

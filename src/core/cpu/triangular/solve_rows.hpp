// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One thread's rows of a triangular system. Rows of one length lie in runs, so that no row needs an offset and the
// processor does not guess where its sum ends; rows beside each other seldom need each other, so that it goes through
// several at once. Bytes per row: its number, its diagonal, b and x. Bytes per entry: its value, and its column unless
// the rows of a run have their columns at the same distances, as in stencils.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "cpu/spmv/portable.hpp"
#include "summation/triangular.hpp"

namespace lacis::cpu {

/// Rows of one length, from `first` in the order up to the next run, whose entries lie one after the other.
struct row_run {
  std::int64_t first = 0;
  std::int64_t entries = 0;  ///< where their values begin
  std::int64_t columns = 0;  ///< where their columns begin, or the distances of columns from the row
  std::int64_t length = 0;
  bool is_shifted = false;  ///< it is distances, once for all rows
};

template <class T, class Index> struct triangle_arrays {
  const Index* order;
  const Index* columns;
  const T* values;
  const T* diagonals;  ///< null when they are one
  std::int64_t rows;
};

/// Neighbours in the order are not neighbours in b and x, so that only this fetches those in time.
inline constexpr std::int64_t fetched_rows = 32;
/// Values are read once, one after the other, and asked for so many bytes ahead: the processor's own prefetchers stop
/// at every page, and a row has too little work to hide that.
inline constexpr std::int64_t fetched_bytes = 4096;

/// The sum of a row in the order of summation. Length >= 0: the row's length, known to the compiler.
template <int Length, class T, class Index>
[[nodiscard]] inline T row_sum_of(const T* values, const Index* columns, std::int64_t length, const T* x) {
  if constexpr (Length >= 0) {
    T sum{};
    [&]<int... E>(std::integer_sequence<int, E...>) {
      ((sum = summation::add(sum, summation::multiply(values[E], x[columns[E]]))), ...);
    }(std::make_integer_sequence<int, Length>{});
    return sum;
  } else {
    return portable::row_sum<T>(length, [&](std::int64_t e) { return summation::multiply(values[e], x[columns[e]]); });
  }
}

template <int Length, bool Unit, class T, class Index>
void solve_run(const triangle_arrays<T, Index>& a, const row_run& run, std::int64_t last, const T* b, T* x) {
  const std::int64_t length = Length >= 0 ? Length : run.length;
  const std::int64_t step = run.is_shifted ? 0 : length;
  const T* values = a.values + run.entries;
  const Index* columns = a.columns + run.columns;
  for (std::int64_t k = run.first; k < last; ++k) {
    if (k + fetched_rows < a.rows) {
      __builtin_prefetch(b + a.order[k + fetched_rows]);
      __builtin_prefetch(x + a.order[k + fetched_rows]);
    }
    for (std::int64_t at = 0; at < length * static_cast<std::int64_t>(sizeof(T)); at += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(values) + fetched_bytes + at);
    const Index row = a.order[k];
    const T sum = row_sum_of<Length>(values, columns, length, run.is_shifted ? x + row : x);
    const T rest = summation::subtract(b[row], sum);
    if constexpr (Unit)
      x[row] = rest;
    else
      x[row] = summation::divide(rest, a.diagonals[k]);
    values += length;
    columns += step;
  }
}

template <bool Unit, class T, class Index>
void solve_runs(const triangle_arrays<T, Index>& a, const row_run* first, const row_run* last, const T* b, T* x) {
  constexpr int known_lengths = 17;
  using kernel = void (*)(const triangle_arrays<T, Index>&, const row_run&, std::int64_t, const T*, T*);
  static constexpr auto kernels = []<int... Length>(std::integer_sequence<int, Length...>) {
    return std::array<kernel, known_lengths>{solve_run<Length, Unit, T, Index>...};
  }(std::make_integer_sequence<int, known_lengths>{});
  for (; first != last; ++first)
    (first->length < known_lengths ? kernels[static_cast<std::size_t>(first->length)]
                                   : solve_run<-1, Unit, T, Index>)(a, *first, first[1].first, b, x);
}

}  // namespace lacis::cpu

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Several products in a row with one reading of the matrix: rows of all of them, one product behind the other, while
// what they share is in the cache.
//
// Rows are cut into planes whose entries are in the same plane or beside. A thread has some planes, and goes through
// them with product k one plane behind product k - 1 (a wavefront; Wolf and Lam 1991). Where a plane is larger than the
// cache it is cut into strips, taken one after the other through all planes of the thread: strips of product k begin
// `skew` rows before those of product k - 1, so that the rows that they need are computed. Towards the planes of other
// threads a product has one plane less than the one before; what is left there follows at the end, when all threads
// are through (Demmel, Hoemmen, Mohiyuddin and Yelick 2008 call the first part local).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "cpu/launch.hpp"
#include "plan/row_reach.hpp"

namespace lacis::detail {

struct wave {
  int products = 1;  ///< that one wave computes; 1: there is none
  std::int64_t rows = 0;
  std::int64_t period = 0;  ///< rows of a plane
  std::int64_t width = 0;   ///< rows of a strip
  std::int64_t skew = 0;    ///< from product to product
  std::int64_t slice = 1;

  [[nodiscard]] std::int64_t planes() const { return (rows + period - 1) / period; }
  [[nodiscard]] std::int64_t strips() const {
    return width >= period ? 1 : (period + (products - 1) * skew + width - 1) / width;
  }
  /// Where strip `strip` of product k = 1, 2, ... begins in a plane.
  [[nodiscard]] std::int64_t begin_of(std::int64_t plane, std::int64_t strip, int k) const {
    const std::int64_t first = plane * period;
    const std::int64_t end = std::min(first + period, rows);
    if (strip == 0) return first;
    if (strip == strips()) return end;
    const std::int64_t at = first + std::clamp<std::int64_t>(strip * width - (k - 1) * skew, 0, period);
    return at >= end ? end : std::max(first, at / slice * slice);
  }
};

/// What a wave would have to do, and with what.
struct wave_task {
  std::int64_t rows = 0;
  double matrix_bytes = 0;        ///< of the plan's arrays
  std::int64_t vector_bytes = 0;  ///< of a row in all vectors that a product reads and writes at its own row
  int products = 1;
  int threads = 1;
  std::int64_t cache_bytes = 0;  ///< of one thread
  bool is_busy = false;          ///< a product takes as long as its arithmetic: it would gain nothing
};

/// The wave for as many of the products as the cache allows.
[[nodiscard]] wave choose_wave(const row_reach& reach, const wave_task& task);
/// What was chosen and why, in a sentence.
[[nodiscard]] std::string explain_wave(const row_reach& reach, const wave_task& task);

/// step(k, begin, end) for products k = 1 .. of the wave, which computes rows begin .. end of product k. All rows of
/// product k - 1 that they refer to are computed before, and every row that refers to them in product k - 1 is, too:
/// product k + 1 may overwrite what product k - 1 has written.
template <class Step> void run_wave(const cpu::launch& how, const wave& w, Step&& step) {
  const std::int64_t planes = w.planes();
  const std::int64_t strips = w.strips();
  cpu::run(how, [&](int thread, int threads) {
    const std::int64_t first = even_cut(planes, thread, threads);
    const std::int64_t last = even_cut(planes, thread + 1, threads);
    for (std::int64_t strip = 0; strip < strips; ++strip)
      for (std::int64_t front = first; front < last + w.products - 1; ++front)
        for (int k = 1; k <= w.products; ++k) {
          const std::int64_t plane = front - (k - 1);
          const std::int64_t low = first == 0 ? 0 : first + (k - 1);
          const std::int64_t high = last == planes ? planes : last - (k - 1);
          if (plane < low || plane >= high) continue;
          const std::int64_t begin = w.begin_of(plane, strip, k);
          const std::int64_t end = w.begin_of(plane, strip + 1, k);
          if (begin < end) step(k, begin, end);
        }
  });
  // What is left between threads: 2 (k - 1) planes of product k at each border.
  for (int k = 2; k <= w.products && how.threads > 1; ++k)
    cpu::run(how, [&](int thread, int threads) {
      const std::int64_t left = 2 * (k - 1);
      for (int border = 1; border < threads; ++border) {
        const std::int64_t first = (even_cut(planes, border, threads) - (k - 1)) * w.period;
        const std::int64_t last = std::min(first + left * w.period, w.rows);
        const auto cut = [&](int part) {
          return part == threads ? last : first + even_cut(last - first, part, threads) / w.slice * w.slice;
        };
        if (cut(thread) < cut(thread + 1)) step(k, cut(thread), cut(thread + 1));
      }
    });
}

}  // namespace lacis::detail

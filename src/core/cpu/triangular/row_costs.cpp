// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What rows, flags and regions cost on this machine: less than a millisecond, once per process.
#include <omp.h>

#include "base/stopwatch.hpp"
#include "cpu/triangular/schedule.hpp"

namespace lacis::cpu {
namespace {

using detail::least_nanoseconds;
using detail::nanoseconds_since;
using detail::stopwatch;

/// Where nothing can be measured, and the most that is believed.
constexpr double usual_flag = 100;
constexpr double usual_region = 2000;
constexpr double most_flag = 10000;
constexpr double most_region = 50000;

constexpr int sample_rows = 512;
constexpr int sample_entries = 4;

/// Solves rows of four entries: each needs the one `distance` before.
double row_of_four(int distance) {
  std::array<double, sample_rows + 64> x;
  x.fill(0.5);
  std::array<std::int32_t, sample_rows * sample_entries> columns;
  for (int i = 0; i < sample_rows; ++i)
    for (int e = 0; e < sample_entries; ++e)
      columns[static_cast<std::size_t>(i * sample_entries + e)] = 64 + i - distance - (sample_entries - 1 - e);
  const std::array<double, 2> numbers = {0.25, 1.5};
  const double least = least_nanoseconds(4, [&] {
    const auto* volatile now = columns.data();  // so that each try is computed
    const std::int32_t* column = now;
    for (std::size_t i = 64; i < x.size(); ++i) {
      double sum = 0;
      for (int e = 0; e < sample_entries; ++e) sum += numbers[0] * x[static_cast<std::size_t>(*column++)];
      x[i] = (numbers[1] - sum) / numbers[1];
    }
    asm volatile("" : : "r"(x.data()) : "memory");
  });
  return least / sample_rows;
}

/// Half of the way forth and back of a number between two threads: the least of many, since a thread that has to share
/// its processor with others answers late.
double flag_cost() {
  constexpr std::int32_t turns = 64;
  std::array<row_progress, 2> progress;
  double least = most_flag;
#pragma omp parallel num_threads(2)
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    if (omp_get_num_threads() == 2) {
      for (std::int32_t i = 1; i <= turns; ++i) {
        const auto begin = stopwatch::now();
        if (me == 0) progress[0].tasks.store(i, std::memory_order_release);
        wait_for(progress[1 - me], i);
        if (me == 1) progress[1].tasks.store(i, std::memory_order_release);
        if (me == 0) least = std::min(least, nanoseconds_since(begin) / 2);
      }
    }
  }
  return least;
}

row_costs measure() {
  row_costs costs;
  const double apart = row_of_four(32);
  costs.entry = apart / 7;  // a row by itself is about three entries
  costs.row = 3 * costs.entry;
  costs.needed = std::max(row_of_four(1), apart);
  const int threads = std::min(detail::thread_count(), most_workers);
  // One thread here, perhaps inside another region: elsewhere there may be more.
  costs.flag = threads == 1 ? usual_flag : flag_cost();
  costs.region = measured_region_cost();
  return costs;
}

}  // namespace

double measured_region_cost() {
  static const double cost = [] {
    const int threads = std::min(detail::thread_count(), most_workers);
    if (threads == 1) return usual_region;
    const double least = least_nanoseconds(4, [&] {
#pragma omp parallel num_threads(threads)
      asm volatile("" : : : "memory");
    });
    return std::min(least, most_region);  // more is other programs' doing
  }();
  return cost;
}

const row_costs& measured_row_costs() {
  static const row_costs costs = measure();
  return costs;
}

}  // namespace lacis::cpu

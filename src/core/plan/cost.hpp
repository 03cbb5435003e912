// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product costs: the bytes that it moves, the reads of x that wait, the work of the kernel. Each layout counts
// its own (layouts/<name>/cost.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/machine.hpp>
#include <lacis/plan.hpp>

#include "plan/features.hpp"
#include "plan/layouts/shared.hpp"

namespace lacis::detail {

/// How fast a machine is with a number of threads.
struct thread_rates {
  int threads = 1;
  double read_bytes = 0;  ///< per second, from memory
  const lacis::machine_rates* of = nullptr;

  thread_rates(const lacis::machine_rates& m, int threads);
  /// Seconds that pass for each read of an element at a random place of so many bytes.
  [[nodiscard]] double random_read(std::int64_t bytes) const;
};

/// The numbers in a matrix.
struct number_sizes {
  std::int64_t value = 8;
  std::int64_t index = 4;
  std::int64_t kept = 8;             ///< of a value in its form
  const char* full_name = "double";  ///< of values as they are
  const char* kept_name = "double";  ///< of values in their form
  /// Rows in a slice, as candidates are named.
  [[nodiscard]] std::int64_t lanes() const { return 64 / std::min<std::int64_t>(value, 8); }
};

/// A candidate and its layout.
struct costed_layout {
  layout_choice choice;
  plan_candidate cost;
  double copy_seconds = 0;  ///< csr: of a copy of the matrix, whether it is made or the caller's arrays are borrowed
};

inline constexpr double nano = 1e-9;

/// Nanoseconds of one thread's work, data in the cache, for rows that several layouts keep as csr: measured with
/// `lacis bench plan`, see docs/guide/plans.md. The constants of a layout alone are in its cost.cpp.
namespace work {
inline constexpr double csr_row = 3.6;
/// An entry of a long row: a gather, and its part of the sums in lanes.
[[nodiscard]] inline double long_entry(const thread_rates& rates) { return 0.43 + rates.of->gathered_ns; }
}  // namespace work

/// The bytes, the kernel's seconds and the waiting of one product.
struct product_cost {
  double bytes = 0;    ///< with those that a processor moves besides: lines of y before they are written, sums in parts
  double work = 0;     ///< nanoseconds of one thread
  double waiting = 0;  ///< seconds of all, for reads of x
  double staged = 0;   ///< bytes of x that are copied first
  /// Products with dense columns read rows where they are; otherwise they are copied together first.
  bool rows_in_place = false;
};

/// What layouts are costed for.
struct costing {
  const features& f;
  const number_sizes& n;
  const thread_rates& rates;
  const plan_options& options;
  bool sorted = true;    ///< columns ascend in rows; otherwise they stand in the order of the sums
  bool borrows = false;  ///< csr may refer to the caller's columns and values

  [[nodiscard]] bool asked(plan_layout layout) const { return options.layout == layout; }
  /// Bytes of x and y: writing y reads its lines first.
  [[nodiscard]] double vectors() const { return static_cast<double>((f.cols + 2 * f.rows) * n.value); }
  /// Where rows read x directly: lines that a few thousand rows share are near after the first read.
  [[nodiscard]] double waiting_for_x(double entries) const {
    return entries * f.lines_of_x * rates.random_read(f.cols * n.value);
  }
  /// What a product with options.columns dense columns costs, from that of one with a vector.
  [[nodiscard]] product_cost with_columns(product_cost p) const;
  /// The seconds and the moved bytes of a candidate, and what bounds it.
  void finish(costed_layout& c, const product_cost& p) const;
};

// Words of reasons: 12 %, and three digits, as the screens that show the same figures.
[[nodiscard]] std::string percent(double share);
[[nodiscard]] std::string three_digits(double v);

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis spmv finds out, and how it is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lacis::app {

/// One way to compute the product, timed.
struct timed_product {
  std::string what;
  int threads = 1;     ///< 0: on a device
  double seconds = 0;  ///< the median of `runs`
  int runs = 0;
  double bytes = 0;  ///< that must move at least: the matrix, x and y once
  std::uint64_t hash = 0;
};

/// The plan of a device, when one was asked for.
struct device_plan_report {
  std::string device;       ///< "simt"
  bool times_count = true;  ///< not under the host executor
  std::string layout;
  double inspect_seconds = 0;
  std::string explanation;
};

struct spmv_report {
  std::string matrix;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  bool iso = false;
  std::string x;  ///< where it comes from
  std::string isa;
  double operations = 0;  ///< additions and multiplications of real numbers
  double load_seconds = 0;
  std::string layout;
  double inspect_seconds = 0;
  std::string explanation;
  /// CSR on one thread, CSR on all, the plan on one, the plan on all, and the plan on the device when there is one.
  std::vector<timed_product> products;
  std::optional<device_plan_report> on_device;

  /// Whether product i has the name and threads of the one before: with one thread everything is measured twice.
  [[nodiscard]] bool is_repeated(std::size_t i) const;
  [[nodiscard]] bool same_bits() const;
  /// After how many products the plan has paid for its inspection, compared with CSR on all threads; negative: never.
  [[nodiscard]] std::int64_t break_even() const;
};

[[nodiscard]] std::string spmv_screen(const spmv_report& report);
[[nodiscard]] std::string spmv_json(const spmv_report& report);

}  // namespace lacis::app

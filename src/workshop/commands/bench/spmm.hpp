// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One matrix through lacis bench spmm, times dense columns: what was found, and its renderings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lacis/any_csr.hpp>
#include <lacis/plan.hpp>

#include "console/console.hpp"
#include "measure/columns.hpp"
#include "measure/statistics.hpp"

namespace lacis::app {

/// One contestant with one number of columns.
struct spmm_bench_entry {
  std::string name;     ///< "plan", "csr", "loop", or a library
  std::string version;  ///< of another library
  int threads = 1;
  bool is_peer = false;
  measure::estimate seconds;  ///< of one product
  double least_seconds = 0;
  int disturbed = 0;  ///< samples that stayed disturbed by other load
  int retaken = 0;
  measure::estimate speed_to_loop;                 ///< how many times faster than the plain loop, paired by round
  std::optional<measure::estimate> speed_to_peer;  ///< the same to spmm_bench_run::peer
};

/// All contestants with one number of columns.
struct spmm_bench_run {
  std::int64_t columns = 0;
  int rounds = 0;
  std::string layout;             ///< of the plan
  std::string plan;               ///< the plan's explanation
  double inspection_seconds = 0;  ///< of the plan, as it reports them
  std::string peer;               ///< the one to compare with: MKL, without it the fastest; empty without peers
  std::vector<spmm_bench_entry> entries;

  /// The contestant of that name, or nothing.
  [[nodiscard]] const spmm_bench_entry* find(const std::string& name) const;
};

/// A matrix with X and Y in one order.
struct spmm_bench_report {
  std::string matrix;
  measure::dense_order order = measure::dense_order::row;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t matrix_entries = 0;
  std::string value_type;
  int operations_per_entry = 2;  ///< of real numbers, for each column
  int threads = 1;
  std::vector<spmm_bench_run> runs;  ///< numbers of columns ascend
  std::vector<std::string> remarks;  ///< what was left out, and why

  [[nodiscard]] double gflops(const spmm_bench_run& run, const spmm_bench_entry& entry) const {
    return operations_per_entry * static_cast<double>(matrix_entries) * static_cast<double>(run.columns) /
           entry.seconds.median * 1e-9;
  }
};

struct spmm_bench_settings {
  std::vector<std::int64_t> columns = {4, 8, 16, 32, 64};  ///< ascending
  std::vector<measure::dense_order> orders = {measure::dense_order::row};
  std::vector<std::string> peers;
  plan_options plan;    ///< what plans are for, but for the number of columns
  double seconds = 10;  ///< of all orders and numbers of columns together
  bool quiet = false;
};

/// Multiplies in every way, compares the results, then measures interleaved; one report per order. Throws not_verified
/// when bits differ.
[[nodiscard]] std::vector<spmm_bench_report> bench_spmm(const spmm_bench_settings& settings, const std::string& name,
                                                        const any_csr& matrix);

[[nodiscard]] std::string spmm_bench_screen(const spmm_bench_report& report, const terminal& where);
/// One report as an object, several as an array.
[[nodiscard]] std::string spmm_bench_json(const std::vector<spmm_bench_report>& reports);

}  // namespace lacis::app

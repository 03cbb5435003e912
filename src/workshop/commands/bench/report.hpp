// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis bench found, and its three renderings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "console/console.hpp"
#include "console/memory_share.hpp"
#include "measure/statistics.hpp"

namespace lacis::app {

/// Below every table that marks such samples.
inline constexpr const char* disturbed_note = "!: other load disturbed some samples, also when they were taken again";

/// One way to multiply, and how long it took.
struct bench_entry {
  std::string name;
  std::string format;  ///< how the matrix is stored
  std::string kernel;  ///< the instruction set, "loop", or a library and its version
  int threads = 1;
  bool is_peer = false;
  /// The least that has to move: the matrix as it is stored, x and y once. Of a peer those of CSR, whatever form the
  /// library keeps: its rate is CSR-equivalent, and no rate of memory.
  std::int64_t bytes = 0;
  measure::estimate seconds;  ///< of one product
  double least_seconds = 0;
  int disturbed = 0;  ///< samples that stayed disturbed by other load
  int retaken = 0;
  measure::estimate speed_to_loop;                 ///< how many times faster than the plain loop, paired by round
  std::optional<measure::estimate> speed_to_peer;  ///< the same to the fastest peer
};

/// An ordering in which a plan was measured too.
struct bench_reordering {
  std::string order;   ///< "chain"
  double seconds = 0;  ///< of reordering and inspection
  /// After how many products those seconds are regained against the plan: in the new ordering, and from and to the
  /// user's. Nothing when they never are.
  std::optional<double> products;
  std::optional<double> permuting_products;
};

struct bench_report {
  std::string matrix;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t matrix_entries = 0;
  std::string value_type;
  int operations_per_entry = 2;  ///< of real numbers
  int threads = 1;
  int rounds = 0;
  double limit_gbs = 0;  ///< reading an array of limit_bytes in the same rounds
  std::int64_t limit_bytes = 0;
  std::int64_t cache_bytes = 0;              ///< of the last level; 0 when unknown
  std::int64_t matrix_bytes = 0;             ///< as CSR, with x and y
  std::string fastest_peer;                  ///< empty without peers
  std::string plan;                          ///< the plan's explanation
  std::optional<double> inspection_seconds;  ///< of the plan, as it reports them
  std::vector<bench_reordering> reorderings;
  std::vector<bench_entry> entries;  ///< fastest first
  std::vector<std::string> remarks;  ///< what was left out, and why

  [[nodiscard]] double gbs(const bench_entry& e) const {
    return static_cast<double>(e.bytes) / e.seconds.median * 1e-9;
  }
  [[nodiscard]] double gflops(const bench_entry& e) const {
    return operations_per_entry * static_cast<double>(matrix_entries) / e.seconds.median * 1e-9;
  }
  /// The contestant of that name, or nothing.
  [[nodiscard]] const bench_entry* find(const std::string& name) const;
  /// How many products of csr take as long as inspection; nothing when one of them was not measured.
  [[nodiscard]] std::optional<double> inspection_products() const;
  [[nodiscard]] memory_share share_of_limit(const bench_entry& e) const {
    return {gbs(e) / limit_gbs, static_cast<double>(e.bytes), cache_bytes};
  }
};

[[nodiscard]] std::string bench_screen(const bench_report& report, const terminal& where);
[[nodiscard]] std::string bench_markdown(const bench_report& report);
/// One report as an object, several as an array.
[[nodiscard]] std::string bench_json(const std::vector<bench_report>& reports);
/// The plans and the peers of all reports below the roof of reading memory.
[[nodiscard]] std::string bench_roofline(const std::vector<bench_report>& reports);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Two matrices through lacis bench spgemm: what was found, and its renderings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lacis/any_csr.hpp>
#include <lacis/spgemm.hpp>

#include "console/console.hpp"
#include "measure/statistics.hpp"

namespace lacis::app {

/// lacis as it is, and with memory that comes fresh from the system before every product.
inline constexpr const char* spgemm_contestant = "lacis";
inline constexpr const char* spgemm_first_contestant = "lacis-first";

/// Someone who multiplies, and how long it took.
struct spgemm_bench_entry {
  std::string name;
  std::string version;  ///< of another library
  int threads = 1;
  bool is_peer = false;
  bool is_sorted = true;  ///< the columns of each row ascend
  measure::estimate seconds;
  double least_seconds = 0;
  int disturbed = 0;  ///< samples that stayed disturbed by other load
  int retaken = 0;
  // How many times faster the two of lacis are than this one, paired by round.
  measure::estimate lacis_gain;
  measure::estimate first_gain;
};

struct spgemm_bench_report {
  std::string a;
  std::string b;
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t cols = 0;
  std::int64_t a_entries = 0;
  std::int64_t b_entries = 0;
  std::string value_type;
  int threads = 1;  ///< that everyone may use
  int rounds = 0;
  spgemm_report product;                    ///< of one product of lacis, untimed
  std::vector<spgemm_bench_entry> entries;  ///< fastest first
  std::vector<std::string> remarks;         ///< who is missing, and why

  [[nodiscard]] double compression() const {
    return product.entries > 0 ? static_cast<double>(product.products) / static_cast<double>(product.entries) : 0;
  }
  [[nodiscard]] double products_per_second(const spgemm_bench_entry& entry) const {
    return static_cast<double>(product.products) / entry.seconds.median;
  }
};

struct spgemm_bench_settings {
  std::vector<std::string> peers;
  double seconds = 10;
  bool quiet = false;
};

/// The operands of one product, of the same types.
struct spgemm_operands {
  std::string a_name;
  std::string b_name;
  any_csr a;
  std::optional<any_csr> b;  ///< nothing: A once more
};

/// Multiplies, compares with the peers, then measures everyone interleaved.
[[nodiscard]] spgemm_bench_report bench_spgemm(const spgemm_bench_settings& settings, const spgemm_operands& operands);

[[nodiscard]] std::string spgemm_bench_screen(const spgemm_bench_report& report, const terminal& where);
/// One report as an object, several as an array.
[[nodiscard]] std::string spgemm_bench_json(const std::vector<spgemm_bench_report>& reports);
/// Everyone's speed over that of the slowest, product by product.
[[nodiscard]] std::string spgemm_bench_chart(const std::vector<spgemm_bench_report>& reports);

}  // namespace lacis::app

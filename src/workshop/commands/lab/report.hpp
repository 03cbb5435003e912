// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis lab found out, and the ways to show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "console/console.hpp"
#include "lab/lab.hpp"

namespace lacis::app {

/// One matrix under the methods asked for.
struct lab_result {
  std::string matrix;
  std::string value_type;  ///< "float" or "double"
  int value_bytes = 0;
  lab::lab_report report;  ///< of at least one entry

  /// The methods that ran, the least modelled time first, in the report's order where that is equal.
  [[nodiscard]] std::vector<const lab::method_report*> ranked() const;
  [[nodiscard]] bool sampled() const { return report.sampled_rows < report.rows; }
};

/// Matrices of the same x, each with another number of entries per row.
struct lab_sweep {
  struct point {
    std::int64_t row_length = 0;
    lab_result result;
  };
  std::vector<std::string> kernels;  ///< in the order of the legend
  std::vector<point> points;
};

/// The traffic of an array of that name, or nothing.
[[nodiscard]] const lab::array_traffic* traffic_of(const lab::method_report& method, std::string_view array);

/// The bytes of sectors that warps asked of an array, for each nonzero that ran; 0 without such an array.
[[nodiscard]] double requested_per_nnz(const lab::lab_report& report, const lab::method_report& method,
                                       std::string_view array);

/// The method in a report of one point of a sweep, or nothing when it was refused.
[[nodiscard]] const lab::method_report* method_of(const lab_result& result, std::string_view kernel);

/// "sampled: 65,536 of 1,000,000 rows, ..." or that everything was run.
[[nodiscard]] std::string sample_words(const lab_result& result);
/// Which GPU was modelled and what the model leaves out.
[[nodiscard]] std::string model_words(const lab::gpu& gpu);

/// Which effect decides on this matrix, and which kernel to take: two sentences, three at most.
[[nodiscard]] std::string lab_explanation(const lab_result& result);

[[nodiscard]] std::string lab_screen(const lab_result& result, const std::optional<std::string>& explanation,
                                     const terminal& where);
[[nodiscard]] std::string lab_json(const lab_result& result, const std::optional<std::string>& explanation);
[[nodiscard]] std::string lab_svg(const lab_result& result);

[[nodiscard]] std::string sweep_screen(const lab_sweep& sweep, const terminal& where);
[[nodiscard]] std::string sweep_json(const lab_sweep& sweep);
[[nodiscard]] std::string sweep_svg(const lab_sweep& sweep);

}  // namespace lacis::app

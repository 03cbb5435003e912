// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Results of the laboratory that were made up, for tests of its screens.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/lab/report.hpp"

namespace lacis::app {

inline constexpr lab::gpu small_gpu{"t4", "NVIDIA T4", 40, 1024, 16, 65536, 4 << 20, 16, 320e9, 1270e9, 1.59e9, 3e-6};

/// A kernel with the counts of a matrix read in full sectors: 8 and 4 sectors per request, x all over.
inline lab::method_report full_sectors(std::string kernel, double seconds) {
  lab::method_report method;
  method.kernel = std::move(kernel);
  method.block_threads = 256;
  method.active_lanes = 1;
  method.requests_per_nnz = 0.125;
  method.bytes_requested_per_nnz = 44;
  method.arrays = {{"values", 100, 800, 8}, {"columns", 100, 400, 4}, {"x", 100, 3200, 1}};
  method.compulsory_bytes_per_nnz = 13;
  method.dram_bytes_per_nnz = 13;
  method.model_s = seconds;
  method.model_share = 0.5;
  method.bound_by = "DRAM";
  return method;
}

/// 3200 entries in 100 rows, all of them run; x takes one byte per entry.
inline lab_result result_of(std::vector<lab::method_report> methods) {
  return {"a.mtx", "double", 8, {100, 400, 3200, 100, 3200, false, &small_gpu, std::move(methods)}};
}

inline bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace lacis::app

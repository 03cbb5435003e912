// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --json.
#include <nlohmann/json.hpp>

#include "commands/lab/report.hpp"
#include "console/json_text.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

json array_json(const lab::array_traffic& array) {
  return {{"name", array.name},
          {"requests", array.requests},
          {"sectors", array.sectors},
          {"sectors_per_request", array.sectors_per_request()},
          {"dram_bytes_per_nnz", array.dram_bytes_per_nnz}};
}

json emitted_json(const lab::emitted_counts& counts) {
  return {{"warp_instructions_per_nnz", counts.instructions_per_nnz},
          {"active_lanes", counts.active_lanes},
          {"requests_per_nnz", counts.requests_per_nnz},
          {"sectors_per_nnz", counts.sectors_per_nnz},
          {"shared_requests_per_nnz", counts.shared_requests_per_nnz},
          {"bank_conflicts_per_nnz", counts.bank_conflicts_per_nnz}};
}

json method_json(const lab::method_report& method) {
  json arrays = json::array();
  for (const lab::array_traffic& array : method.arrays) arrays.push_back(array_json(array));
  json all = {{"kernel", method.kernel},
              {"block", method.block_threads},
              {"active_lanes", method.active_lanes},
              {"requests_per_nnz", method.requests_per_nnz},
              {"bytes_requested_per_nnz", method.bytes_requested_per_nnz},
              {"shared_requests_per_nnz", method.shared_requests_per_nnz},
              {"bank_conflicts_per_nnz", method.bank_conflicts_per_nnz},
              {"atomics_per_nnz", method.atomics_per_nnz},
              {"compulsory_bytes_per_nnz", method.compulsory_bytes_per_nnz},
              {"dram_bytes_per_nnz", method.dram_bytes_per_nnz},
              {"model_s", method.model_s},
              {"model_share", method.model_share},
              {"bound_by", method.bound_by},
              {"arrays", std::move(arrays)}};
  if (method.emitted) all["emitted"] = emitted_json(*method.emitted);
  return all;
}

/// What was modelled and what that leaves out.
json gpu_json(const lab::gpu& gpu) {
  return {{"title", gpu.title},
          {"l2_bytes", gpu.l2_bytes},
          {"l1", false},
          {"dram_bytes_per_s", gpu.dram_bytes_per_s},
          {"l2_bytes_per_s", gpu.l2_bytes_per_s}};
}

json result_json(const lab_result& result) {
  const lab::lab_report& report = result.report;
  json kernels = json::array();
  for (const lab::method_report* method : result.ranked()) kernels.push_back(method_json(*method));
  json refused = json::array();
  for (const lab::method_report& method : report.methods)
    if (!method.refused.empty())
      refused.push_back({{"kernel", method.kernel}, {"block", method.block_threads}, {"reason", method.refused}});
  return {{"matrix", result.matrix},
          {"rows", report.rows},
          {"cols", report.cols},
          {"entries", report.nnz},
          {"value_type", result.value_type},
          {"gpu", report.model->name},
          {"model", true},  // what is said of the GPU; nothing ran on it
          {"model_of", gpu_json(*report.model)},
          {"sampled_rows", report.sampled_rows},
          {"sampled_entries", report.sampled_entries},
          {"fits_l2", report.fits_l2},
          {"kernels", std::move(kernels)},
          {"refused", std::move(refused)}};
}

}  // namespace

std::string lab_json(const lab_result& result, const std::optional<std::string>& explanation) {
  json all = result_json(result);
  if (explanation) all["explanation"] = *explanation;
  return json_text(all);
}

std::string sweep_json(const lab_sweep& sweep) {
  json points = json::array();
  for (const lab_sweep::point& point : sweep.points) {
    json one = {{"row_length", point.row_length}};
    one.update(result_json(point.result));
    points.push_back(std::move(one));
  }
  return json_text({{"sweep", "rows"}, {"points", std::move(points)}});
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis lab found out, in the words and numbers that every way to show it shares.
#include "commands/lab/report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "plot/numbers.hpp"

namespace lacis::app {

std::vector<const lab::method_report*> lab_result::ranked() const {
  std::vector<const lab::method_report*> all;
  for (const lab::method_report& method : report.methods)
    if (method.refused.empty()) all.push_back(&method);
  std::stable_sort(all.begin(), all.end(),
                   [](const lab::method_report* a, const lab::method_report* b) { return a->model_s < b->model_s; });
  return all;
}

const lab::array_traffic* traffic_of(const lab::method_report& method, std::string_view array) {
  for (const lab::array_traffic& traffic : method.arrays)
    if (traffic.name == array) return &traffic;
  return nullptr;
}

double requested_per_nnz(const lab::lab_report& report, const lab::method_report& method, std::string_view array) {
  constexpr double sector_bytes = 32;
  const lab::array_traffic* traffic = traffic_of(method, array);
  if (traffic == nullptr || report.sampled_entries == 0) return 0;
  return sector_bytes * static_cast<double>(traffic->sectors) / static_cast<double>(report.sampled_entries);
}

const lab::method_report* method_of(const lab_result& result, std::string_view kernel) {
  for (const lab::method_report& method : result.report.methods)
    if (method.kernel == kernel && method.refused.empty()) return &method;
  return nullptr;
}

std::string sample_words(const lab_result& result) {
  const lab::lab_report& report = result.report;
  if (!result.sampled()) return "run: every row";
  std::string words = fmt::format("sampled: {} of {} rows, {} of {} entries; --entries all runs everything",
                                  plot::grouped(report.sampled_rows), plot::grouped(report.rows),
                                  plot::grouped(report.sampled_entries), plot::grouped(report.nnz));
  const std::int64_t at_once = std::int64_t{report.model->multiprocessors} * report.model->threads;
  const std::int64_t enough = std::min(2 * at_once, report.rows);
  if (report.sampled_rows < enough)
    words += fmt::format(
        "; the GPU runs {} threads at once, so kernels with one thread per row look better than they are: --entries {} "
        "would fill it twice",
        plot::grouped(at_once), report.nnz / report.rows * enough);
  return words;
}

std::string model_words(const lab::gpu& gpu) {
  return fmt::format("model: {}, {} of L2, {} GB/s, no L1; nothing ran on it", gpu.title,
                     plot::bytes_text(static_cast<double>(gpu.l2_bytes)),
                     plot::significant(gpu.dram_bytes_per_s * 1e-9));
}

}  // namespace lacis::app

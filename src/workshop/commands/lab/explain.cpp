// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --explain: rules from a report to the effect that decides and the kernel to take.
#include <algorithm>
#include <fmt/format.h>

#include "commands/lab/report.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using lab::method_report;

/// From this factor on, an effect is worth a sentence.
constexpr double notable = 1.25;

std::string number(double n) { return plot::significant(n); }
std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

double matrix_bytes(const lab_result& result, const method_report& method) {
  double bytes = 0;
  for (const char* array : {"values", "columns", "rest_values", "rest_columns"})
    bytes += requested_per_nnz(result.report, method, array);
  return bytes;
}

/// What x would cost if each of its sectors came from memory once.
double compulsory_x(const lab_result& result) {
  return static_cast<double>(result.report.cols) * result.value_bytes / static_cast<double>(result.report.nnz);
}

/// An effect, how much time it costs as a factor, and the sentence with the numbers that show it.
struct finding {
  double factor = 1;
  std::string sentence;
};

finding none() { return {}; }

/// What limits even the fastest kernel: then no choice among these kernels removes it.
finding common_effect(const lab_result& result, const method_report& best) {
  if (best.bound_by == "launches")
    return {notable,
            fmt::format("The matrix is small: in the model, launching takes most of the {} microseconds that even {} "
                        "needs.",
                        number(best.model_s * 1e6), best.kernel)};
  const lab::array_traffic* x = traffic_of(best, "x");
  if (x == nullptr) return none();
  if (best.bound_by == "DRAM") {
    const double extra = x->dram_bytes_per_nnz - compulsory_x(result);
    const double without = best.dram_bytes_per_nnz - extra;
    if (extra <= 0 || without <= 0) return none();
    return {best.dram_bytes_per_nnz / without,
            fmt::format("L2 misses on x decide: fetching x again takes {} of the {} bytes per entry that {} moves in "
                        "the model.",
                        number(extra), number(best.dram_bytes_per_nnz), best.kernel)};
  }
  if (best.bound_by == "L2") {
    const double of_x = requested_per_nnz(result.report, best, "x");
    const double without = best.bytes_requested_per_nnz - of_x + result.value_bytes;
    if (of_x <= result.value_bytes || without <= 0) return none();
    return {
        best.bytes_requested_per_nnz / without,
        fmt::format("Scattered x decides: a request for x touches {} sectors, which makes {} of the {} bytes that "
                    "{} requests per entry.",
                    number(x->sectors_per_request()), number(of_x), number(best.bytes_requested_per_nnz), best.kernel)};
  }
  return none();
}

/// Why a kernel is slower than the fastest: the count in which the two differ most.
finding own_effect(const lab_result& result, const method_report& best, const method_report& slow) {
  const double slower = slow.model_s / best.model_s;
  const auto ratio = [](double of, double to) { return to > 0 ? of / to : 1.0; };
  const double padding = ratio(slow.compulsory_bytes_per_nnz, best.compulsory_bytes_per_nnz);
  const double idle = ratio(best.active_lanes, slow.active_lanes);
  // What a format stores beside the entries is requested too, but in sectors as full as others.
  const double uncoalesced = ratio(matrix_bytes(result, slow), matrix_bytes(result, best)) / std::max(1.0, padding);
  const double most = std::max({padding, idle, uncoalesced});
  if (most < notable) return none();
  if (most == padding)
    return {slower, fmt::format("Padding and other stored bytes decide between the kernels: {} has to read {} bytes "
                                "per entry, {} only {}.",
                                slow.kernel, number(slow.compulsory_bytes_per_nnz), best.kernel,
                                number(best.compulsory_bytes_per_nnz))};
  if (most == idle)
    return {slower,
            fmt::format("Idle lanes decide between the kernels: {} of the lanes of {} work, against {} in {}.",
                        whole_percent(slow.active_lanes), slow.kernel, whole_percent(best.active_lanes), best.kernel)};
  return {
      slower,
      fmt::format("Uncoalesced values and columns decide between the kernels: {} requests {} bytes of them per "
                  "entry, {} only {}.",
                  slow.kernel, number(matrix_bytes(result, slow)), best.kernel, number(matrix_bytes(result, best)))};
}

/// The textbook's one thread per row, which others are held against, or the end when it did not run or is the fastest.
auto simple_kernel(const std::vector<const method_report*>& ranked) {
  return std::find_if(ranked.begin() + 1, ranked.end(),
                      [](const method_report* method) { return method->kernel == "csr_row"; });
}

/// What one thread per row suffers from, if it does; otherwise what costs any kernel most.
finding strongest_own_effect(const lab_result& result, const std::vector<const method_report*>& ranked) {
  finding strongest;
  if (const auto simple = simple_kernel(ranked); simple != ranked.end())
    strongest = own_effect(result, *ranked.front(), **simple);
  if (strongest.factor >= notable) return strongest;
  for (const method_report* slow : ranked) {
    finding of_this = own_effect(result, *ranked.front(), *slow);
    if (of_this.factor > strongest.factor) strongest = std::move(of_this);
  }
  return strongest;
}

/// The kernel to take, against one thread per row where that ran, otherwise against the next one.
std::string advice(const std::vector<const method_report*>& ranked) {
  const method_report& best = *ranked.front();
  if (ranked.size() == 1) return fmt::format("Only {} ran, so there is no choice.", best.kernel);
  const auto simple = simple_kernel(ranked);
  const method_report& other = simple == ranked.end() ? *ranked[1] : **simple;
  constexpr double worth_it = 1.05;
  if (other.model_s < worth_it * best.model_s)
    return fmt::format("Take {} or {}: in the model they are within {:.0f} % of each other.", best.kernel, other.kernel,
                       100 * (worth_it - 1));
  return fmt::format("Take {}: in the model it is {:.2f} times as fast as {}.", best.kernel,
                     other.model_s / best.model_s, other.kernel);
}

/// What the time of the fastest kernel goes to where no effect stands out.
std::string what_remains(const method_report& best) {
  double matrix = 0;
  for (const lab::array_traffic& array : best.arrays)
    if (array.name != "x" && array.name != "y") matrix += array.dram_bytes_per_nnz;
  return fmt::format(
      "No effect stands out: the arrays of the matrix are {} of the {} bytes per entry that {} moves in the model, "
      "which are {:.2f} times the least.",
      number(matrix), number(best.dram_bytes_per_nnz), best.kernel,
      best.dram_bytes_per_nnz / best.compulsory_bytes_per_nnz);
}

}  // namespace

std::string lab_explanation(const lab_result& result) {
  const std::vector<const method_report*> ranked = result.ranked();
  if (ranked.empty()) return "No kernel ran, so there is nothing to explain.";
  const finding common = common_effect(result, *ranked.front());
  const finding own = strongest_own_effect(result, ranked);
  std::string text;
  if (common.factor >= notable) text += common.sentence + ' ';
  if (own.factor >= notable) text += own.sentence + ' ';
  if (text.empty()) text = what_remains(*ranked.front()) + ' ';
  return text + advice(ranked);
}

}  // namespace lacis::app

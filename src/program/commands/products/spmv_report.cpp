// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The report of lacis spmv, for people and as JSON.
#include "commands/products/spmv_report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "console/console.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds * 1e-9 : 0; }
double ratio(const spmv_report& report, const timed_product& p) {
  return p.seconds > 0 ? report.products.front().seconds / p.seconds : 0;
}

/// A row of the table; rates and ratios only where times say something.
std::string row_of(const spmv_report& report, const timed_product& p) {
  const bool times_count = p.threads > 0 || report.on_device->times_count;
  const auto figure = [&](double number) { return times_count ? plot::significant(number) : "-"; };
  return fmt::format("{:<14}{:>8}{:>12}{:>10}{:>10}{:>9}{:>6}\n", p.what,
                     p.threads > 0 ? std::to_string(p.threads) : "-", plot::duration_text(p.seconds),
                     figure(rate(report.operations, p.seconds)), figure(rate(p.bytes, p.seconds)),
                     figure(ratio(report, p)), p.runs);
}

std::string device_text(const device_plan_report& there, std::size_t columns) {
  std::string text = fmt::format("On {} the plan took {} to make. {}", there.device,
                                 plot::duration_text(there.inspect_seconds), there.explanation);
  if (!there.times_count) text += " The host executor runs device kernels thread by thread: its time means nothing.";
  return wrapped(text, 0, columns) + '\n';
}

json device_json(const device_plan_report& there) {
  return {{"name", there.device},
          {"times_count", there.times_count},
          {"layout", there.layout},
          {"inspect_s", there.inspect_seconds},
          {"explanation", there.explanation}};
}

}  // namespace

bool spmv_report::same_bits() const {
  return std::all_of(products.begin(), products.end(),
                     [&](const timed_product& p) { return p.hash == products.front().hash; });
}

std::int64_t spmv_report::break_even() const {
  const double saved = products[1].seconds - products[3].seconds;
  return saved > 0 ? static_cast<std::int64_t>(std::ceil(inspect_seconds / saved)) : -1;
}

std::string spmv_screen(const spmv_report& report) {
  const terminal where = terminal_of(1);
  const painter paint{where.color};
  std::string text = fmt::format("{}   {} x {}   {} entries{}   {}\n\n", paint.bold(report.matrix),
                                 plot::grouped(report.rows), plot::grouped(report.cols), plot::grouped(report.entries),
                                 report.iso ? ", all of one value" : "", report.x);
  text += paint.bold(fmt::format("{:<14}{:>8}{:>12}{:>10}{:>10}{:>9}{:>6}\n", "product", "threads", "median", "GFLOP/s",
                                 "GB/s", "speedup", "runs"));
  for (const timed_product& p : report.products) text += row_of(report, p);
  const std::int64_t uses = report.break_even();
  text += fmt::format("\nThe plan took {} to make", plot::duration_text(report.inspect_seconds));
  text += uses < 0 ? std::string("; it is not faster than CSR as it is.\n")
                   : fmt::format(" and pays from {} products on.\n", plot::grouped(std::max<std::int64_t>(1, uses)));
  text += wrapped(report.explanation, 0, static_cast<std::size_t>(where.columns)) + '\n';
  if (report.on_device) text += device_text(*report.on_device, static_cast<std::size_t>(where.columns));
  const char* const number = report.on_device ? "five" : "four";
  text += report.same_bits()
              ? fmt::format("solution hash {:016x}, the same for all {}\n", report.products[0].hash, number)
              : paint.red(fmt::format("the {} results differ:", number)) + '\n';
  if (!report.same_bits())
    for (const timed_product& p : report.products)
      text += fmt::format("{:<14}{:>8}  {:016x}\n", p.what, p.threads > 0 ? std::to_string(p.threads) : "-", p.hash);
  return text;
}

std::string spmv_json(const spmv_report& report) {
  json products = json::array();
  for (const timed_product& p : report.products)
    products.push_back({{"what", p.what},
                        {"threads", p.threads > 0 ? json(p.threads) : json(nullptr)},
                        {"seconds", p.seconds},
                        {"runs", p.runs},
                        {"gflop_per_s", rate(report.operations, p.seconds)},
                        {"bytes", p.bytes},
                        {"gb_per_s", rate(p.bytes, p.seconds)},
                        {"speedup", ratio(report, p)},
                        {"hash", fmt::format("{:016x}", p.hash)}});
  const std::int64_t uses = report.break_even();
  const json all = {{"matrix", report.matrix},
                    {"rows", report.rows},
                    {"cols", report.cols},
                    {"entries", report.entries},
                    {"iso", report.iso},
                    {"x", report.x},
                    {"isa", report.isa},
                    {"load_s", report.load_seconds},
                    {"products", std::move(products)},
                    {"plan",
                     {{"layout", report.layout},
                      {"inspect_s", report.inspect_seconds},
                      {"break_even_products", uses < 0 ? json(nullptr) : json(uses)},
                      {"explanation", report.explanation}}},
                    {"device", report.on_device ? device_json(*report.on_device) : json(nullptr)},
                    {"same_bits", report.same_bits()},
                    {"hash", fmt::format("{:016x}", report.products[0].hash)}};
  return all.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace lacis::app

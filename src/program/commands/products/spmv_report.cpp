// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The report of lacis spmv, for people and as JSON.
#include "commands/products/spmv_report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "console/console.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds * 1e-9 : 0; }
double ratio(const spmv_report& report, const timed_product& p) {
  return p.seconds > 0 ? report.products.front().seconds / p.seconds : 0;
}

/// A row of the table; rates and ratios only where times say something.
std::string row_of(const spmv_report& report, const timed_product& p, bool unicode) {
  const bool times_count = p.threads > 0 || report.on_device->times_count;
  const auto figure = [&](double number) { return times_count ? plot::significant(number) : "-"; };
  return fmt::format("{:<14}{:>8}{}{:>10}{:>10}{:>9}{:>6}\n", p.what, p.threads > 0 ? std::to_string(p.threads) : "-",
                     pad_left(time_text(p.seconds, unicode), 12), figure(rate(report.operations, p.seconds)),
                     figure(rate(p.bytes, p.seconds)), figure(ratio(report, p)), p.runs);
}

std::string device_text(const device_plan_report& there, std::size_t columns) {
  std::string text = fmt::format("On {} the plan took {} to make. {}", there.device,
                                 plot::duration_text(there.inspect_seconds), there.explanation);
  if (!there.times_count) text += " The host executor runs device kernels thread by thread: its time has no meaning.";
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

bool spmv_report::is_repeated(std::size_t i) const {
  const timed_product& p = products[i];
  return i > 0 && p.what == products[i - 1].what && p.threads == products[i - 1].threads;
}

std::int64_t spmv_report::break_even() const {
  const double saved = products[1].seconds - products[3].seconds;
  return saved > 0 ? static_cast<std::int64_t>(std::ceil(inspect_seconds / saved)) : -1;
}

std::string spmv_screen(const spmv_report& report) {
  const terminal where = terminal_of(1);
  const painter paint{where.color};
  const std::string size = fmt::format("{} {} {}, {} entries{}; {}", plot::grouped(report.rows),
                                       where.unicode ? "×" : "x", plot::grouped(report.cols),
                                       plot::grouped(report.entries), report.iso ? ", all of one value" : "", report.x);
  std::string text = title_line(report.matrix, size, where) + '\n';
  text += paint.bold(fmt::format("{:<14}{:>8}{:>12}{:>10}{:>10}{:>9}{:>6}\n", "product", "threads", "median", "GFLOP/s",
                                 "GB/s", "speedup", "runs"));
  for (std::size_t i = 0; i < report.products.size(); ++i)
    if (!report.is_repeated(i)) text += row_of(report, report.products[i], where.unicode);
  const std::int64_t uses = report.break_even();
  text += fmt::format("\nThe plan took {} to make", plot::duration_text(report.inspect_seconds));
  text += uses < 0 ? std::string("; it is not faster than CSR.\n")
                   : fmt::format(" and is repaid after {} product{} (measured).\n",
                                 plot::grouped(std::max<std::int64_t>(1, uses)), uses <= 1 ? "" : "s");
  text += wrapped(report.explanation, 0, static_cast<std::size_t>(where.columns)) + '\n';
  if (report.on_device) text += device_text(*report.on_device, static_cast<std::size_t>(where.columns));
  text += report.same_bits() ? fmt::format("hash of y: {:016x} (the same for all products and on every machine)\n",
                                           report.products[0].hash)
                             : paint.red("the results differ; hash of y per product:") + '\n';
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
  return json_text(all);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis verify --device: do the device kernels give the bits that their definitions give, in every schedule?
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include <lacis/device.hpp>
#include <lacis/error.hpp>

#include "commands/verify/kernel_json.hpp"
#include "commands/verify/request.hpp"
#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/json_text.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "parse/suggest.hpp"
#include "plot/numbers.hpp"
#include "verify/verify.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

std::string table(const kernel_report& report, const painter& paint) {
  std::size_t widest = 8;
  std::size_t widest_order = 8;
  for (const kernel_count& count : report.table) {
    widest = std::max(widest, count.what.size() + 2);
    widest_order = std::max(widest_order, count.order.size() + 2);
  }
  std::string text =
      paint.bold(pad_right("method", widest) + pad_right("order", widest_order) + pad_left("runs", 10)) + '\n';
  for (const kernel_count& count : report.table) {
    text +=
        pad_right(count.what, widest) + pad_right(count.order, widest_order) + pad_left(plot::grouped(count.runs), 10);
    if (count.differing > 0) text += paint.red(fmt::format("  {} differ", plot::grouped(count.differing)));
    text += '\n';
  }
  return text;
}

std::string screen(const kernel_report& report, double seconds) {
  const terminal where = terminal_of(1);
  const painter paint{where.color};
  const auto columns = static_cast<std::size_t>(where.columns);
  std::string text = table(report, paint) + '\n' + wrapped("covered: " + report.swept, 0, columns) + "\n\n";
  for (const std::string& fault : report.faults) text += wrapped("- " + fault, 2, columns) + '\n';
  for (const std::string& kernel : report.never_launched) text += "- never launched: " + kernel + '\n';
  if (!report.stopped.empty()) text += wrapped("- stopped: " + report.stopped, 2, columns) + '\n';
  if (!report.good()) text += '\n';
  const std::string verdict =
      fmt::format("{} runs compared, {} differing", plot::grouped(report.runs), plot::grouped(report.differing));
  text += report.good() ? paint.green(verdict + " bits") : paint.red(verdict);
  text += fmt::format("; {} kernels ({} with their types), {} launches, {} schedule{}\n", report.kernels,
                      report.instantiations, plot::grouped(report.launches), report.schedules,
                      report.schedules == 1 ? "" : "s");
  return text + fmt::format("{}, {}\n", report.compiler, plot::duration_text(seconds));
}

std::string as_json(const kernel_report& report, const std::string& device, double seconds) {
  json all = {{"outcome", report.good() ? "equal bits" : "different"}, {"device", device}, {"seconds", seconds}};
  all.update(kernel_json(report));
  return json_text(all);
}

/// What each kernel executed: a line per kernel, a column per counter.
std::string counts_table(const kernel_report& report) {
  std::string text = "kernel";
  for (const ptx::named_counter& each : ptx::all_counters) text += fmt::format("\t{}", each.name);
  text += '\n';
  for (const interpreted::kernel_counters& kernel : report.executed) {
    text += kernel.symbol;
    for (const ptx::named_counter& each : ptx::all_counters) text += fmt::format("\t{}", kernel.counted.*each.value);
    text += '\n';
  }
  return text;
}

/// "complex float" of "complex-float"; nothing of nothing.
std::string values_named(std::string name) {
  std::ranges::replace(name, '-', ' ');
  if (name.empty() || std::ranges::find(kernel_values, name) != std::end(kernel_values)) return name;
  std::vector<std::string> known(std::begin(kernel_values), std::end(kernel_values));
  for (std::string& each : known) std::ranges::replace(each, ' ', '-');
  refuse_choice("--type", name, known);
}

/// 80 of "ptx:80", 0 of "ptx"; nothing of other devices.
std::optional<int> architecture_of(std::string_view device) {
  if (device == "ptx") return 0;
  constexpr std::string_view prefix = "ptx:";
  if (!device.starts_with(prefix)) return {};
  int architecture = 0;
  const char* const end = device.data() + device.size();
  const auto [rest, failed] = std::from_chars(device.data() + prefix.size(), end, architecture);
  if (failed != std::errc() || rest != end || architecture <= 0 || architecture >= 128)
    throw error(errc::invalid_argument,
                fmt::format("'{}' names no architecture; take ptx:80 for compute capability 8.0", device));
  return architecture;
}

}  // namespace

void end_when_hung(kernel_verify_options& options, double limit_seconds) {
  options.limit_seconds = limit_seconds;
  options.hung = [](const std::string& words) {
    complain(words);
    std::_Exit(exit_not_verified);
  };
}

void run_verify_kernels(const verify_request& request) {
  if (!request.isas.empty() || !request.threads.empty())
    throw error(errc::invalid_argument, "--isa and --threads-list are for --device cpu; leave them out");
  kernel_verify_options options;
  if (const std::optional<int> architecture = architecture_of(request.device)) {
    options.interpreted = true;
    options.architecture = *architecture;
  } else {
    options.device = device_named(request.device);
  }
  if (!request.counts.empty() && !options.interpreted)
    throw error(errc::invalid_argument, "--counts is for --device ptx, whose interpreter counts");
  options.operation = request.operation;
  options.values = values_named(request.values);
  options.counted = !request.counts.empty();
  options.all = request.all;
  options.repeats = request.repeat;
  end_when_hung(options, request.limit);
  const auto begin = std::chrono::steady_clock::now();
  const kernel_report report = [&] {
    progress_bar bar(request.common.quiet);
    options.progress = bar.callback();
    return verify_kernels(options);
  }();
  if (options.counted) write_file(request.counts, counts_table(report));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (request.common.json)
    print(as_json(report, options.interpreted ? request.device : name_of(options.device), seconds));
  else
    print_screen(screen(report, seconds));
  if (report.good()) return;
  if (!report.stopped.empty()) throw not_verified(report.stopped);
  throw not_verified(fmt::format("{} runs differ from the reference, {} kernels were never launched",
                                 plot::grouped(report.differing), report.never_launched.size()));
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis verify: do products on this machine have the bits that their definition gives?
#include "verify/verify.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include <lacis/error.hpp>

#include "commands/verify/request.hpp"
#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/json_text.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "parse/suggest.hpp"
#include "parse/workshop.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

const verify_count* find_count(const verify_report& report, const std::string& what, isa set) {
  for (const verify_count& count : report.table)
    if (count.what == what && count.isa == set) return &count;
  return nullptr;
}

/// The rows of the table and the instruction sets above it, each once, in order of appearance.
struct headings {
  std::vector<std::string> rows;
  std::vector<isa> sets;

  explicit headings(const verify_report& report) {
    for (const verify_count& count : report.table) {
      if (std::find(rows.begin(), rows.end(), count.what) == rows.end()) rows.push_back(count.what);
      if (std::find(sets.begin(), sets.end(), count.isa) == sets.end()) sets.push_back(count.isa);
    }
  }
};

std::string cell(const verify_count* count, const painter& paint) {
  if (count == nullptr) return "-";
  if (count->differing == 0) return plot::grouped(count->compared);
  return paint.red(fmt::format("{} of {} differ", plot::grouped(count->differing), plot::grouped(count->compared)));
}

std::string table(const verify_report& report, const painter& paint) {
  const headings all(report);
  const std::size_t width = report.good() ? 12 : 26;
  std::size_t widest = 8;
  for (const std::string& row : all.rows) widest = std::max(widest, row.size());
  std::string text = pad_right("", widest);
  for (const isa set : all.sets) text += paint.bold(pad_left(name_of(set), width));
  text += '\n';
  for (const std::string& row : all.rows) {
    text += pad_right(row, widest);
    for (const isa set : all.sets) text += pad_left(cell(find_count(report, row, set), paint), width);
    text += '\n';
  }
  return text;
}

std::string screen(const verify_report& report, double seconds) {
  const terminal where = terminal_of(1);
  const painter paint{where.color};
  const auto columns = static_cast<std::size_t>(where.columns);
  std::string text = table(report, paint) + '\n' + wrapped("covered: " + report.swept, 0, columns) + "\n\n";
  for (const std::string& fault : report.faults) text += wrapped("- " + fault, 2, columns) + '\n';
  if (!report.faults.empty()) text += '\n';
  const std::string verdict = fmt::format("{} products compared, {} differing", plot::grouped(report.products),
                                          report.good() ? "0" : plot::grouped(report.differing));
  text += report.good() ? paint.green(verdict + " bits") : paint.red(verdict);
  text += fmt::format("; {} products with unsorted rows refused\n", plot::grouped(report.refusals));
  return text + fmt::format("digest {:016x}, {}, {}\n", report.digest, report.compiler, plot::duration_text(seconds));
}

std::string as_json(const verify_report& report, double seconds) {
  json counts = json::array();
  for (const verify_count& count : report.table)
    counts.push_back({{"what", count.what},
                      {"isa", name_of(count.isa)},
                      {"compared", count.compared},
                      {"differing", count.differing}});
  const json all = {{"outcome", report.good() ? "equal bits" : "different"},
                    {"products", report.products},
                    {"differing", report.differing},
                    {"refusals", report.refusals},
                    {"digest", fmt::format("{:016x}", report.digest)},
                    {"compiler", report.compiler},
                    {"swept", report.swept},
                    {"seconds", seconds},
                    {"table", std::move(counts)},
                    {"faults", report.faults}};
  return json_text(all);
}

void require_operation(const verify_request& request) {
  std::vector<std::string> known = {"spmv", "spmm", "spgemm", "powers"};
  if (request.device != "cpu") known.assign(std::begin(kernel_operations), std::end(kernel_operations));
  if (!request.operation.empty() && std::find(known.begin(), known.end(), request.operation) == known.end())
    refuse_choice("the operation of verify", request.operation, known);
}

void require_device(const verify_request& request) {
  if (!request.values.empty() || !request.counts.empty())
    throw error(errc::invalid_argument, "--type and --counts are about device kernels; give --device");
}

void run_verify(const verify_request& request) {
  require_operation(request);
  if (request.device != "cpu") return run_verify_kernels(request);
  if (request.repeat != 1) throw error(errc::invalid_argument, "--repeat is for --device simt, cuda and ptx");
  require_device(request);
  verify_options options;
  options.all = request.all;
  for (const std::string& name : request.isas) options.isas.push_back(parse_isa(name));
  options.threads = request.threads;
  const auto begin = std::chrono::steady_clock::now();
  const verify_report report = [&] {
    progress_bar bar(request.common.quiet);
    options.progress = bar.callback();
    if (request.operation == "spmm") return verify_spmm(options);
    if (request.operation == "spgemm") return verify_spgemm(options);
    return request.operation == "powers" ? verify_powers(options) : verify(options);
  }();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (request.common.json)
    print(as_json(report, seconds));
  else
    print_screen(screen(report, seconds));
  if (report.good()) return;
  throw not_verified(fmt::format("{} products differ from the reference", plot::grouped(report.differing)));
}

void add_options(option_list& options, verify_request& request) {
  options
      .add("OPERATION spmv|spmm|spgemm|powers", request.operation,
           "spmv: products with vectors and some with dense columns; spmm: with 1 to 65 dense columns in every order; "
           "spgemm: products of two sparse matrices; powers: several products in a row, on the processor. With "
           "--device: spmv, convert, spmm, triangular, spgemm or vectors")
      .otherwise("spmv; with --device all kernels");
  options.add(with_choices("--device", "cpu|simt|cuda|ptx"), request.device,
              "verify device kernels instead: simt is the host executor, cuda:1 the second GPU, ptx:80 an interpreter "
              "of the PTX for compute capability 8.0");
  options
      .add("--type float|double|complex-float|complex-double", request.values,
           "device kernels with values of this type, and those without values")
      .otherwise("all types");
  options
      .add("--counts FILE", request.counts,
           "with --device ptx: write what each kernel executed, lanes in step: warp instructions, sectors, ...")
      .names_file(file_use::write);
  options.add("--all", request.all, "every test matrix with every pair of types: minutes instead of seconds");
  options.add("--repeat N", request.repeat, "with --device: how often every run is made")
      .integers(1, 1000000)
      .otherwise("1; more on a GPU, where each run is another schedule");
  options
      .add("--limit SECONDS", request.limit,
           "with --device: a run that takes longer is named and ends the program with status 3; 0: no limit")
      .reals(0.0, 1e6)
      .otherwise("120")
      .needs("--device");
  options.add("--isa LIST", request.isas, "instruction sets, separated by commas: scalar, avx2, avx512")
      .list()
      .otherwise("all of this processor");
  options.add("--threads-list LIST", request.threads, "numbers of threads, separated by commas")
      .list()
      .integers(1, most_threads)
      .otherwise("1,2,3,4,7; spmm and powers: 1,2,3; spgemm: 1 to 7");
  add_common_output(options, request.common);
}

}  // namespace

command verify_command() {
  return make_command<verify_request>(
      {.name = "verify",
       .group = workshop_command("verify").group,
       .summary = workshop_command("verify").summary,
       .about =
           "Computes products of test matrices in every format and layout, for all pairs of types, instruction sets "
           "and several numbers of threads, and compares them bit by bit with the reference. spgemm also verifies "
           "A B + D, A A^T, P^T A P, masked products, sampled dense products and sums. With --device every kernel "
           "must have run. The digest is the same on every machine where all results are right. The exit status is "
           "3 when a result differs.",
       .examples = {{"lacis verify", "products with vectors on this processor"},
                    {"lacis verify spgemm --device simt", "kernels for GPUs on the host executor"}}},
      add_options, run_verify);
}

}  // namespace lacis::app

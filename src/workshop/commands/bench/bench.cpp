// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench: what is measured, of which matrices, and where the results go.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include <lacis/error.hpp>

#include "commands/bench/plan.hpp"
#include "commands/bench/powers.hpp"
#include "commands/bench/products.hpp"
#include "commands/bench/request.hpp"
#include "commands/bench/small.hpp"
#include "commands/bench/solve.hpp"
#include "commands/bench/spgemm.hpp"
#include "commands/bench/spmm.hpp"
#include "commands/bench/spmv.hpp"
#include "commands/plan/words.hpp"
#include "console/interrupt.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "input/load.hpp"
#include "input/operands.hpp"
#include "measure/peer.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "parse/suggest.hpp"
#include "parse/workshop.hpp"

namespace lacis::app {
namespace {

constexpr int most_dense_columns = 4096;
constexpr int most_power = 1000;

/// The names between commas, each of them known.
std::vector<std::string> parse_list(const std::string& list, const std::vector<std::string>& known,
                                    const std::string& option) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw error(errc::invalid_argument,
                  fmt::format("{}: there is no '{}'{}", option, name, did_you_mean(name, known)));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    begin = end + 1;
  }
  return names;
}

std::vector<std::string> peers_of(const bench_request& request) {
  const std::vector<std::string>& known = measure::peer_names(request.operation);
  return request.peers == "all" ? known : parse_list(request.peers, known, "--peers");
}

/// At most one result may go to standard output.
void require_one_output(const bench_request& request) {
  if (request.markdown == "-" && request.common.json)
    throw error(errc::invalid_argument,
                "--json and --export-markdown - both write to standard output; write the table to a file");
  if (request.roofline == "-" && (request.common.json || request.markdown == "-"))
    throw error(errc::invalid_argument,
                "--roofline - writes to standard output; write the picture or the other result to a file");
}

plan_options options_of_plans(const bench_request& request) {
  plan_options options;
  options.expected_uses = request.uses;
  std::string remark;
  options.machine = rates_of_profile(remark);
  if (!remark.empty() && !request.common.quiet) complain(remark);
  return options;
}

any_csr load_one(const bench_request& request, const std::string& matrix, std::string& name) {
  source_options one = request.source;
  one.matrix = matrix;
  loaded source = load(one, request.common);
  name = source.name;
  return with_type(std::move(source.matrix), request.type);
}

/// Throws when an option was given that belongs to another operation.
void require_own_options(const bench_request& request) {
  struct owned {
    const char* option;
    bool is_given;
    std::string_view operation;
  };
  const owned all[] = {{"--formats", !request.formats.empty(), "spmv"},
                       {"--reorder", !request.reorder.empty(), "spmv"},
                       {"--export-markdown", !request.markdown.empty(), "spmv"},
                       {"--roofline", !request.roofline.empty(), "spmv"},
                       {"--columns", !request.columns.empty(), "spmm"},
                       {"--order", !request.order.empty(), "spmm"},
                       {"--with", !request.with.empty(), "spgemm"},
                       {"--chart", !request.chart.empty(), "spgemm"},
                       {"--systems", request.systems.has_value(), "batch"},
                       {"--rows", request.rows.has_value(), "batch"},
                       {"--entries", request.entries.has_value(), "batch"},
                       {"--power", request.power.has_value(), "powers"},
                       {"--all", request.all, "plan"},
                       {"--files", !request.files.empty(), "plan"}};
  for (const owned& one : all)
    if (one.is_given && one.operation != request.operation)
      throw error(errc::invalid_argument,
                  fmt::format("{} applies to bench {} only; leave it out", one.option, one.operation));
}

void require_matrices(const bench_request& request) {
  if (request.matrices.empty()) throw error(errc::invalid_argument, "a matrix is missing (see 'lacis help bench')");
}

void measure_products(const bench_request& request) {
  require_one_output(request);
  require_matrices(request);
  bench_settings settings;
  settings.formats = parse_list(request.formats, product_names(), "--formats");
  settings.peers = peers_of(request);
  for (const std::string& word : request.reorder)
    if (const reordering how = parse_reordering(word);
        how != reordering::none && std::count(settings.reorder.begin(), settings.reorder.end(), how) == 0)
      settings.reorder.push_back(how);
  const bool no_plan = !settings.formats.empty() &&
                       std::find(settings.formats.begin(), settings.formats.end(), "plan") == settings.formats.end();
  if (no_plan && !settings.reorder.empty())
    throw error(errc::invalid_argument, "--reorder needs plans, which --formats leaves out; add plan to it");
  if (no_plan && settings.peers.empty() && !request.roofline.empty())
    throw error(errc::invalid_argument, "--roofline shows the plan and other libraries; add plan to --formats");
  settings.plan = options_of_plans(request);
  settings.seconds = request.seconds.value_or(settings.seconds);
  settings.quiet = request.common.quiet;

  const bool screens = !request.common.json && request.markdown != "-" && request.roofline != "-";
  std::vector<bench_report> reports;
  for (const std::string& matrix : request.matrices) {
    // Files for the peers must not stay behind.
    const interrupt_guard guard;
    std::string name;
    any_csr loaded_matrix = load_one(request, matrix, name);
    reports.push_back(bench_spmv(settings, name, std::move(loaded_matrix)));
    if (!request.common.quiet)
      for (const std::string& remark : reports.back().remarks) complain(remark);
    if (!screens) continue;
    print_screen((reports.size() > 1 ? "\n" : "") + bench_screen(reports.back(), terminal_of(1)));
    flush_output();
  }
  if (!request.markdown.empty()) {
    std::string text;
    for (const bench_report& report : reports) text += (text.empty() ? "" : "\n") + bench_markdown(report);
    write_file(request.markdown, text);
  }
  if (!request.roofline.empty()) write_file(request.roofline, bench_roofline(reports));
  if (request.common.json) print(bench_json(reports));
}

void measure_dense_columns(const bench_request& request) {
  require_matrices(request);
  spmm_bench_settings settings;
  if (!request.columns.empty()) {
    const std::set<int> ascending(request.columns.begin(), request.columns.end());
    settings.columns.assign(ascending.begin(), ascending.end());
  }
  if (!request.order.empty()) {
    settings.orders.clear();
    for (const std::string& name : parse_list(request.order, {"row", "column"}, "--order"))
      settings.orders.push_back(name == "row" ? measure::dense_order::row : measure::dense_order::column);
  }
  settings.peers = peers_of(request);
  settings.plan = options_of_plans(request);
  settings.seconds = request.seconds.value_or(settings.seconds);
  settings.quiet = request.common.quiet;
  std::vector<spmm_bench_report> reports;
  for (const std::string& matrix : request.matrices) {
    const interrupt_guard guard;  // files for the peers must not stay behind
    std::string name;
    const any_csr loaded_matrix = load_one(request, matrix, name);
    const std::vector<spmm_bench_report> found = bench_spmm(settings, name, loaded_matrix);
    if (!request.common.quiet)
      for (const std::string& remark : found.front().remarks) complain(remark);  // all orders have the same
    for (const spmm_bench_report& report : found) {
      if (!request.common.json) print_screen((reports.empty() ? "" : "\n") + spmm_bench_screen(report, terminal_of(1)));
      reports.push_back(report);
    }
    flush_output();
  }
  if (request.common.json) print(spmm_bench_json(reports));
}

/// A matrix and what it is multiplied with: the matrix of --with, itself, or its transpose when it is not square.
spgemm_operands operands_of(const bench_request& request, const std::string& matrix) {
  spgemm_operands both;
  both.a = load_one(request, matrix, both.a_name);
  if (!request.with.empty()) {
    both.b = load_one(request, request.with, both.b_name);
    make_alike(both.a, *both.b);
  } else if (is_square(both.a)) {
    both.b_name = both.a_name;
  } else {
    both.b = transpose_of(both.a);
    both.b_name = "its transpose";
  }
  return both;
}

void measure_sparse_products(const bench_request& request) {
  require_matrices(request);
  if (request.chart == "-" && request.common.json)
    throw error(errc::invalid_argument,
                "--json and --chart - both write to standard output; write the chart to a file");
  spgemm_bench_settings settings;
  settings.peers = peers_of(request);
  settings.seconds = request.seconds.value_or(settings.seconds);
  settings.quiet = request.common.quiet;
  const bool screens = !request.common.json && request.chart != "-";
  std::vector<spgemm_bench_report> reports;
  for (const std::string& matrix : request.matrices) {
    const interrupt_guard guard;  // files for the peers must not stay behind
    reports.push_back(bench_spgemm(settings, operands_of(request, matrix)));
    if (!request.common.quiet)
      for (const std::string& remark : reports.back().remarks) complain(remark);
    if (!screens) continue;
    print_screen((reports.size() > 1 ? "\n" : "") + spgemm_bench_screen(reports.back(), terminal_of(1)));
    flush_output();
  }
  if (!request.chart.empty()) write_file(request.chart, spgemm_bench_chart(reports));
  if (request.common.json) print(spgemm_bench_json(reports));
}

/// measure(name, matrix) for each matrix.
template <class Measure> void measure_each(const bench_request& request, Measure&& measure) {
  require_matrices(request);
  std::vector<solve_bench_report> reports;
  for (const std::string& matrix : request.matrices) {
    const interrupt_guard guard;  // files for the peers must not stay behind
    std::string name;
    const any_csr loaded_matrix = load_one(request, matrix, name);
    reports.push_back(measure(name, loaded_matrix));
    if (!request.common.quiet)
      for (const std::string& remark : reports.back().remarks) complain(remark);
    if (request.common.json) continue;
    print_screen((reports.size() > 1 ? "\n" : "") + solve_bench_screen(reports.back(), terminal_of(1)));
    flush_output();
  }
  if (request.common.json) print(solve_bench_json(reports));
}

void measure_solvers(const bench_request& request) {
  const solve_bench_settings settings{request.operation, peers_of(request), request.seconds.value_or(10),
                                      request.common.quiet};
  measure_each(request,
               [&](const std::string& name, const any_csr& matrix) { return bench_solve(settings, name, matrix); });
}

void require_no_peers(const bench_request& request) {
  if (!request.peers.empty())
    throw error(errc::invalid_argument,
                fmt::format("--peers does not apply to bench {}; leave it out", request.operation));
}

void measure_batch(const bench_request& request) {
  require_no_peers(request);
  if (!request.matrices.empty())
    throw error(errc::invalid_argument, "bench batch generates its systems; leave the matrix out");
  batch_bench_settings settings;
  if (request.systems) settings.systems = static_cast<std::int64_t>(*request.systems);
  if (request.rows) settings.rows = static_cast<std::int64_t>(*request.rows);
  if (request.entries) settings.entries = static_cast<std::int64_t>(*request.entries);
  settings.seconds = request.seconds.value_or(settings.seconds);
  settings.quiet = request.common.quiet;
  const solve_bench_report report = bench_batch(settings);
  if (request.common.json)
    print(solve_bench_json({report}));
  else
    print_screen(solve_bench_screen(report, terminal_of(1)));
}

void measure_small_calls(const bench_request& request) {
  require_no_peers(request);
  measure_each(request, [&](const std::string& name, const any_csr& matrix) {
    return bench_small(name, matrix, request.seconds.value_or(10), request.common.quiet);
  });
}

void measure_powers(const bench_request& request) {
  require_no_peers(request);
  powers_bench_settings settings;
  if (request.power) settings.power = static_cast<int>(*request.power);
  settings.plan = options_of_plans(request);
  settings.seconds = request.seconds.value_or(settings.seconds);
  settings.quiet = request.common.quiet;
  measure_each(request,
               [&](const std::string& name, const any_csr& matrix) { return bench_powers(settings, name, matrix); });
}

/// The matrices that were named, the built-in list, or those in a folder.
std::vector<plan_case> cases_of(const bench_request& request) {
  if (request.all) return all_plan_cases();
  if (!request.files.empty()) return plan_cases_in(request.files);
  std::vector<plan_case> cases;
  for (const std::string& matrix : request.matrices) cases.push_back({matrix, request.source.values, 0});
  return cases;
}

void measure_plans(const bench_request& request) {
  require_no_peers(request);
  const int lists = (request.all ? 1 : 0) + (request.files.empty() ? 0 : 1) + (request.matrices.empty() ? 0 : 1);
  if (lists == 0)
    throw error(errc::invalid_argument, "a matrix is missing (or give --all or --files; see 'lacis help bench')");
  if (lists > 1)
    throw error(errc::invalid_argument, "matrices, --all and --files are three lists of matrices; give one of them");
  const plan_options options = options_of_plans(request);
  bench_plans(request, cases_of(request), options);
}

void run_bench(const bench_request& request) {
  std::map<std::string, void (*)(const bench_request&)> known = {
      {"spmv", measure_products}, {"spmm", measure_dense_columns}, {"spgemm", measure_sparse_products},
      {"plan", measure_plans},    {"batch", measure_batch},        {"small", measure_small_calls},
      {"powers", measure_powers}};
  for (const std::string& operation : solve_bench_operations()) known[operation] = measure_solvers;
  const auto found = known.find(request.operation);
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const auto& one : known) names.push_back(one.first);
    throw error(errc::invalid_argument, "there is no benchmark '" + request.operation + "'" +
                                            did_you_mean(request.operation, names) + " (see 'lacis help bench')");
  }
  require_own_options(request);
  found->second(request);
}

void add_options(option_list& options, bench_request& request) {
  options
      .add("OPERATION spmv|spmm|spgemm|powers|plan|cg|pagerank|trsv|ilu0|ic0|batch|small", request.operation,
           "spmv: matrix times vector; spmm: matrix times dense columns; spgemm: product of two sparse matrices; "
           "powers: A x, A^2 x, ... against one product after the other; plan: quality of the cost model; cg, "
           "pagerank: one iteration; trsv: triangular solve; ilu0, ic0: "
           "incomplete factorisation; batch: many small systems; small: the cost of single calls")
      .required();
  options.add("MATRIX", request.matrices, "files, - for standard input, or generated matrices such as @rmat:16")
      .names_file(file_use::read_matrix);
  options.add("--peers LIST", request.peers,
              "other libraries, separated by commas: mkl, eigen, scipy, graphblas, or all; spmm: without graphblas; "
              "spgemm: also mkl-unsorted, scipy-sorted; cg: also mkl-loop, petsc");
  options.add("--columns LIST", request.columns, "spmm: numbers of dense columns, separated by commas")
      .list()
      .integers(1, most_dense_columns)
      .otherwise("4,8,16,32,64");
  options.add("--order row|column", request.order, "spmm: X and Y row-major or column-major; row,column measures both")
      .otherwise("row");
  options.add("--with FILE", request.with, "spgemm: the second matrix")
      .otherwise("each matrix is squared")
      .names_file(file_use::read_matrix);
  options.add("--chart FILE", request.chart, "spgemm: write a bar chart (SVG); - is standard output")
      .names_file(file_use::write);
  options
      .add("--formats LIST", request.formats, "spmv: only these of coo, csr, csc, ell, hyb, jds, sell, bsr, dia, plan")
      .otherwise("all");
  options.add("--reorder rcm|chain|degree", request.reorder, "spmv: also plans in these orderings, separated by commas")
      .list();
  options.add("--roofline FILE", request.roofline, "spmv: write a roofline plot (SVG); - is standard output")
      .names_file(file_use::write);
  options
      .add("--export-markdown FILE", request.markdown, "spmv: also write the table as Markdown; - is standard output")
      .names_file(file_use::write);
  options.add("--systems N", request.systems, "batch: how many systems").integers(1, 10'000'000).otherwise("10000");
  options.add("--rows N", request.rows, "batch: rows of a system").integers(1, 100'000).otherwise("200");
  options.add("--entries N", request.entries, "batch: entries of a row, an odd number").integers(1, 999).otherwise("7");
  options.add("--power P", request.power, "powers: up to A^P x").integers(1, most_power).otherwise("4");
  options.add("--all", request.all, "plan: 70 generated matrices, about 15 minutes and 8 GB of memory");
  options.add("--files FOLDER", request.files, "plan: every matrix in a folder, such as that of bench/real_matrices.py")
      .names_file(file_use::read_matrix);
  add_uses(options, request.uses);
  add_type(options, request.type);
  options.add("--seconds S", request.seconds, "measuring time per matrix in seconds")
      .reals(0.0, 86400.0)
      .otherwise("10; plan: 1");
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command bench_command() {
  return make_command<bench_request>(
      {.name = "bench",
       .group = workshop_command("bench").group,
       .summary = workshop_command("bench").summary,
       .about = "All contestants are measured interleaved, in random order; a sample that other load disturbed is "
                "repeated. The table gives medians with 95 % intervals. Other libraries run in processes of their own "
                "with huge pages and as many threads, and are left out with a remark when they are not installed or "
                "their result is wrong (tools/install-peers installs them).\n"
                "spmv: the shares are of the rate at which memory was read in the same rounds; 'in cache' stands where "
                "the last-level cache held the data. Rates of other libraries are CSR-equivalent and marked with *.\n"
                "spmm: the ratios are to MKL, or to the fastest other library where MKL is not measured; without other "
                "libraries, to a plain loop.\n"
                "plan: forces every candidate and prints the regret, which is how much longer the chosen layout takes "
                "than the fastest, and the gain over a plain loop.\n"
                "With --json, several matrices give an array.",
       .examples = {{"lacis bench spmv @rmat:18 --peers all", "a product, against other libraries"},
                    {"lacis bench plan @rmat:16 @poisson3d:60", "does the cost model choose the fastest layout?"}}},
      add_options, run_bench);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis plan: which layout a matrix gets, what the others would cost, and why.
#include <filesystem>
#include <omp.h>
#include <system_error>

#include <lacis/facts.hpp>
#include <lacis/plan.hpp>
#include <lacis/powers.hpp>

#include "commands/plan/findings.hpp"
#include "commands/plan/words.hpp"
#include "console/console.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "measure/profile.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"

namespace lacis::app {
namespace {

struct plan_request {
  common_options common;
  source_options source;
  std::string type;          ///< of the values; empty: as in the file
  std::string layout;        ///< csr, sell, stencil, staged; empty: chosen
  std::string reorder;       ///< none, rcm, chain, degree; empty: none
  std::string values_as;     ///< exact, given, float; empty: exact
  std::string memory_limit;  ///< bytes such as 2G; empty: no limit
  double uses = 1000;
  std::int64_t columns = 1;
  bool tune = false;
};

/// "csr|sell|..."
std::string names_of_layouts() {
  std::string names;
  for (const plan_layout layout : plan_layouts) names += (names.empty() ? "" : "|") + std::string(name_of(layout));
  return names;
}

/// The file that remembers what tuning found, in a folder that exists.
std::string tuning_file() {
  const std::filesystem::path path = measure::tuning_path(measure::default_profile_path());
  std::error_code without_memory;  // tuning works without remembering, too
  if (!path.empty()) std::filesystem::create_directories(path.parent_path(), without_memory);
  return path.string();
}

plan_options options_of(const plan_request& request) {
  plan_options options;
  options.layout = parse_layout(request.layout);
  options.reorder = parse_reordering(request.reorder);
  options.values = parse_plan_values(request.values_as);
  if (!request.memory_limit.empty()) options.memory_limit = parse_bytes(request.memory_limit, "--memory-limit");
  options.columns = request.columns;
  options.expected_uses = request.uses;
  options.tune = request.tune;
  if (request.tune) options.tuning_file = tuning_file();
  return options;
}

template <class Matrix> plan_findings inspected(const std::string& name, const Matrix& a, const plan_options& options) {
  const auto made = multiply_inspect(a, options);
  plan_findings found;
  found.matrix = name;
  found.rows = made.rows();
  found.cols = made.cols();
  found.entries = made.nnz();
  found.value_type = type_name<typename Matrix::value_type>();
  found.threads = omp_get_max_threads();
  found.reorder = options.reorder;
  found.columns = options.columns;
  found.memory_limit = options.memory_limit;
  found.layout = made.layout();
  found.storage_bytes = made.storage_bytes();
  found.moved_bytes = made.moved_bytes();
  found.explanation = made.explain();
  constexpr int power = 4;
  if (made.rows() == made.cols()) found.powers = explain_powers(made, power);
  found.report = made.report();
  return found;
}

void run_plan(const plan_request& request) {
  plan_options options = options_of(request);
  std::string remark;
  options.machine = rates_of_profile(remark);
  if (!remark.empty() && !request.common.quiet) complain(remark);
  loaded source = load(request.source, request.common);
  const any_csr matrix = with_type(std::move(source.matrix), request.type);
  const plan_findings found = std::visit(
      [&](const auto& a) {
        progress_bar bar(request.common.quiet);
        bar.announce(request.tune ? "inspecting and timing" : "inspecting");
        return inspected(source.name, a, options);
      },
      matrix);
  if (request.common.json)
    print(plan_json(found));
  else
    print_screen(plan_screen(found, terminal_of(1)));
}

void add_options(option_list& options, plan_request& request) {
  add_matrix(options, request.source);
  add_uses(options, request.uses);
  options.add("--memory-limit BYTES", request.memory_limit, "memory that the plan may take, such as 500M or 2G");
  options.add("--layout " + names_of_layouts(), request.layout, "force this layout")
      .otherwise("chosen by the cost model");
  options.add("--reorder none|rcm|chain|degree", request.reorder, "permute the rows and columns of a square matrix")
      .otherwise("none");
  options
      .add("--values-as exact|given|float", request.values_as,
           "how values are stored: exact, in the narrowest type that loses nothing; given, unchanged; float, rounded")
      .otherwise("exact");
  options.add("--columns K", request.columns, "largest number of dense columns of a product")
      .integers(1, std::uint64_t{1} << 30);
  options.add("--tune", request.tune, "time the best candidates, and save the result for this matrix");
  add_type(options, request.type);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command plan_command() {
  return make_command<plan_request>(
      {.name = "plan",
       .group = command_group::look,
       .summary = "the layout that products with a matrix would use, and why",
       .about =
           "Inspects the matrix as a program does before many products with it. The first sentence is the reason of "
           "the choice; the table lists every candidate with the predicted time of a product, the time to convert, "
           "after how many products all of inspection is repaid against CSR without a plan, what limits the "
           "product, and the bytes that it moves per entry. Predictions use the rates that 'lacis doctor --measure' "
           "saved, or that the first plan measures.",
       .examples = {{"lacis plan @rmat:18", "a layout for a thousand products"},
                    {"lacis plan A.mtx --uses 10 --tune", "for ten products, with times as measured"}}},
      add_options, run_plan);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis plan: which layout a matrix gets, what the others would cost, and why.
#include <filesystem>
#include <omp.h>
#include <system_error>

#include <lacis/plan.hpp>

#include "commands/matrix/facts.hpp"
#include "commands/plan/findings.hpp"
#include "commands/plan/words.hpp"
#include "console/console.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "measure/profile.hpp"
#include "parse/commands.hpp"

namespace lacis::app {
namespace {

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
  found.nonzeros = made.nnz();
  found.value_type = type_name<typename Matrix::value_type>();
  found.threads = omp_get_max_threads();
  found.reorder = options.reorder;
  found.columns = options.columns;
  found.memory_limit = options.memory_limit;
  found.layout = made.layout();
  found.storage_bytes = made.storage_bytes();
  found.moved_bytes = made.moved_bytes();
  found.explanation = made.explain();
  found.report = made.report();
  return found;
}

}  // namespace

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

}  // namespace lacis::app

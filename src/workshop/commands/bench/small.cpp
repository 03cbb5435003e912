// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a call costs where there is little to compute.
#include "commands/bench/small.hpp"

#include <algorithm>
#include <chrono>
#include <omp.h>

#include <lacis/error.hpp>
#include <lacis/multiply.hpp>
#include <lacis/operator.hpp>
#include <lacis/plan.hpp>
#include <lacis/vector.hpp>

#include "console/progress_bar.hpp"
#include "input/operands.hpp"
#include "measure/interleave.hpp"

namespace lacis::app {
namespace {

/// Calls of one sample: one call is shorter than the clock's steps.
constexpr int calls = 500;

template <class Work> measure::contestant timed_calls(std::string name, Work work) {
  return {std::move(name), [work = std::move(work)](int times) {
            const auto begin = std::chrono::steady_clock::now();
            for (int t = 0; t < times * calls; ++t) work();
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / times / calls;
          }};
}

}  // namespace

solve_bench_report bench_small(const std::string& name, const any_csr& matrix, double seconds, bool quiet) {
  const auto* const a = std::get_if<csr_matrix<double>>(&matrix);
  if (a == nullptr) throw error(errc::invalid_argument, "small calls are measured in double; leave --type out");
  require_square(name, a->rows, a->cols, "bench small");
  progress_bar bar(quiet);
  bar.announce("preparing");
  const auto plan = multiply_inspect(*a);
  const auto op = make_operator(plan);
  workspace memory;
  std::vector<double> x(static_cast<std::size_t>(a->cols), 1.0);
  std::vector<double> y(static_cast<std::size_t>(a->rows), 1.0);
  const space_vector<double> from = op->space().zeros(a->cols);
  const space_vector<double> to = op->space().zeros(a->rows);
  std::vector<double> values(static_cast<std::size_t>(a->nnz()));
  for (std::int64_t k = 0; k < a->nnz(); ++k) values[static_cast<std::size_t>(k)] = a->values[k];
  double sum = 0;
  const std::vector<measure::contestant> contestants = {
      timed_calls("plan, workspace", [&] { multiply(plan, x, y, memory); }),
      timed_calls("plan", [&] { multiply(plan, x, y); }),
      timed_calls("no plan", [&] { multiply(*a, x, y); }),
      timed_calls("operator", [&] { op->apply(from, to); }),
      timed_calls("operator and dot", [&] { sum += op->apply_and_dot(from, to); }),
      timed_calls("dot", [&] { sum += dot(y, y); }),
      timed_calls("norm", [&] { sum += norm(y); }),
      timed_calls("axpy", [&] { axpy(1e-9, y, y); }),
      timed_calls("plain loop", [&] {
        for (std::int64_t i = 0; i < a->rows; ++i) {
          double row = 0;
          for (std::int64_t k = a->row_offsets[i]; k < a->row_offsets[i + 1]; ++k)
            row += values[static_cast<std::size_t>(k)] * x[static_cast<std::size_t>(a->columns[k])];
          y[static_cast<std::size_t>(i)] = row;
        }
      })};
  measure::interleave_options options;
  options.seconds = seconds;
  options.report = bar.callback();
  const std::vector<measure::samples> taken = measure::interleave(contestants, options);
  solve_bench_report report;
  report.operation = "small";
  report.matrix = name;
  report.rows = a->rows;
  report.entries = a->nnz();
  report.value_type = "double";
  report.unit = "call";
  report.steps = calls;
  report.rounds = static_cast<int>(taken[0].seconds.size());
  report.notes = {"the plan has the layout " + plan.layout() + "; gains are those of its product with a workspace",
                  "the plain loop reads one value per entry, without a call and without OpenMP"};
  for (std::size_t i = 0; i < taken.size(); ++i)
    report.results.push_back({contestants[i].name, "", 1, i + 1 == taken.size(),
                              measure::median_estimate(taken[i].seconds), taken[i].disturbed, taken[i].retaken,
                              measure::ratio_estimate(taken[i].seconds, taken[0].seconds)});
  std::sort(report.results.begin(), report.results.end(),
            [](const auto& one, const auto& other) { return one.seconds.median < other.seconds.median; });
  return report;
}

}  // namespace lacis::app

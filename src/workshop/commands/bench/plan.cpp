// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every candidate of a plan forced, verified and measured interleaved.
#include "commands/bench/plan.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <omp.h>

#include <lacis/any_csr.hpp>
#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/format.hpp>
#include <lacis/multiply.hpp>

#include "commands/bench/vectors.hpp"
#include "commands/machine/machine.hpp"
#include "console/exit_code.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "measure/interleave.hpp"
#include "measure/plain_loop.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

constexpr double usual_seconds = 1;
constexpr int fewest_rounds = 3;
/// The matrix, what making it takes, and its candidates, as copies of its CSR arrays.
constexpr std::int64_t copies_at_once = 8;
constexpr std::int64_t bytes_of_entry = 16;
/// Up to so many entries a plain loop is also tried on one thread: waking others may take longer than the product.
constexpr std::int64_t entries_for_one_thread = 500'000;

/// One matrix: the plan, its candidates, their times.
template <class Value, class Index> class plan_bench {
 public:
  plan_bench(const csr_matrix<Value, Index>& a, const plan_options& options, bool quiet)
      : a_(a), options_(options), bar_(quiet), x_(full_vector<Value>(a.cols)), y_(a.rows), reference_(a.rows) {
    trial_.rows = a.rows;
    trial_.cols = a.cols;
    trial_.entries = a.nnz();
    trial_.value_type = type_name<Value>();
    trial_.csr_bytes = storage_bytes(a, matrix_format::csr);
  }

  plan_trial run(double seconds) {
    multiply(a_, x_, reference_);
    bar_.announce("inspecting");
    const auto chosen = multiply_inspect(a_, options_);
    const plan_report report = chosen.report();
    trial_.inspection_seconds = report.inspection_seconds;
    const auto named = std::find_if(report.candidates.begin(), report.candidates.end(),
                                    [](const plan_candidate& candidate) { return candidate.chosen; });
    if (named == report.candidates.end())
      add({chosen.layout(), "", true, {}, {}, 0}, chosen);
    else
      add({named->layout, named->values, true, named->seconds, {}, 0}, chosen);
    for (const plan_candidate& candidate : report.candidates)
      if (!candidate.chosen && candidate.fits) try_candidate(candidate);
    measure_all(seconds);
    return std::move(trial_);
  }

  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void try_candidate(const plan_candidate& candidate) {
    const layout_request asked = layout_named(candidate.layout);
    if (!asked.layout) {
      remarks_.push_back(fmt::format("{} is left out: no option selects it", candidate.layout));
      return;
    }
    if (candidate.storage_bytes + trial_.csr_bytes > memory_of_machine().available) {
      remarks_.push_back(fmt::format("{} is left out: no memory for {}", candidate.layout,
                                     plot::bytes_text(static_cast<double>(candidate.storage_bytes))));
      return;
    }
    plan_options forced = options_;
    forced.layout = asked.layout;
    forced.column_blocks = asked.column_blocks;
    if (candidate.values == type_name<Value>()) forced.values = plan_values::as_given;
    bar_.announce("making " + candidate.layout);
    add({candidate.layout, candidate.values, false, candidate.seconds, {}, 0}, multiply_inspect(a_, forced));
  }

  void add(plan_try tried, const plan<Value, Index>& made) {
    std::fill(y_.begin(), y_.end(), Value(std::numeric_limits<real_of<Value>>::quiet_NaN()));
    multiply(made, x_, y_, memory_);
    if (const auto row = first_difference<Value>(reference_, y_))
      throw not_verified(fmt::format("the product of {} differs from that of csr in row {}: please report it",
                                     tried.layout, plot::grouped(*row + 1)));
    trial_.all.push_back(std::move(tried));
    plans_.push_back(made);
  }

  void measure_all(double seconds) {
    std::vector<measure::contestant> contestants = {{"csr", timed([this] { multiply(a_, x_, y_); })}};
    for (std::size_t i = 0; i < plans_.size(); ++i)
      contestants.push_back({trial_.all[i].layout, timed([this, i] { multiply(plans_[i], x_, y_, memory_); })});
    const std::size_t first_loop = contestants.size();
    const buffer<Value> expanded = expanded_values(a_);  // a plain loop reads one value per entry
    const Value* const values = a_.values.iso ? expanded.data() : a_.values.data.data();
    const auto add_loop = [&](int threads) {
      contestants.push_back({"loop", timed([this, values, threads] {
                               measure::plain_loop(a_.rows, a_.row_offsets.data(), a_.columns.data(), values, x_.data(),
                                                   y_.data(), threads);
                             })});
    };
    add_loop(omp_get_max_threads());
    if (omp_get_max_threads() > 1 && a_.nnz() <= entries_for_one_thread) add_loop(1);
    measure::interleave_options options;
    options.seconds = seconds;
    options.least_rounds = fewest_rounds;
    options.most_retakes_in_all = 2 * fewest_rounds;
    options.report = bar_.callback();
    const std::vector<measure::samples> taken = measure::interleave(contestants, options);
    trial_.plain_seconds = measure::median(taken[0].seconds);
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      trial_.all[i].seconds = measure::median_estimate(taken[i + 1].seconds);
      trial_.all[i].disturbed = taken[i + 1].disturbed;
    }
    // Against the faster loop.
    for (std::size_t i = first_loop; i < taken.size(); ++i) {
      const measure::estimate gain = measure::ratio_estimate(taken[i].seconds, taken[1].seconds);
      if (i == first_loop || gain.median < trial_.gain.median) trial_.gain = gain;
    }
  }

  static std::function<double(int)> timed(std::function<void()> product) {
    return [product = std::move(product)](int times) {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < times; ++i) product();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / times;
    };
  }

  const csr_matrix<Value, Index>& a_;
  const plan_options& options_;
  progress_bar bar_;
  buffer<Value> x_;
  buffer<Value> y_;
  buffer<Value> reference_;
  workspace memory_;
  std::vector<plan<Value, Index>> plans_;
  std::vector<std::string> remarks_;
  plan_trial trial_;
};

/// Loads one case and tries its candidates.
plan_trial tried(const bench_request& request, const plan_case& one, const plan_options& options) {
  source_options source = request.source;
  source.matrix = one.matrix;
  source.values = one.values;
  loaded from = load(source, request.common);
  const any_csr matrix = with_type(std::move(from.matrix), request.type);
  plan_trial trial = std::visit(
      [&]<class Matrix>(const Matrix& a) {
        if (a.nnz() == 0) throw error(errc::invalid_argument, "a matrix without entries cannot be benchmarked");
        plan_bench<typename Matrix::value_type, typename Matrix::index_type> bench(a, options, request.common.quiet);
        plan_trial result = bench.run(request.seconds.value_or(usual_seconds));
        if (!request.common.quiet)
          for (const std::string& remark : bench.remarks()) complain(from.name + ": " + remark);
        return result;
      },
      matrix);
  trial.matrix = from.name;
  trial.values = one.values;
  return trial;
}

}  // namespace

layout_request layout_named(std::string_view name) {
  layout_request asked;
  std::string_view rest;
  for (const plan_layout layout : plan_layouts)
    if (name.starts_with(name_of(layout))) {
      asked.layout = layout;
      rest = name.substr(name_of(layout).size());
    }
  if (asked.layout == plan_layout::staged) asked.column_blocks = rest.ends_with(" by frequency") ? 1 : 2;
  if (asked.layout != plan_layout::sell) return asked;
  asked.column_blocks = 1;
  // A number right after the name and a dash is the height of slices; the next one counts ranges of columns.
  constexpr std::string_view digits = "0123456789";
  if (rest.starts_with('-')) rest.remove_prefix(std::min(rest.find_first_not_of(digits, 1), rest.size()));
  rest.remove_prefix(std::min(rest.find_first_of(digits), rest.size()));
  static_cast<void>(std::from_chars(rest.data(), rest.data() + rest.size(), asked.column_blocks));
  return asked;
}

void bench_plans(const bench_request& request, const std::vector<plan_case>& cases, const plan_options& options) {
  const plan_table table(cases, terminal_of(1));
  const auto show = [&](const std::string& text) {
    if (request.common.json) return;
    print_screen(text);
    flush_output();
  };
  show(table.head());
  std::vector<plan_trial> trials;
  for (const plan_case& one : cases) {
    if (one.entries * bytes_of_entry * copies_at_once > std::min(memory_of_machine().available, usable_memory())) {
      if (!request.common.quiet) complain(one.matrix + " is left out: there is not enough memory for it");
      continue;
    }
    trials.push_back(tried(request, one, options));
    show(table.line(trials.back()));
  }
  if (trials.empty()) throw error(errc::out_of_memory, "no matrix of the list fits in memory; name smaller ones");
  show(table.summary(trials));
  if (request.common.json)
    print(plan_trials_json(trials, omp_get_max_threads(), options.machine ? options.machine->source : "built in"));
}

}  // namespace lacis::app

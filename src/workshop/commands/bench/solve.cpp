// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The work of solvers done by everyone, compared and measured.
#include "commands/bench/solve.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <omp.h>
#include <tuple>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/structure.hpp>

#include "commands/bench/peers.hpp"
#include "commands/bench/solve_tasks.hpp"
#include "console/progress_bar.hpp"
#include "measure/interleave.hpp"
#include "measure/matrix_file.hpp"

namespace lacis::app {
namespace {

/// One task on one matrix, from the first try to the report.
template <class Value, class Index> class contest {
 public:
  contest(const solve_bench_settings& settings, const std::string& name, const csr_matrix<Value, Index>& a)
      : settings_(settings), bar_(settings.quiet) {
    bar_.announce("preparing");
    task_ = make_solve_task(settings.operation, a);
    report_.operation = settings.operation;
    report_.matrix = name;
    report_.rows = a.rows;
    report_.entries = a.nnz();
    report_.value_type = type_name<Value>();
    report_.unit = task_->unit();
    report_.steps = task_->steps();
    report_.threads = omp_get_max_threads();
    report_.notes = task_->notes();
  }

  solve_bench_report run() {
    if (!settings_.peers.empty()) start_peers();
    measure_all();
    return std::move(report_);
  }

 private:
  void start_peers() {
    const measure::peer_command command = measure::find_peers(std::filesystem::read_symlink("/proc/self/exe"));
    bar_.announce("writing the matrix for the peers");
    measure::exchange_file file(measure::matrix_file_bytes(task_->matrix()));
    measure::write_matrix<Value, Index>(file, task_->matrix(), task_->vector());
    for (const std::string& name : settings_.peers) {
      bar_.announce("comparing with " + name);
      try {
        auto process = std::make_unique<measure::peer>(name, command, report_.threads, settings_.operation);
        (void)process->load(file.path());
        if (task_->steps() > 1) process->steps(task_->steps());
        if (task_->result_size() > 0) require_correct(*process);
        peers_.push_back(std::move(process));
      } catch (const error& problem) {
        report_.remarks.emplace_back(problem.what());
      }
    }
  }

  void require_correct(measure::peer& process) const {
    buffer<Value> theirs(task_->result_size());
    const auto bytes = std::as_writable_bytes(std::span<Value>(theirs));
    const measure::exchange_file result(static_cast<std::int64_t>(bytes.size()));
    process.product(result.path());
    result.read(bytes);
    if (const std::string fault = task_->fault_of(theirs); !fault.empty())
      throw error(errc::unsupported, process.name() + ": its result is wrong: " + fault);
  }

  void measure_all() {
    std::vector<measure::contestant> contestants = {{"lacis", [this](int times) { return task_->run(times); }}};
    if (task_->has_plain_loop())
      contestants.push_back({"plain loop", [this](int times) { return task_->run_plain_loop(times); }});
    const std::size_t own = contestants.size();
    std::vector<std::string> failures(peers_.size());
    for (std::size_t i = 0; i < peers_.size(); ++i) contestants.push_back(contestant_of(*peers_[i], failures[i]));
    measure::interleave_options options;
    options.seconds = settings_.seconds;
    options.least_rounds = 5;  // some samples take seconds, and are long enough to bear a disturbance
    options.most_retakes = 1;
    options.most_retakes_in_all = 5;
    options.report = bar_.callback();
    const std::vector<measure::samples> taken = measure::interleave(contestants, options);
    report_.rounds = static_cast<int>(taken[0].seconds.size());
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (i >= own && !failures[i - own].empty()) {
        report_.remarks.push_back(failures[i - own]);
        continue;
      }
      solve_bench_entry entry;
      entry.name = contestants[i].name;
      entry.is_peer = i >= own;
      if (entry.is_peer) entry.version = peers_[i - own]->version();
      const bool has_one_thread = entry.name == "plain loop" || entry.name == "scipy" ||
                                  (entry.name == "eigen" && settings_.operation != "cg") ||
                                  (entry.name == "mkl" && settings_.operation == "ilu0");
      entry.threads = has_one_thread ? 1 : report_.threads;
      entry.seconds = measure::median_estimate(taken[i].seconds);
      entry.disturbed = taken[i].disturbed;
      entry.retaken = taken[i].retaken;
      entry.gain = measure::ratio_estimate(taken[i].seconds, taken[0].seconds);
      report_.results.push_back(std::move(entry));
    }
    std::sort(report_.results.begin(), report_.results.end(),
              [](const solve_bench_entry& x, const solve_bench_entry& y) {
                return std::tie(x.seconds.median, x.name) < std::tie(y.seconds.median, y.name);
              });
  }

  const solve_bench_settings& settings_;
  progress_bar bar_;
  std::unique_ptr<solve_task<Value, Index>> task_;
  std::vector<std::unique_ptr<measure::peer>> peers_;
  solve_bench_report report_;
};

/// A value for every entry, for work that has none without.
template <class Value, class Index> csr_matrix<Value, Index> spread(csr_matrix<Value, Index> a) {
  if (!a.values.iso) return a;
  values_array<Value> all(a.nnz());
  for (std::int64_t k = 0; k < a.nnz(); ++k) all.data[k] = a.values[k];
  a.values = std::move(all);
  return a;
}

}  // namespace

const std::vector<std::string>& solve_bench_operations() {
  static const std::vector<std::string> all = {"cg", "pagerank", "trsv", "ilu0", "ic0"};
  return all;
}

solve_bench_report bench_solve(const solve_bench_settings& settings, const std::string& name, const any_csr& matrix) {
  return std::visit(
      [&]<class Matrix>(const Matrix& given) {
        using Value = typename Matrix::value_type;
        using Index = typename Matrix::index_type;
        const bool is_canonical_already = is_canonical(given);
        if (settings.operation == "pagerank" && is_canonical_already) {
          if constexpr (std::is_same_v<Value, double>)
            return contest<Value, Index>(settings, name, given).run();
          else
            throw error(errc::invalid_argument, "PageRank is measured in double; leave --type out");
        }
        const Matrix a = spread(is_canonical_already ? given : canonical(given));
        return contest<Value, Index>(settings, name, a).run();
      },
      matrix);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis solve: a system of equations, by the method that suits it.
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <omp.h>

#include <lacis/error.hpp>
#include <lacis/hash.hpp>
#include <lacis/multiply.hpp>
#include <lacis/rank_error.hpp>
#include <lacis/solve_direct.hpp>
#include <lacis/structure.hpp>

#include "commands/cluster/cluster.hpp"
#include "commands/machine/topology.hpp"
#include "commands/matrix/facts.hpp"
#include "commands/solve/findings.hpp"
#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/interrupt.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "input/load.hpp"
#include "input/vector_file.hpp"
#include "parse/commands.hpp"
#include "parse/suggest.hpp"
#include "plot/convergence.hpp"

namespace lacis::app {
namespace {

/// The element of an enumeration that has a name; says which names there are otherwise.
template <class Kind, std::size_t Count> Kind parse_kind(const std::string& name, const char* what) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < Count; ++i) {
    if (name_of(static_cast<Kind>(i)) == name) return static_cast<Kind>(i);
    known.emplace_back(name_of(static_cast<Kind>(i)));
  }
  throw error(errc::invalid_argument,
              fmt::format("there is no {} '{}'{} (see 'lacis help solve')", what, name, did_you_mean(name, known)));
}

auto_options options_of(const solve_request& request) {
  auto_options options;
  options.solve.tolerance = request.tolerance;
  options.solve.max_iterations = request.max_iterations;
  options.solve.restart = request.restart;
  options.solve.checkpoint = request.checkpoint;
  options.solve.checkpoint_every = request.every;
  options.solve.keep_checkpoint = true;  // until x is written
  options.device = device_named(request.device);
  options.mixed = request.mixed;
  options.direct = request.method == "direct";
  if (!request.method.empty() && request.method != "auto" && !options.direct)
    options.method = parse_kind<solve_method, solve_methods>(request.method, "method");
  options.no_preconditioner = request.preconditioner == "none";
  if (!request.preconditioner.empty() && request.preconditioner != "auto" && !options.no_preconditioner)
    options.preconditioner =
        parse_kind<preconditioner_kind, preconditioner_kinds>(request.preconditioner, "preconditioner");
  return options;
}

/// One line on standard error that follows the residual, or a line for every iteration.
class follower {
 public:
  follower(const solve_request& request, const terminal& where)
      : every_(request.monitor),
        live_(!request.monitor && !request.common.quiet && where.rewrites),
        where_(where),
        goal_(request.tolerance) {}
  ~follower() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  follower(const follower&) = delete;
  follower& operator=(const follower&) = delete;

  bool operator()(const solve_progress& now) {
    throw_if_interrupted();
    if (every_) std::fputs(fmt::format("{:>8}  {:.6e}\n", now.iteration, now.residual).c_str(), stderr);
    if (!live_) return true;
    if (now.iteration != last_iteration_ + 1) residuals_.clear();  // another method's turn
    last_iteration_ = now.iteration;
    residuals_.push_back(now.residual);
    const auto time = clock::now();
    if (time - last_ < std::chrono::milliseconds(100)) return true;
    last_ = time;
    shown_ = true;
    const std::string words = fmt::format("iteration {}  residual {:.2e}  ", now.iteration, now.residual);
    const auto room = static_cast<std::size_t>(std::max(8, where_.columns - static_cast<int>(words.size()) - 2));
    std::fputs(("\r\x1b[K" + words +
                plot::convergence_spark(residuals_, std::min<std::size_t>(room, 50), goal_, where_.unicode))
                   .c_str(),
               stderr);
    return true;
  }

 private:
  using clock = std::chrono::steady_clock;
  bool every_;
  bool live_;
  terminal where_;
  double goal_;
  std::vector<double> residuals_;
  std::int64_t last_iteration_ = 0;
  clock::time_point last_ = clock::now();
  bool shown_ = false;
};

template <class Vector> void require_finite(const std::string& name, const Vector& b) {
  for (std::int64_t i = 0; i < b.size(); ++i)
    if (!std::isfinite(std::real(b[i])) || !std::isfinite(std::imag(b[i])))
      throw error(errc::bad_input, fmt::format("{}: element {} of the right-hand side is not finite", name, i + 1));
}

template <class T, class Index> void require_finite_entries(const std::string& name, const csr_matrix<T, Index>& a) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (const T entry = a.values[k]; !std::isfinite(std::real(entry)) || !std::isfinite(std::imag(entry)))
        throw error(errc::bad_input, fmt::format("{}: the entry of row {} and column {}, counted from 1, is not finite",
                                                 name, i + 1, a.columns[k] + 1));
}

/// The state of a system that is solved is of no use once x is where it was asked for.
void remove_states(const solve_request& request, const solve_findings& found) {
  const solve_report& report = found.report.result();
  if (!request.checkpoint.empty() && report.converged()) remove_checkpoint(request.checkpoint, report.system);
}

/// b from a file, or A times ones.
template <class T, class Index>
std::vector<T> right_side(const solve_request& request, const csr_matrix<T, Index>& a, solve_findings& found) {
  std::vector<T> b(static_cast<std::size_t>(a.rows));
  if (request.b.empty()) {
    found.right_side = "A times ones";
    const std::vector<T> ones(static_cast<std::size_t>(a.cols), T(1));
    multiply(a, ones, b);
    return b;
  }
  found.right_side = shown(request.b);
  std::visit(
      [&](const auto& given) {
        using From = typename std::decay_t<decltype(given)>::value_type;
        if (given.size() != a.rows)
          throw error(errc::bad_input,
                      fmt::format("{}: {} numbers for a matrix of {} rows", request.b, given.size(), a.rows));
        if constexpr (is_complex<From> && !is_complex<T>)
          throw error(errc::bad_input, request.b + " is complex, the matrix is not; give --type complex-double");
        else
          for (std::int64_t i = 0; i < given.size(); ++i) b[static_cast<std::size_t>(i)] = static_cast<T>(given[i]);
        require_finite(request.b, given);
      },
      read_vector(request.b, request.source, request.common));
  return b;
}

template <class T, class Index>
void solve_and_tell(const solve_request& request, csr_matrix<T, Index> a, solve_findings& found) {
  if (!is_canonical(a)) a = canonical(a);
  require_finite_entries(found.matrix, a);
  found.rows = a.rows;
  found.cols = a.cols;
  found.entries = a.nnz();
  found.value_type = type_name<T>();
  const std::vector<T> b = right_side(request, a, found);
  std::vector<T> x(static_cast<std::size_t>(a.cols), T(0));
  auto_options options = options_of(request);
  {
    follower follow(request, terminal_of(2));
    options.solve.monitor = [&](const solve_progress& now) { return follow(now); };
    found.report = solve_auto(a, std::span<const T>(b), std::span<T>(x), options);
  }
  found.hash = solution_hash(x);
  if (!request.output.empty()) write_vector<T>(request.output, x);
}

/// What may help where nothing did.
std::string advice_for(const solve_request& request, const auto_report& report) {
  const solve_outcome outcome = report.result().outcome;
  if (outcome == solve_outcome::out_of_range) return "multiply A or b by a power of ten and divide x by it afterwards";
  if (report.attempts.back().choice.direct) return "a singular matrix may have a least-squares solution: --method lsqr";
  if (!report.facts.square)
    return "least squares end where the residual cannot be smaller: b may be out of the reach of A";
  if (!request.method.empty() && request.method != "auto") return "try --method auto, or --method direct";
  if (outcome == solve_outcome::iterations && request.max_iterations > 0) return "allow more with --max-iterations";
  return std::string(has_direct_solver() ? "try --method direct" : "scale the rows of A") +
         "; where A is singular --method lsqr takes least squares for an answer";
}

void require_sense(const solve_request& request) {
  require_one_standard_input(request.source, request.b);
  const int outputs = (request.output == "-" ? 1 : 0) + (request.svg == "-" ? 1 : 0) + (request.common.json ? 1 : 0);
  if (outputs > 1) throw error(errc::invalid_argument, "--json, --svg - and -o - all want standard output; name files");
  if (!request.checkpoint.empty() && (request.method.empty() || request.method == "auto"))
    throw error(errc::invalid_argument, "a checkpoint is of one method; name it with --method");
  if (request.every < 1) throw error(errc::invalid_argument, "--every counts iterations: 1 or more");
  if (request.mixed && (!request.checkpoint.empty() || request.method == "direct"))
    throw error(errc::invalid_argument,
                "--mixed goes neither with --checkpoint nor with --method direct; leave one out");
  if (request.method == "direct" && (!request.checkpoint.empty() || request.device != "cpu"))
    throw error(errc::invalid_argument, "--method direct knows neither checkpoints nor devices; leave them out");
  static_cast<void>(options_of(request));
}

/// Prints what was found; says how to go on where nothing was solved.
void tell(const solve_request& request, const solve_findings& found) {
  if (!request.svg.empty()) write_file(request.svg, solve_svg(found));
  const bool output_is_taken = request.output == "-" || request.svg == "-";
  if (request.common.json)
    print(solve_json(found));
  else if (!output_is_taken)
    print_screen(solve_screen(found, request.profile, terminal_of(1)));
  else if (!request.common.quiet)
    std::fputs(solve_screen(found, request.profile, terminal_of(2)).c_str(), stderr);
  flush_output();
}

void require_converged(const solve_request& request, const solve_findings& found) {
  if (!found.report.result().converged())
    throw not_converged(fmt::format("not solved: {}; the true residual is {:.2e}, {:.0e} was asked for; {}",
                                    found.report.result().reason, found.report.result().true_residual,
                                    request.tolerance, advice_for(request, found.report)));
}

/// On the processes that mpirun has started; the first one tells.
void solve_on_cluster(const solve_request& request) {
  on_cluster(request.common, [&](dist::cluster& processes) {
    const bool is_first = processes.rank() == 0;
    auto_options options = options_of(request);
    if (options.device.kind != device_kind::cpu)
      throw error(errc::unsupported, "--mpi solves on processors; leave --device out");
    if (options.direct || options.mixed)
      throw error(errc::unsupported,
                  "--mpi knows neither whole factors nor mixed precision; leave --method direct and --mixed out");
    any_vector b;
    processes.together([&] {
      if (!request.b.empty()) b = read_vector(request.b, request.source, {.quiet = true});
      std::visit([&](const auto& given) { require_finite(request.b, given); }, b);
    });
    dist::spread_solution solution;
    {
      solve_request quiet = request;
      quiet.common.quiet = quiet.common.quiet || !is_first;
      quiet.monitor = quiet.monitor && is_first;
      follower follow(quiet, terminal_of(2));
      options.solve.monitor = [&](const solve_progress& now) { return follow(now); };
      try {
        solution = processes.solve(named(request.source, request.source.matrix, request.type),
                                   request.b.empty() ? nullptr : &b, options, !request.output.empty());
      } catch (const rank_error& problem) {
        const bool is_for_parts =
            options.preconditioner == preconditioner_kind::ilu0 || options.preconditioner == preconditioner_kind::ic0;
        if (problem.code() != errc::unsupported || !is_for_parts) throw;
        throw rank_error(problem.code(),
                         std::string(problem.what()) + " ('lacis reorder A --parts 64 -o B.csr' cuts and stores)",
                         problem.rank(), problem.ranks());
      }
    }
    solve_findings found;
    found.matrix = shown(request.source.matrix);
    found.right_side = request.b.empty() ? "A times ones" : request.b;
    found.rows = solution.facts.rows;
    found.cols = solution.facts.cols;
    found.entries = solution.facts.entries;
    found.value_type = solution.facts.value_type;
    found.threads = solution.facts.threads;
    found.cluster = solution.facts;
    found.tolerance = request.tolerance;
    found.report = std::move(solution.report);
    found.hash = solution.hash;
    found.read_seconds = solution.facts.read_seconds;
    if (is_first && !request.output.empty())
      std::visit(
          [&](const auto& x) { write_vector(request.output, std::span(x.data(), static_cast<std::size_t>(x.size()))); },
          std::as_const(solution.x));
    if (is_first) tell(request, found);
    if (is_first) remove_states(request, found);
    require_converged(request, found);
  });
}

}  // namespace

void run_solve(const solve_request& request) {
  require_sense(request);
  if (request.common.mpi) return solve_on_cluster(request);
  use_threads(request.common.threads);
  const interrupt_guard guard;  // a checkpoint that is being written must not stay behind torn
  loaded source = load(request.source, request.common);
  solve_findings found;
  found.matrix = source.name;
  found.read_seconds = source.seconds;
  found.threads = omp_get_max_threads();
  found.tolerance = request.tolerance;
  if (request.device != "cpu")
    found.device = request.device;
  else
    found.cache_bytes = topology_of_machine().last_level_bytes();
  std::visit([&](auto a) { solve_and_tell(request, std::move(a), found); },
             with_type(std::move(source.matrix), request.type));
  tell(request, found);
  remove_states(request, found);
  require_converged(request, found);
}

}  // namespace lacis::app

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
#include <lacis/facts.hpp>
#include <lacis/hash.hpp>
#include <lacis/multiply.hpp>
#include <lacis/rank_error.hpp>
#include <lacis/solve_direct.hpp>
#include <lacis/structure.hpp>

#include "commands/cluster/cluster.hpp"
#include "commands/machine/topology.hpp"
#include "commands/solve/findings.hpp"
#include "commands/solve/follower.hpp"
#include "commands/solve/multigrid_choice.hpp"
#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/interrupt.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "input/in_type.hpp"
#include "input/load.hpp"
#include "input/operands.hpp"
#include "input/vector_file.hpp"
#include "parse/command.hpp"
#include "parse/kind.hpp"
#include "parse/shared_options.hpp"
#include "plot/convergence.hpp"

namespace lacis::app {
namespace {

struct solve_request {
  common_options common;
  source_options source;
  std::string b;               ///< a file; empty: A times the vector of ones
  std::string output;          ///< a file for x, "-", or empty
  std::string method;          ///< a name or direct; empty or auto: chosen
  std::string preconditioner;  ///< a name or none; empty or auto: chosen
  multigrid_choice multigrid;  ///< of amg
  std::string type;            ///< of the values; empty: as in the file
  std::string device = "cpu";
  double tolerance = tolerance_of_type;
  std::int64_t max_iterations = 0;
  int restart = 50;
  std::string checkpoint;  ///< a directory, or empty
  std::int64_t every = 100;
  std::string svg;  ///< a file for the picture, "-", or empty
  bool mixed = false;
  bool monitor = false;
  bool profile = false;
  bool view = false;
};

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
    options.method = parse_kind<solve_method, solve_methods>(request.method, "method", "solve", {"auto", "direct"});
  options.no_preconditioner = request.preconditioner == "none";
  if (!request.preconditioner.empty() && request.preconditioner != "auto" && !options.no_preconditioner)
    options.preconditioner = parse_kind<preconditioner_kind, preconditioner_kinds>(
        request.preconditioner, "preconditioner", "solve", {"auto", "none"});
  options.multigrid = multigrid_options_of(request.multigrid, request.preconditioner, "solve");
  return options;
}

/// The residual to reach with values of that type, as --type spells it.
double goal_of(const solve_request& request, std::string_view type) {
  if (request.tolerance != tolerance_of_type) return request.tolerance;
  return type.ends_with("float") ? default_tolerance<float> : default_tolerance<double>;
}

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

/// b from a file, or A times the vector of ones.
template <class T, class Index>
std::vector<T> right_side(const solve_request& request, const csr_matrix<T, Index>& a, solve_findings& found) {
  std::vector<T> b(static_cast<std::size_t>(a.rows));
  if (request.b.empty()) {
    found.right_side = "A times the vector of ones";
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
        else {
          require_in_type<T>(request.b, given);
          for (std::int64_t i = 0; i < given.size(); ++i) b[static_cast<std::size_t>(i)] = static_cast<T>(given[i]);
        }
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
  if (const auto wanted = options_of(request);
      wanted.direct || (wanted.method && !traits_of(*wanted.method).least_squares))
    require_square(found.matrix, a.rows, a.cols, request.method);
  found.tolerance = goal_of(request, found.value_type);
  const std::vector<T> b = right_side(request, a, found);
  std::vector<T> x(static_cast<std::size_t>(a.cols), T(0));
  auto_options options = options_of(request);
  {
    follower follow(request.monitor, request.common.quiet, found.tolerance, terminal_of(2));
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
  if (!report.facts.square) return "b may not be in the range of A; least squares end at the smallest residual";
  if (!request.method.empty() && request.method != "auto") {
    const method_traits& method = traits_of(report.attempts.back().choice.method);
    return (method.for_hermitian && !report.facts.hermitian
                ? fmt::format("{} needs a Hermitian matrix (with real values a symmetric one), and A is not; ",
                              method.name)
                : "") +
           (has_direct_solver() ? "try --method auto, or --method direct" : "try --method auto");
  }
  if (outcome == solve_outcome::max_iterations && request.max_iterations > 0) return "allow more with --max-iterations";
  return std::string(has_direct_solver() ? "try --method direct" : "scale the rows of A") +
         "; where A is singular --method lsqr gives a least-squares solution";
}

void require_sense(const solve_request& request) {
  require_one_standard_input(request.source, request.b);
  const int outputs = (request.output == "-" ? 1 : 0) + (request.svg == "-" ? 1 : 0) + (request.common.json ? 1 : 0);
  if (outputs > 1)
    throw error(errc::invalid_argument, "--json, --svg - and -o - all write to standard output; write them to files");
  if (!request.checkpoint.empty() && (request.method.empty() || request.method == "auto"))
    throw error(errc::invalid_argument, "--checkpoint needs a named method; give --method");
  if (request.every < 1) throw error(errc::invalid_argument, "--every must be at least 1");
  if (request.mixed && (!request.checkpoint.empty() || request.method == "direct"))
    throw error(errc::invalid_argument,
                "--mixed cannot be combined with --checkpoint or --method direct; leave one out");
  const bool has_preconditioner = !request.preconditioner.empty() && request.preconditioner != "auto";
  if (request.method == "direct" &&
      ((has_preconditioner && request.preconditioner != "none") || request.max_iterations > 0))
    throw error(errc::invalid_argument,
                "--method direct uses neither --preconditioner nor --max-iterations; leave them out");
  if (request.method == "direct" && (!request.checkpoint.empty() || request.device != "cpu"))
    throw error(errc::invalid_argument, "--method direct supports neither --checkpoint nor --device; leave them out");
  static_cast<void>(options_of(request));
}

/// Prints what was found; says how to go on where nothing was solved.
void tell(const solve_request& request, const solve_findings& found) {
  if (!request.svg.empty()) write_file(request.svg, solve_svg(found));
  const bool output_is_taken = request.output == "-" || request.svg == "-";
  if (request.common.json)
    print(solve_json(found));
  else if (!output_is_taken)
    print_screen(solve_screen(found, {request.view, request.profile}, terminal_of(1)));
  else if (!request.common.quiet)
    std::fputs(solve_screen(found, {request.view, request.profile}, terminal_of(2)).c_str(), stderr);
  flush_output();
}

void require_converged(const solve_request& request, const solve_findings& found) {
  if (!found.report.result().converged())
    throw not_converged(fmt::format("not solved: {}; the true residual is {:.2e}, the tolerance {:.0e}; {}",
                                    found.report.result().reason, found.report.result().true_residual, found.tolerance,
                                    advice_for(request, found.report)));
}

/// On the processes that mpirun has started; the first rank prints.
void solve_on_cluster(const solve_request& request) {
  on_cluster(request.common, [&](cluster& processes) {
    const bool is_first = processes.rank() == 0;
    auto_options options = options_of(request);
    if (options.device.kind != device_kind::cpu)
      throw error(errc::unsupported, "--mpi solves on processors; leave --device out");
    if (options.direct || options.mixed)
      throw error(errc::unsupported,
                  "--mpi supports neither direct solvers nor mixed precision; leave --method direct and --mixed out");
    any_vector b;
    processes.together([&] {
      if (!request.b.empty()) b = read_vector(request.b, request.source, {.quiet = true});
      std::visit([&](const auto& given) { require_finite(request.b, given); }, b);
    });
    spread_solution solution;
    {
      follower follow(request.monitor && is_first, request.common.quiet || !is_first, goal_of(request, request.type),
                      terminal_of(2));
      options.solve.monitor = [&](const solve_progress& now) { return follow(now); };
      try {
        solution = processes.solve(named(request.source, request.source.matrix, request.type),
                                   request.b.empty() ? nullptr : &b, options, !request.output.empty());
      } catch (const rank_error& problem) {
        const bool is_for_parts =
            options.preconditioner && traits_of(*options.preconditioner).on_ranks == rank_work::parts;
        if (problem.code() != errc::unsupported || !is_for_parts) throw;
        throw rank_error(problem.code(),
                         std::string(problem.what()) + " ('lacis reorder A --parts 64 -o B.csr' makes parts)",
                         problem.rank(), problem.ranks());
      }
    }
    solve_findings found;
    found.matrix = shown(request.source.matrix);
    found.right_side = request.b.empty() ? "A times the vector of ones" : request.b;
    found.rows = solution.facts.rows;
    found.cols = solution.facts.cols;
    found.entries = solution.facts.entries;
    found.value_type = solution.facts.value_type;
    found.threads = solution.facts.threads;
    found.cluster = solution.facts;
    found.tolerance = goal_of(request, found.value_type);
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

void add_options(option_list& options, solve_request& request) {
  constexpr std::uint64_t most_iterations = std::uint64_t{1} << 60;
  add_matrix(options, request.source);
  options
      .add("B", request.b,
           "right-hand side b: a matrix file of one column, or a text file with one number per line; - for standard "
           "input")
      .otherwise("A times the vector of ones")
      .names_file(file_use::read_vector);
  options.add("-o,--output FILE", request.output, "write x, one number per line; - is standard output")
      .names_file(file_use::write);
  options
      .add("--method auto|" + names_of_kind<solve_method, solve_methods>() + "|direct", request.method,
           "method; auto tries others where one fails; direct: sparse LU or Cholesky")
      .otherwise("auto");
  options
      .add("--preconditioner auto|none|" + names_of_kind<preconditioner_kind, preconditioner_kinds>(),
           request.preconditioner, "preconditioner; amg is algebraic multigrid")
      .otherwise("auto");
  add_multigrid(options, request.multigrid);
  options.add("--tolerance R", request.tolerance, "relative residual to reach, |b - A x| / |b|")
      .reals(0.0, 1.0)
      .otherwise("1e-8, in single precision 1e-4");
  options.add("--max-iterations N", request.max_iterations, "maximum number of iterations")
      .integers(1, most_iterations)
      .otherwise("10 n");
  std::vector<std::string> restarted;
  for (const method_traits& method : all_method_traits)
    if (method.restarts) restarted.emplace_back(method.name);
  const std::string of_restarted = fmt::format("{}: restart length", fmt::join(restarted, ", "));
  restarted.insert(restarted.begin(), {"", "auto"});
  options.add("--restart N", request.restart, of_restarted).integers(1, 10000).needs("--method", restarted);
  options.add(with_choices("--device", device_names), request.device,
              "solve on this device: simt is the host executor, cuda:1 the second GPU");
  options.add("--checkpoint DIR", request.checkpoint,
              "save the state of a named method in this directory, and resume from it with the same bits");
  options.add("--every N", request.every, "iterations between checkpoints")
      .integers(1, most_iterations)
      .needs("--checkpoint");
  options.add("--svg FILE", request.svg, "also draw the convergence; - is standard output").names_file(file_use::write);
  options.add("--mixed", request.mixed, "mixed precision: inner solves in single, residuals in double");
  options.add("--view", request.view, "print the levels of multigrid and the time of each phase of its set-up")
      .needs("--preconditioner", {"", "auto", "amg"});
  options.add("--monitor", request.monitor, "print the residual of every iteration to standard error");
  options.add("--profile", request.profile, "print the time per operation and its share of memory bandwidth");
  add_type(options, request.type);
  add_mpi(options, request.common);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command solve_command() {
  return make_command<solve_request>(
      {.name = "solve",
       .group = command_group::compute,
       .summary = "solve A x = b; the method is chosen and explained",
       .about =
           "Determines properties of the matrix, chooses a method and a preconditioner, and explains the choice. A "
           "system counts as solved when the true residual |b - A x| / |b| is at most the tolerance; otherwise the "
           "exit status is 3 and a message suggests what to try. The bits of x do not depend on the number of "
           "threads or ranks.",
       .examples = {{"lacis solve @poisson3d:60 --profile", "a test problem, with the time per operation"},
                    {"lacis solve A.mtx b.txt -o x.txt", "a right-hand side from a file"}}},
      add_options, run_solve);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis eigs: a few eigenvalues of a symmetric or Hermitian matrix, with vectors and bounds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <omp.h>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/structure.hpp>

#include "commands/cluster/cluster.hpp"
#include "commands/solve/eigs_findings.hpp"
#include "commands/solve/multigrid_choice.hpp"
#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/interrupt.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "input/load.hpp"
#include "input/operands.hpp"
#include "input/vector_file.hpp"
#include "parse/command.hpp"
#include "parse/kind.hpp"
#include "parse/shared_options.hpp"
#include "ranks/eigen.hpp"

namespace lacis::app {
namespace {

struct eigs_request {
  common_options common;
  source_options source;
  std::int64_t pairs = 0;  ///< 0: the default
  std::string part = "smallest";
  std::string method;                   ///< a name; empty or auto: chosen
  std::string preconditioner = "none";  ///< a name or none
  multigrid_choice multigrid;           ///< of amg
  std::string device = "cpu";
  std::string type;    ///< of the values; empty: as in the file
  std::string output;  ///< a file for the vectors, "-", or empty
  double tolerance = 1e-8;
  std::int64_t max_iterations = 0;
  std::int64_t vectors = 0;
  std::string checkpoint;  ///< a directory, or empty
  std::int64_t every = 100;
  std::string svg;  ///< a file for the picture, "-", or empty
  bool profile = false;
};

/// One line on standard error that follows the iteration.
class eigen_line {
 public:
  eigen_line(std::int64_t pairs, bool quiet, const terminal& where)
      : pairs_(pairs),
        live_(!quiet && where.rewrites),
        columns_(static_cast<std::size_t>(std::max(1, where.columns - 1))) {}
  ~eigen_line() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  eigen_line(const eigen_line&) = delete;
  eigen_line& operator=(const eigen_line&) = delete;

  bool operator()(const eigen_progress& now) {
    throw_if_interrupted();
    const auto time = std::chrono::steady_clock::now();
    if (!live_ || time - last_ < std::chrono::milliseconds(100)) return true;
    last_ = time;
    shown_ = true;
    std::string words =
        fmt::format("iteration {}  {} of {} eigenvalues converged", now.iteration, now.converged, pairs_);
    if (std::isfinite(now.residual)) words += fmt::format("  largest relative residual {:.2e}", now.residual);
    std::fputs(("\r\x1b[K" + words.substr(0, columns_)).c_str(), stderr);
    return true;
  }

 private:
  std::int64_t pairs_;
  bool live_;
  std::size_t columns_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

eigen_options<double> eigen_options_of(const eigs_request& request) {
  eigen_options<double> options;
  options.part = parse_kind<eigen_part, eigen_parts>(request.part, "part of the spectrum", "eigs");
  if (!request.method.empty() && request.method != "auto")
    options.method = parse_kind<eigen_method, eigen_methods>(request.method, "method", "eigs", {"auto"});
  options.tolerance = request.tolerance;
  options.max_iterations = request.max_iterations;
  options.vectors = request.vectors;
  options.checkpoint = request.checkpoint;
  options.checkpoint_every = request.every;
  options.keep_checkpoint = true;  // until the vectors are written
  return options;
}

std::optional<preconditioner_options> eigen_preconditioner_of(const eigs_request& request) {
  preconditioner_options options;
  options.multigrid = multigrid_options_of(request.multigrid, request.preconditioner, "eigs");
  if (request.preconditioner == "none") return std::nullopt;
  options.kind =
      parse_kind<preconditioner_kind, preconditioner_kinds>(request.preconditioner, "preconditioner", "eigs", {"none"});
  options.device = device_named(request.device);
  return options;
}

double seconds_from(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class T, class Index>
void find_eigenvalues(const eigs_request& request, csr_matrix<T, Index> a, eigs_findings& found) {
  if (!is_canonical(a)) a = canonical(a);
  found.rows = a.rows;
  found.entries = a.nnz();
  found.value_type = type_name<T>();
  require_square(found.matrix, a.rows, a.cols, "eigs");
  if (!lacis::detail::facts_of(a.view()).hermitian)
    throw error(errc::bad_input, fmt::format("{} is not {}; eigenvalues of other matrices are not computed",
                                             found.matrix, is_complex<T> ? "Hermitian" : "symmetric"));
  const auto begin = std::chrono::steady_clock::now();
  auto options = options_for<T>(eigen_options_of(request));
  plan_options how;
  how.device = device_named(request.device);
  how.expected_uses = 500;
  // Without a preconditioner products take most of the time. Under the host executor timing takes longer than it saves.
  how.tune = request.preconditioner == "none" && how.device.kind == device_kind::cpu;
  const auto plan = multiply_inspect(a, how);
  found.layout = plan.layout();
  std::unique_ptr<preconditioner<T>> m;
  if (const auto wanted = eigen_preconditioner_of(request)) {
    m = make_preconditioner(a, *wanted);
    options.preconditioner = m;
    found.preconditioner = m->describe();
  }
  found.prepare_seconds = seconds_from(begin);
  eigen_result<T> result;
  {
    const std::int64_t pairs = pairs_of(request.pairs, a.rows);
    eigen_line follow(pairs, request.common.quiet, terminal_of(2));
    options.monitor = [&](const eigen_progress& now) { return follow(now); };
    result = eigs(plan, pairs, options);
  }
  throw_if_interrupted();  // while the residuals were computed
  if (!request.output.empty() && !result.values.empty())
    write_vector<T>(request.output, {result.vectors.data(), static_cast<std::size_t>(result.vectors.size())});
  found.result = without_vectors(result);
}

/// What both ways to run have in common.
eigs_findings findings_of(const eigs_request& request) {
  eigs_findings found;
  found.which = request.part;
  found.kind = request.preconditioner;
  found.tolerance = request.tolerance;
  return found;
}

void require_sense_of_eigs(const eigs_request& request) {
  const int outputs = (request.output == "-" ? 1 : 0) + (request.svg == "-" ? 1 : 0) + (request.common.json ? 1 : 0);
  if (outputs > 1)
    throw error(errc::invalid_argument, "--json, --svg - and -o - all write to standard output; write them to files");
  static_cast<void>(eigen_options_of(request));
  static_cast<void>(eigen_preconditioner_of(request));
}

/// Prints what was found. The state of a search that is done is of no use once its vectors are where they were asked
/// for.
void tell_eigs(const eigs_request& request, const eigs_findings& found) {
  if (!request.svg.empty()) write_file(request.svg, eigs_svg(found));
  if (request.common.json)
    print(eigs_json(found));
  else if (request.output != "-" && request.svg != "-")
    print_screen(eigs_screen(found, request.profile, terminal_of(1)));
  else if (!request.common.quiet)
    std::fputs(eigs_screen(found, request.profile, terminal_of(2)).c_str(), stderr);
  flush_output();
  if (!request.checkpoint.empty() && found.result.converged())
    remove_checkpoint(request.checkpoint, found.result.system);
}

void require_all_converged(const eigs_findings& found) {
  if (!found.result.converged())
    throw not_converged(std::ranges::count(found.result.is_converged, true) == std::ssize(found.result.is_converged)
                            ? found.result.reason
                            : fmt::format("not all eigenvalues converged: {}", found.result.reason));
}

/// On the processes that mpirun has started; the first rank prints.
void eigs_on_cluster(const eigs_request& request) {
  on_cluster(request.common, [&](cluster& processes) {
    const bool is_first = processes.rank() == 0;
    if (request.device != "cpu")
      throw error(errc::unsupported, "--mpi finds eigenvalues on processors; leave --device out");
    spread_eigen all;
    {
      eigen_line follow(pairs_of(request.pairs, default_pairs), request.common.quiet || !is_first, terminal_of(2));
      auto options = eigen_options_of(request);
      options.monitor = [&](const eigen_progress& now) { return follow(now); };
      all = processes.eigs(named(request.source, request.source.matrix, request.type), request.pairs, options,
                           eigen_preconditioner_of(request), !request.output.empty());
    }
    eigs_findings found = findings_of(request);
    found.matrix = shown(request.source.matrix);
    found.rows = all.facts.rows;
    found.entries = all.facts.entries;
    found.value_type = all.facts.value_type;
    found.threads = all.facts.threads;
    found.layout = all.facts.explanation;
    found.preconditioner = all.preconditioner;
    found.prepare_seconds = all.facts.prepare_seconds;
    found.cluster = all.facts;
    found.result = std::move(all.result);
    if (is_first && !request.output.empty() && !found.result.values.empty())
      std::visit(
          [&](const auto& x) { write_vector(request.output, std::span(x.data(), static_cast<std::size_t>(x.size()))); },
          std::as_const(all.vectors));
    if (is_first) tell_eigs(request, found);
    require_all_converged(found);
  });
}

void run_eigs(const eigs_request& request) {
  require_sense_of_eigs(request);
  if (request.common.mpi) return eigs_on_cluster(request);
  use_threads(request.common.threads);
  const interrupt_guard guard;  // a checkpoint that is being written must not stay behind torn
  loaded source = load(request.source, request.common);
  eigs_findings found = findings_of(request);
  found.matrix = source.name;
  found.threads = omp_get_max_threads();
  if (request.device != "cpu") found.device = request.device;
  any_csr typed = with_type(std::move(source.matrix), request.type);
  require_finite_values(typed, source.name);
  std::visit([&](auto& a) { find_eigenvalues(request, std::move(a), found); }, typed);
  tell_eigs(request, found);
  require_all_converged(found);
}

void add_eigs_options(option_list& options, eigs_request& request) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  add_matrix(options, request.source);
  options.add("-k,--pairs N", request.pairs, "number of eigenvalues")
      .integers(1, most)
      .otherwise("6, or all of a smaller matrix");
  options.add("--which " + names_of_kind<eigen_part, eigen_parts>(), request.part,
              "which eigenvalues: the lowest, the highest, half from each end, or those farthest from zero");
  options.add("--method auto|" + names_of_kind<eigen_method, eigen_methods>(), request.method, "method")
      .otherwise("lobpcg with a preconditioner, lanczos without");
  options.add("--preconditioner none|" + names_of_kind<preconditioner_kind, preconditioner_kinds>(),
              request.preconditioner, "preconditioner of lobpcg; it helps the smallest eigenvalues");
  add_multigrid(options, request.multigrid);
  options.add("--tolerance R", request.tolerance, "relative residual to reach, |A x - w x| / |w|").reals(0.0, 1.0);
  options.add("--max-iterations N", request.max_iterations, "maximum number of iterations")
      .integers(1, most)
      .otherwise("1000 with lobpcg, 5 n with lanczos");
  options.add("--vectors N", request.vectors, "vectors of the block (lobpcg) or of the basis (lanczos)")
      .integers(1, most)
      .otherwise("a few more than the pairs, or 20 more");
  options
      .add("-o,--output FILE", request.output,
           "write the vectors, one number per line, one vector after the other; - is standard output")
      .names_file(file_use::write);
  options.add(with_choices("--device", device_names), request.device,
              "compute on this device: simt is the host executor, cuda:1 the second GPU");
  options.add("--checkpoint DIR", request.checkpoint,
              "save the state in this directory, and resume from it with the same bits");
  options.add("--every N", request.every, "iterations between checkpoints").integers(1, most).needs("--checkpoint");
  options.add("--svg FILE", request.svg, "also draw the convergence; - is standard output").names_file(file_use::write);
  options.add("--profile", request.profile, "print the time per operation");
  add_type(options, request.type);
  add_mpi(options, request.common);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command eigs_command() {
  return make_command<eigs_request>(
      {.name = "eigs",
       .group = command_group::compute,
       .summary = "a few eigenvalues and vectors of a symmetric matrix, with bounds",
       .about =
           "Finds eigenvalues w and vectors x of a symmetric or Hermitian matrix. A pair counts as converged when the "
           "true residual |A x - w x|, with |x| = 1, is at most the tolerance times |w|, or ten times machine "
           "precision "
           "times |A|; where not all have converged, the exit status is 3. The matrix has an eigenvalue within the "
           "residual of w. The bits do not depend on the number of threads or ranks.",
       .examples = {{"lacis eigs @poisson2d:100 -k 4 --preconditioner ic0", "the smallest of a test problem"},
                    {"lacis eigs A.mtx -k 10 --which largest -o vectors.txt", "the largest, with their vectors"}}},
      add_eigs_options, run_eigs);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis eigs: a few eigenvalues of a symmetric or Hermitian matrix, with vectors and bounds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/precondition.hpp>
#include <lacis/structure.hpp>

#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/interrupt.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "input/load.hpp"
#include "input/vector_file.hpp"
#include "parse/command.hpp"
#include "parse/kind.hpp"
#include "parse/shared_options.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

struct eigs_request {
  common_options common;
  source_options source;
  std::int64_t pairs = 6;
  std::string part = "smallest";
  std::string method;                   ///< a name; empty or auto: chosen
  std::string preconditioner = "none";  ///< a name or none
  std::string device = "cpu";
  std::string type;    ///< of the values; empty: as in the file
  std::string output;  ///< a file for the vectors, "-", or empty
  double tolerance = 1e-8;
  std::int64_t max_iterations = 0;
  std::int64_t vectors = 0;
  bool profile = false;
};

/// The result without its vectors, of any type of values.
struct eigs_findings {
  std::string matrix;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::string value_type;
  std::string device;
  int threads = 1;
  std::string layout;
  std::string preconditioner;  ///< in words; empty: none
  double prepare_seconds = 0;  ///< of plan and preconditioner
  eigen_result<double> result;
};

/// One line on standard error that follows the iteration.
class eigen_line {
 public:
  eigen_line(std::int64_t pairs, bool quiet, const terminal& where) : pairs_(pairs), live_(!quiet && where.rewrites) {}
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
        fmt::format("\r\x1b[Kiteration {}  {} of {} eigenvalues converged", now.iteration, now.converged, pairs_);
    if (std::isfinite(now.residual)) words += fmt::format("  largest relative residual {:.2e}", now.residual);
    std::fputs(words.c_str(), stderr);
    return true;
  }

 private:
  std::int64_t pairs_;
  bool live_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

template <class T> eigen_options<T> eigen_options_of(const eigs_request& request) {
  eigen_options<T> options;
  options.part = parse_kind<eigen_part, eigen_parts>(request.part, "part of the spectrum", "eigs");
  if (!request.method.empty() && request.method != "auto")
    options.method = parse_kind<eigen_method, eigen_methods>(request.method, "method", "eigs");
  options.tolerance = request.tolerance;
  options.max_iterations = request.max_iterations;
  options.vectors = request.vectors;
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
  if (a.rows != a.cols)
    throw error(errc::bad_input,
                fmt::format("{}: eigenvalues need a square matrix, not one of {} x {}", found.matrix, a.rows, a.cols));
  if (!find_symmetry(a).hermitian)
    throw error(errc::bad_input, fmt::format("{} is not {}; eigenvalues of other matrices are not computed",
                                             found.matrix, is_complex<T> ? "Hermitian" : "symmetric"));
  const auto begin = std::chrono::steady_clock::now();
  auto options = eigen_options_of<T>(request);
  plan_options how;
  how.device = device_named(request.device);
  how.expected_uses = 500;
  const auto plan = multiply_inspect(a, how);
  found.layout = plan.layout();
  std::unique_ptr<preconditioner<T>> m;
  if (request.preconditioner != "none") {
    preconditioner_options kind;
    kind.kind = parse_kind<preconditioner_kind, preconditioner_kinds>(request.preconditioner, "preconditioner", "eigs");
    kind.device = how.device;
    m = make_preconditioner(a, kind);
    options.preconditioner = m;
    found.preconditioner = m->describe();
  }
  found.prepare_seconds = seconds_from(begin);
  eigen_result<T> result;
  {
    eigen_line follow(request.pairs, request.common.quiet, terminal_of(2));
    options.monitor = [&](const eigen_progress& now) { return follow(now); };
    result = eigs(plan, request.pairs, options);
  }
  if (!request.output.empty())
    write_vector<T>(request.output, {result.vectors.data(), static_cast<std::size_t>(result.vectors.size())});
  found.result = {result.outcome, result.values,     result.residuals, result.is_converged, {},
                  result.hash,    result.iterations, result.products,  result.method,       result.seconds,
                  result.reason,  result.shares};
}

std::string eigs_screen(const eigs_findings& found, const eigs_request& request, const terminal& where) {
  const painter paint{where.color};
  const eigen_result<double>& result = found.result;
  const auto line = [&](std::string_view name, const std::string& words) {
    return "  " + pad_right(name, 12) + wrapped(words, 14, static_cast<std::size_t>(where.columns)) + '\n';
  };
  const std::string place =
      found.device.empty() ? fmt::format("{} thread{}", found.threads, found.threads == 1 ? "" : "s") : found.device;
  std::string text =
      title_line(found.matrix,
                 fmt::format("{} {} {}, {} entries, {}; {}", plot::grouped(found.rows), where.unicode ? "×" : "x",
                             plot::grouped(found.rows), plot::grouped(found.entries), found.value_type, place),
                 where) +
      '\n';
  text += line("method", result.method == eigen_method::lobpcg
                             ? "lobpcg: locally optimal block preconditioned conjugate gradients"
                             : "lanczos: Lanczos with thick restarts");
  if (!found.preconditioner.empty()) text += line("", found.preconditioner);
  text += line("plan", fmt::format("{}, made in {}", found.layout, plot::duration_text(found.prepare_seconds)));
  const std::string outcome = fmt::format("{} after {} iterations and {} products in {}", name_of(result.outcome),
                                          plot::grouped(result.iterations), plot::grouped(result.products),
                                          plot::duration_text(result.seconds));
  text += line("result", result.converged() ? paint.green(outcome) : paint.red(outcome));
  text += line("hash", fmt::format("{:016x} of the vectors (same on every machine)", result.hash));
  if (result.values.empty()) return text;
  std::vector<cells> table = {{"", "eigenvalue", "residual |A x - w x|"}};
  if (!result.converged()) table[0].emplace_back("");
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    table.push_back(
        {std::to_string(i + 1), fmt::format("{:.12g}", result.values[i]), fmt::format("{:.2e}", result.residuals[i])});
    if (!result.converged()) table.back().emplace_back(result.is_converged[i] ? "converged" : "not converged");
  }
  const auto widths = widths_of(table);
  text += '\n';
  for (const cells& row : table) text += "  " + line_of(row, widths, 0) + '\n';
  text += "  " +
          paint.dim(wrapped("the matrix has an eigenvalue within each residual of the value before it, rounding errors "
                            "apart",
                            2, static_cast<std::size_t>(where.columns))) +
          '\n';
  if (request.profile) {
    std::vector<cells> shares = {{"operation", "calls", "time", ""}};
    for (const solve_share& one : result.shares)
      shares.push_back({one.operation, plot::grouped(one.calls), time_text(one.seconds, where.unicode),
                        fmt::format("{:.1f} %", 100 * one.seconds / result.seconds)});
    const auto room = widths_of(shares);
    text += '\n';
    for (const cells& row : shares) text += "  " + line_of(row, room) + '\n';
  }
  return text;
}

std::string eigs_json(const eigs_findings& found, const eigs_request& request) {
  using json = nlohmann::ordered_json;
  const eigen_result<double>& result = found.result;
  const auto number = [](double x) { return std::isfinite(x) ? json(x) : json(nullptr); };
  json pairs = json::array();
  for (std::size_t i = 0; i < result.values.size(); ++i)
    pairs.push_back({{"eigenvalue", number(result.values[i])},
                     {"residual", number(result.residuals[i])},
                     {"converged", static_cast<bool>(result.is_converged[i])}});
  json shares = json::array();
  for (const solve_share& one : result.shares)
    shares.push_back({{"operation", one.operation}, {"calls", one.calls}, {"seconds", one.seconds}});
  const json all = {{"matrix", found.matrix},
                    {"rows", found.rows},
                    {"entries", found.entries},
                    {"value_type", found.value_type},
                    {"device", found.device.empty() ? json("cpu") : json(found.device)},
                    {"threads", found.threads},
                    {"which", request.part},
                    {"method", name_of(result.method)},
                    {"preconditioner", found.preconditioner.empty() ? json(nullptr) : json(request.preconditioner)},
                    {"tolerance", request.tolerance},
                    {"outcome", name_of(result.outcome)},
                    {"converged", result.converged()},
                    {"iterations", result.iterations},
                    {"products", result.products},
                    {"prepare_s", found.prepare_seconds},
                    {"seconds", result.seconds},
                    {"layout", found.layout},
                    {"hash", fmt::format("{:016x}", result.hash)},
                    {"reason", result.reason},
                    {"pairs", pairs},
                    {"shares", shares}};
  return json_text(all);
}

void run_eigs(const eigs_request& request) {
  if (request.output == "-" && request.common.json)
    throw error(errc::invalid_argument, "--json and -o - both write to standard output; write one to a file");
  static_cast<void>(eigen_options_of<double>(request));
  use_threads(request.common.threads);
  loaded source = load(request.source, request.common);
  eigs_findings found;
  found.matrix = source.name;
  found.threads = omp_get_max_threads();
  if (request.device != "cpu") found.device = request.device;
  std::visit([&](auto a) { find_eigenvalues(request, std::move(a), found); },
             with_type(std::move(source.matrix), request.type));
  if (request.common.json)
    print(eigs_json(found, request));
  else if (request.output != "-")
    print_screen(eigs_screen(found, request, terminal_of(1)));
  else if (!request.common.quiet)
    std::fputs(eigs_screen(found, request, terminal_of(2)).c_str(), stderr);
  flush_output();
  if (!found.result.converged())
    throw not_converged(fmt::format("not all eigenvalues converged: {}", found.result.reason));
}

void add_eigs_options(option_list& options, eigs_request& request) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  add_matrix(options, request.source);
  options.add("-k,--pairs N", request.pairs, "number of eigenvalues").integers(1, most);
  options.add("--which " + names_of_kind<eigen_part, eigen_parts>(), request.part,
              "which eigenvalues: the lowest, the highest, half from each end, or those farthest from zero");
  options.add("--method auto|" + names_of_kind<eigen_method, eigen_methods>(), request.method, "method")
      .otherwise("lobpcg with a preconditioner, lanczos without");
  options.add("--preconditioner none|" + names_of_kind<preconditioner_kind, preconditioner_kinds>(),
              request.preconditioner, "preconditioner of lobpcg; it helps the smallest eigenvalues");
  options.add("--tolerance R", request.tolerance, "relative residual to reach, |A x - w x| / |w|").reals(0.0, 1.0);
  options.add("--max-iterations N", request.max_iterations, "maximum number of iterations")
      .integers(1, most)
      .otherwise("1000 with lobpcg, 10 n with lanczos");
  options.add("--vectors N", request.vectors, "vectors of the block (lobpcg) or of the basis (lanczos)")
      .integers(1, most)
      .otherwise("a few more than the pairs, or 20 more");
  options.add("-o,--output FILE", request.output,
              "write the vectors, one number per line, one vector after the other; - is standard output");
  options.add(with_choices("--device", device_names), request.device,
              "compute on this device: simt is the host executor, cuda:1 the second GPU");
  options.add("--profile", request.profile, "print the time per operation");
  add_type(options, request.type);
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
           "residual of w. The bits do not depend on the number of threads.",
       .examples = {{"lacis eigs @poisson2d:100 -k 4 --preconditioner ic0", "the smallest of a test problem"},
                    {"lacis eigs A.mtx -k 10 --which largest -o vectors.txt", "the largest, with their vectors"}}},
      add_eigs_options, run_eigs);
}

}  // namespace lacis::app

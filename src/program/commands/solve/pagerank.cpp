// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis pagerank: the pages of a graph with the highest scores.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include <lacis/error.hpp>
#include <lacis/hash.hpp>
#include <lacis/pagerank.hpp>

#include "commands/cluster/cluster.hpp"
#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/interrupt.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "input/load.hpp"
#include "input/operands.hpp"
#include "input/vector_file.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

struct pagerank_request {
  common_options common;
  source_options source;
  std::int64_t top = 10;
  double damping = 0.85;
  double tolerance = 1e-6;
  std::int64_t max_iterations = 100;
  std::string personalisation;  ///< a file, or empty
  std::string output;           ///< a file for all scores, "-", or empty
};

using json = nlohmann::ordered_json;

/// One line on standard error: iteration, change, entries per second.
class pagerank_line {
 public:
  pagerank_line(bool quiet, const terminal& where)
      : live_(!quiet && where.rewrites), columns_(static_cast<std::size_t>(std::max(1, where.columns - 1))) {}
  ~pagerank_line() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  pagerank_line(const pagerank_line&) = delete;
  pagerank_line& operator=(const pagerank_line&) = delete;

  bool operator()(const pagerank_progress& now) {
    throw_if_interrupted();
    if (!live_) return true;
    shown_ = true;
    const std::string words = fmt::format("iteration {}  change {:.2e}  {}entries/s", now.iteration, now.change,
                                          plot::short_count(now.edges_per_second));
    std::fputs(("\r\x1b[K" + words.substr(0, columns_)).c_str(), stderr);
    return true;
  }

 private:
  bool live_;
  std::size_t columns_;
  bool shown_ = false;
};

buffer<double> weights_of(const pagerank_request& request) {
  const std::string& path = request.personalisation;
  any_vector given = read_vector(path, request.source, request.common);
  auto* const weights = std::get_if<buffer<double>>(&given);
  if (weights == nullptr) throw error(errc::bad_input, path + " is complex; a personalisation has real numbers");
  for (std::int64_t i = 0; i < weights->size(); ++i)
    if (const double weight = (*weights)[i]; !(weight >= 0 && std::isfinite(weight)))
      throw error(errc::bad_input, fmt::format("{}: number {} is {}; a personalisation has finite numbers from 0 up",
                                               path, i + 1, weight));
  if (std::all_of(weights->begin(), weights->end(), [](double weight) { return weight == 0; }))
    throw error(errc::bad_input, path + ": no weight is above 0");
  return std::move(*weights);
}

void require_weight_of_each(const pagerank_request& request, const any_csr& links, const buffer<double>& weights) {
  const auto pages = std::visit([](const auto& a) { return a.rows; }, links);
  if (!request.personalisation.empty() && weights.size() != pages)
    throw error(errc::bad_input,
                fmt::format("{}: {} numbers for {} pages", request.personalisation, weights.size(), pages));
}

template <class Matrix> bool has_other_values(const Matrix& a) {
  using T = typename Matrix::value_type;
  const auto& values = a.values.data;
  return a.nnz() > 0 && !std::all_of(values.begin(), values.end(), [](const T& value) { return value == T(1); });
}

/// The result, wherever its scores are.
struct pagerank_findings {
  std::string name;
  pagerank_result result;
  std::int64_t pages = 0;
  std::uint64_t hash = 0;
  std::vector<ranked_page> best;
  std::string where;            ///< " with 4 ranks"; empty for one process
  double damping = 0;           ///< as requested
  bool ignores_values = false;  ///< the matrix has other values than 1
};

double edges_per_second(const pagerank_result& result) {
  if (result.links == 0 || result.seconds <= 0) return 0;
  return static_cast<double>(result.links * result.iterations) / result.seconds;
}

std::string screen_of(const pagerank_findings& found, const terminal& where) {
  const pagerank_result& result = found.result;
  const auto line = [&](std::string_view title, const std::string& words) {
    return "  " + pad_right(title, 12) + wrapped(words, 14, static_cast<std::size_t>(where.columns)) + '\n';
  };
  const std::string size =
      fmt::format("{} pages, {} entries{}", plot::grouped(found.pages), plot::grouped(result.links), found.where);
  std::string text = title_line(found.name, size, where) + '\n';
  text += line("dangling", fmt::format("{} pages whose row has no entries", plot::grouped(result.dangling)));
  if (found.ignores_values) text += line("values", "not used: every stored entry is one link");
  text += line("prepared", plot::duration_text(result.prepare_seconds));
  text += line("result", fmt::format("{} after {} iterations in {}: {}entries/s, change {:.2e}",
                                     result.converged ? "converged" : "not converged", result.iterations,
                                     plot::duration_text(result.seconds), plot::short_count(edges_per_second(result)),
                                     result.change));
  text += line("hash", fmt::format("{:016x} of the scores (same on every machine)", found.hash));
  const std::vector<ranked_page>& best = found.best;
  if (best.empty()) return text;
  std::vector<cells> table = {{"", "page", "score"}};
  for (std::size_t i = 0; i < best.size(); ++i)
    table.push_back({std::to_string(i + 1), plot::grouped(best[i].page), fmt::format("{:.6e}", best[i].rank)});
  const auto widths = widths_of(table);
  text += '\n';
  for (const cells& row : table) text += "  " + line_of(row, widths, 0) + '\n';
  return text;
}

std::string json_of(const pagerank_findings& found) {
  const pagerank_result& result = found.result;
  json top = json::array();
  for (const ranked_page& one : found.best) top.push_back({{"page", one.page}, {"rank", one.rank}});
  const json all = {{"links_from", found.name},
                    {"pages", found.pages},
                    {"links", result.links},
                    {"dangling", result.dangling},
                    {"ignores_values", found.ignores_values},
                    {"threads", omp_get_max_threads()},
                    {"outcome", result.converged ? "converged" : "out of iterations"},
                    {"converged", result.converged},
                    {"iterations", result.iterations},
                    {"change", result.change},
                    {"error_bound", found.damping / (1 - found.damping) * result.change},
                    {"prepare_s", result.prepare_seconds},
                    {"seconds", result.seconds},
                    {"edges_per_s", edges_per_second(result)},
                    {"hash", fmt::format("{:016x}", found.hash)},
                    {"top", top}};
  return json_text(all);
}

pagerank_options options_of(const pagerank_request& request, buffer<double>& weights) {
  pagerank_options options;
  options.damping = request.damping;
  options.tolerance = request.tolerance;
  options.max_iterations = request.max_iterations;
  if (!request.personalisation.empty()) {
    weights = weights_of(request);
    options.personalisation = {weights.data(), static_cast<std::size_t>(weights.size())};
  }
  return options;
}

void tell(const pagerank_request& request, const pagerank_findings& found) {
  if (request.common.json)
    print(json_of(found));
  else if (request.output != "-")
    print_screen(screen_of(found, terminal_of(1)));
  else if (!request.common.quiet)
    std::fputs(screen_of(found, terminal_of(2)).c_str(), stderr);
  flush_output();
}

void require_converged(const pagerank_result& result) {
  if (!result.converged)
    throw not_converged(
        fmt::format("not converged: scores still change by {:.2e} after {} iterations; raise --max-iterations or "
                    "--tolerance",
                    result.change, result.iterations));
}

/// On the processes that mpirun has started; the first rank prints.
void rank_on_cluster(const pagerank_request& request) {
  if (!request.output.empty())
    throw error(errc::unsupported, "--mpi does not write scores; leave --output out, or print more with --top");
  on_cluster(request.common, [&](cluster& processes) {
    const bool is_first = processes.rank() == 0;
    buffer<double> weights;
    pagerank_options options;
    processes.together([&] { options = options_of(request, weights); });
    distributed_pagerank_result ranks;
    {
      pagerank_line line(request.common.quiet || !is_first, terminal_of(2));
      options.monitor = [&](const pagerank_progress& now) { return line(now); };
      ranks = processes.pagerank(named(request.source, request.source.matrix, ""), options, request.top);
    }
    if (is_first)
      tell(request, {shown(request.source.matrix), std::move(ranks.result), ranks.pages, ranks.hash, ranks.best,
                     "; " + processes_text(ranks.facts), request.damping});
    require_converged(ranks.result);
  });
}

void run_pagerank(const pagerank_request& request) {
  if (request.output == "-" && request.common.json)
    throw error(errc::invalid_argument,
                "--json and an output of - both write to standard output; write one of them to a file");
  require_one_standard_input(request.source, request.personalisation);
  if (request.common.mpi) return rank_on_cluster(request);
  use_threads(request.common.threads);
  const interrupt_guard guard;
  const loaded source = load(request.source, request.common);
  std::visit([&](const auto& a) { require_square(source.name, a.rows, a.cols, "pagerank"); }, source.matrix);
  buffer<double> weights;
  pagerank_options options = options_of(request, weights);
  require_weight_of_each(request, source.matrix, weights);
  require_finite_values(source.matrix, source.name);
  pagerank_findings found;
  found.name = source.name;
  found.damping = request.damping;
  found.ignores_values = std::visit([](const auto& a) { return has_other_values(a); }, source.matrix);
  {
    pagerank_line line(request.common.quiet, terminal_of(2));
    options.monitor = [&](const pagerank_progress& now) { return line(now); };
    found.result = std::visit([&](const auto& links) { return pagerank(links, options); }, source.matrix);
  }
  const buffer<double>& ranks = found.result.ranks;
  found.pages = ranks.size();
  found.hash = solution_hash(ranks);
  found.best = top_pages(ranks, request.top);
  if (!request.output.empty())
    write_vector<double>(request.output, {ranks.data(), static_cast<std::size_t>(ranks.size())});
  tell(request, found);
  require_converged(found.result);
}

void add_options(option_list& options, pagerank_request& request) {
  options
      .add("GRAPH", request.source.matrix,
           "an edge list or another matrix file, - for standard input, or a generated matrix such as @rmat:20")
      .required()
      .names_file(file_use::read_matrix);
  options.add("--top K", request.top, "number of pages to print").integers(0, std::uint64_t{1} << 60);
  options.add("--damping D", request.damping, "damping factor").reals(0.0, 0.999999);
  options
      .add("--tolerance R", request.tolerance,
           "stop when an iteration changes the scores by less, summed over all pages; they are then within D / (1 - D) "
           "times that of the exact scores, where D is the damping factor")
      .reals(0, 2);
  options.add("--max-iterations N", request.max_iterations, "maximum number of iterations")
      .integers(1, std::uint64_t{1} << 60);
  options
      .add("--personalisation FILE", request.personalisation,
           "teleport (personalisation) vector, one weight per page and line")
      .names_file(file_use::read_vector);
  options.add("-o,--output FILE", request.output, "write all scores, one number per line; - is standard output")
      .names_file(file_use::write);
  add_mpi(options, request.common);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command pagerank_command() {
  return make_command<pagerank_request>(
      {.name = "pagerank",
       .group = command_group::compute,
       .summary = "PageRank of a directed graph",
       .about = "Computes the PageRank score of every page, where entry (i, j) is a link from page i to page j, and "
                "prints the pages with the highest scores. Values are not used: every stored entry is one link, also a "
                "zero.",
       .examples = {{"lacis pagerank web.txt --top 20", "the twenty highest scores"},
                    {"lacis pagerank @rmat:18 -o scores.txt", "all scores of a generated graph"}}},
      add_options, run_pagerank);
}

}  // namespace lacis::app

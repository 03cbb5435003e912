// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis pagerank: the best pages of a web.
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include <lacis/error.hpp>
#include <lacis/hash.hpp>
#include <lacis/pagerank.hpp>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/exit_code.hpp"
#include "app/interrupt.hpp"
#include "app/load.hpp"
#include "app/table.hpp"
#include "app/vector_file.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

/// One line on standard error: iteration, change, edges a second.
class pagerank_line {
 public:
  pagerank_line(bool quiet, const terminal& where) : live_(!quiet && where.is_terminal) {}
  ~pagerank_line() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  pagerank_line(const pagerank_line&) = delete;
  pagerank_line& operator=(const pagerank_line&) = delete;

  bool operator()(const pagerank_progress& now) {
    throw_if_interrupted();
    if (!live_) return true;
    shown_ = true;
    std::fputs(fmt::format("\r\x1b[Kiteration {}  change {:.2e}  {}edges/s", now.iteration, now.change,
                           plot::short_count(now.edges_per_second))
                   .c_str(),
               stderr);
    return true;
  }

 private:
  bool live_;
  bool shown_ = false;
};

buffer<double> weights_of(const pagerank_request& request) {
  any_vector given = read_vector(request.personalisation, request.common);
  if (auto* real = std::get_if<buffer<double>>(&given)) return std::move(*real);
  throw error(errc::bad_input, request.personalisation + " is complex; a personalisation has real numbers");
}

std::string screen_of(const std::string& name, const pagerank_result& result, const std::vector<ranked_page>& best,
                      const terminal& where) {
  const painter paint{where.color};
  const auto line = [&](std::string_view title, const std::string& words) {
    return "  " + pad_right(title, 12) + wrapped(words, 14, static_cast<std::size_t>(where.columns)) + '\n';
  };
  const double rate = static_cast<double>(result.links * result.iterations) / result.seconds;
  std::string text = paint.bold(name) + fmt::format("  {} pages, {} links\n\n", plot::grouped(result.ranks.size()),
                                                    plot::grouped(result.links));
  text += line("dangling", fmt::format("{} pages link nowhere", plot::grouped(result.dangling)));
  text += line("prepared", plot::duration_text(result.prepare_seconds));
  text += line("result", fmt::format("{} after {} iterations in {}: {}edges/s, change {:.2e}",
                                     result.converged ? "converged" : "not converged", result.iterations,
                                     plot::duration_text(result.seconds), plot::short_count(rate), result.change));
  text += line("hash", fmt::format("{:016x}", solution_hash(result.ranks)));
  if (best.empty()) return text;
  std::vector<cells> table = {{"", "page", "rank"}};
  for (std::size_t i = 0; i < best.size(); ++i)
    table.push_back({std::to_string(i + 1), plot::grouped(best[i].page), fmt::format("{:.6e}", best[i].rank)});
  const auto widths = widths_of(table);
  text += '\n';
  for (const cells& row : table) text += "  " + line_of(row, widths, 0) + '\n';
  return text;
}

std::string json_of(const std::string& name, const pagerank_result& result, const std::vector<ranked_page>& best) {
  json top = json::array();
  for (const ranked_page& one : best) top.push_back({{"page", one.page}, {"rank", one.rank}});
  const json all = {{"links_from", name},
                    {"pages", result.ranks.size()},
                    {"links", result.links},
                    {"dangling", result.dangling},
                    {"threads", omp_get_max_threads()},
                    {"converged", result.converged},
                    {"iterations", result.iterations},
                    {"change", result.change},
                    {"prepare_s", result.prepare_seconds},
                    {"seconds", result.seconds},
                    {"edges_per_s", static_cast<double>(result.links * result.iterations) / result.seconds},
                    {"hash", fmt::format("{:016x}", solution_hash(result.ranks))},
                    {"top", top}};
  return all.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace

void run_pagerank(const pagerank_request& request) {
  if (request.output == "-" && request.common.json)
    throw error(errc::invalid_argument, "--json and an output of - both want standard output; name a file");
  use_threads(request.common.threads);
  const interrupt_guard guard;
  const loaded source = load(request.source, request.common);
  pagerank_options options;
  options.damping = request.damping;
  options.tolerance = request.tolerance;
  options.max_iterations = request.max_iterations;
  buffer<double> weights;
  if (!request.personalisation.empty()) {
    weights = weights_of(request);
    options.personalisation = {weights.data(), static_cast<std::size_t>(weights.size())};
  }
  pagerank_result result;
  {
    pagerank_line line(request.common.quiet, terminal_of(2));
    options.monitor = [&](const pagerank_progress& now) { return line(now); };
    result = std::visit([&](const auto& links) { return pagerank(links, options); }, source.matrix);
  }
  const std::vector<ranked_page> best = top_pages(result.ranks, request.top);
  if (!request.output.empty())
    write_vector<double>(request.output, {result.ranks.data(), static_cast<std::size_t>(result.ranks.size())});
  if (request.common.json)
    print(json_of(source.name, result, best));
  else if (request.output != "-")
    print(screen_of(source.name, result, best, terminal_of(1)));
  else if (!request.common.quiet)
    std::fputs(screen_of(source.name, result, best, terminal_of(2)).c_str(), stderr);
  flush_output();
  if (!result.converged)
    throw not_converged(
        fmt::format("ranks still change by {:.2e} after {} iterations; raise --max-iterations or "
                    "--tolerance",
                    result.change, result.iterations));
}

}  // namespace lacis::app

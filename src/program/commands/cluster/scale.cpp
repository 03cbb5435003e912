// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis scale: a cluster modelled from real cuts of a matrix.
#include <algorithm>
#include <fmt/format.h>

#include <lacis/error.hpp>

#include "commands/cluster/cut.hpp"
#include "commands/cluster/scale_model.hpp"
#include "commands/plan/words.hpp"
#include "console/console.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "parse/commands.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

struct rank_rate {
  double read_gbs;
  std::string source;
};

/// What one rank reads: as given, or as the profile says of so many threads.
rank_rate rate_of(const scale_request& request) {
  if (request.bandwidth > 0) return {request.bandwidth, "given"};
  std::string remark;
  const auto profile = rates_of_profile(remark);
  if (!remark.empty() && !request.common.quiet) complain(remark);
  if (!profile || profile->streams.empty())
    throw error(errc::invalid_argument,
                "how fast does a rank read memory? 'lacis doctor --measure' writes a profile of this machine, or give "
                "--bandwidth GB/s");
  const machine::stream* chosen = nullptr;
  const machine::stream* most = nullptr;
  for (const machine::stream& one : profile->streams) {
    if (most == nullptr || one.threads > most->threads) most = &one;
    if (one.threads == request.cores_per_rank) chosen = &one;
  }
  if (request.cores_per_rank == 0) chosen = most;
  if (chosen == nullptr)
    throw error(errc::invalid_argument,
                fmt::format("{} tells nothing of {} cores, only of 1 and of {}; give --bandwidth GB/s", profile->source,
                            request.cores_per_rank, most->threads));
  return {chosen->read_gbs,
          fmt::format("{} core{} of {}", chosen->threads, chosen->threads == 1 ? "" : "s", profile->source)};
}

scale_point point_at(const cut_source& source, int ranks, const modelled_cluster& cluster) {
  scale_point at = modelled(exchange_at(source, ranks), source.storage, cluster);
  at.matrix = source.source.name;
  return at;
}

/// Smaller matrices of the same kind, as many rows a rank as the given one has on the most ranks.
void add_weak(const scale_request& request, const std::vector<int>& ranks, scale_findings& found, progress_bar& bar) {
  std::vector<int> missing;
  for (const int count : ranks) {
    if (count == ranks.back()) {
      found.weak.push_back(found.strong.back());
      break;
    }
    const auto rows = static_cast<std::int64_t>(static_cast<double>(found.rows) / ranks.back() * count);
    source_options source = request.source;
    source.matrix = resized(request.source.matrix, rows);
    if (source.matrix.empty()) {
      found.weak.clear();
      found.weak_remark = "the first argument of " + found.matrix + " does not decide over its size";
      return;
    }
    bar.announce("generating " + shown(source.matrix));
    const cut_source smaller = load_to_cut(source, {.quiet = true, .threads = request.common.threads});
    if (smaller.most_ranks() < count)
      missing.push_back(count);
    else
      found.weak.push_back(point_at(smaller, count, found.cluster));
  }
  for (const int count : missing)
    found.weak_remark += fmt::format("{}{} ranks", found.weak_remark.empty() ? "too small to cut: " : ", ", count);
}

void require_sense(const scale_request& request) {
  if (request.svg == "-" && request.common.json)
    throw error(errc::invalid_argument, "--json and --svg - both want standard output; name a file");
  if (!request.svg.empty() && request.ranks.size() < 2)
    throw error(errc::invalid_argument, "a chart needs at least two numbers of ranks");
}

}  // namespace

void run_scale(const scale_request& request) {
  require_sense(request);
  scale_findings found;
  found.cluster.link = parse_network(request.network);
  const rank_rate rate = rate_of(request);
  found.cluster.read_gbs = rate.read_gbs;
  found.rates = rate.source;
  std::vector<int> ranks = request.ranks;
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  {
    const cut_source source = load_to_cut(request.source, request.common);
    static_cast<void>(ranges_of(source, ranks.back()));
    found.matrix = source.source.name;
    found.rows = source.rows;
    found.nonzeros = source.nonzeros;
    found.value_type = source.value_type;
    found.cut = cut_words(source);
    progress_bar bar(request.common.quiet);
    bar.announce("counting ghosts");
    for (const int count : ranks) found.strong.push_back(point_at(source, count, found.cluster));
    if (!source.source.generated) found.weak_remark = "only generated matrices come in other sizes";
  }
  if (found.weak_remark.empty()) {
    progress_bar bar(request.common.quiet);
    add_weak(request, ranks, found, bar);
  }
  if (!request.svg.empty()) write_file(request.svg, scale_svg(found));
  if (request.common.json)
    print(scale_json(found));
  else if (request.svg != "-")
    print_screen(scale_screen(found, terminal_of(1)));
}

}  // namespace lacis::app

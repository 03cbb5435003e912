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
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "parse/workshop.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

struct scale_request {
  common_options common;
  source_options source;
  std::vector<int> ranks;
  std::string network;     ///< a name, or "microseconds,GB/s"
  double bandwidth = 0;    ///< GB/s per rank; 0: from the machine's profile
  int cores_per_rank = 0;  ///< 0: all of the profile
  std::string svg;         ///< a file for the picture, "-", or empty
};

struct rank_rate {
  double read_gbs;
  std::string source;
};

/// What one rank reads: as given, or from the profile for its number of cores.
rank_rate rate_of(const scale_request& request) {
  if (request.bandwidth > 0) return {request.bandwidth, "given"};
  std::string remark;
  const auto profile = rates_of_profile(remark);
  if (!remark.empty() && !request.common.quiet) complain(remark);
  if (!profile || profile->streams.empty())
    throw error(errc::invalid_argument,
                "the memory bandwidth per rank is missing: run 'lacis doctor --measure' once, or give "
                "--bandwidth GB/s");
  const machine_rates::stream* chosen = nullptr;
  const machine_rates::stream* most = nullptr;
  for (const machine_rates::stream& one : profile->streams) {
    if (most == nullptr || one.threads > most->threads) most = &one;
    if (one.threads == request.cores_per_rank) chosen = &one;
  }
  if (request.cores_per_rank == 0) chosen = most;
  if (chosen == nullptr)
    throw error(errc::invalid_argument,
                fmt::format("{} has rates for 1 and {} cores, not for {}; give --bandwidth GB/s", profile->source,
                            most->threads, request.cores_per_rank));
  return {chosen->read_gbs,
          fmt::format("{} core{} of {}", chosen->threads, chosen->threads == 1 ? "" : "s", profile->source)};
}

scale_point point_at(const cut_source& source, int ranks, const modelled_cluster& cluster) {
  scale_point at = modelled(exchange_at(source, ranks), source.storage, cluster);
  at.matrix = source.source.name;
  return at;
}

/// Smaller matrices of the same kind, as many rows per rank as the given one has on the most ranks.
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
      found.weak_remark = "the first argument of " + found.matrix + " is not its size";
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
    throw error(errc::invalid_argument,
                "--json and --svg - both write to standard output; write one of them to a file");
  if (!request.svg.empty() && request.ranks.size() < 2)
    throw error(errc::invalid_argument, "a chart needs at least two numbers of ranks");
}

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
    found.entries = source.entries;
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

void add_options(option_list& options, scale_request& request) {
  add_matrix(options, request.source);
  add_ranks(options, request.ranks);
  options
      .add("--network ethernet-1g|ethernet-10g|infiniband-hdr|slingshot-11|loopback", request.network,
           "a name, or microseconds per message and GB/s per rank, such as 2,12.5")
      .required();
  options.add("--bandwidth GB/s", request.bandwidth, "memory bandwidth per rank in GB/s")
      .reals(1e-6, 1e9)
      .otherwise("from the profile of 'lacis doctor --measure'");
  options.add("--cores-per-rank N", request.cores_per_rank, "number of cores whose rate in the profile a rank has")
      .integers(1, most_threads)
      .otherwise("all");
  options.add("--svg FILE", request.svg, "also draw strong and weak scaling; - is standard output")
      .names_file(file_use::write);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command scale_command() {
  return make_command<scale_request>(
      {.name = "scale",
       .group = workshop_command("scale").group,
       .summary = workshop_command("scale").summary,
       .about = "Models the time of a product and of a conjugate gradient iteration for each number of ranks. The "
                "exchange is that of a real partition; times are modelled from bytes, memory bandwidth, messages, "
                "latency and network bandwidth. Strong scaling is this matrix on more ranks, weak scaling generated "
                "matrices of the same kind with the same rows per rank.",
       .examples = {{"lacis scale @poisson3d:100 -k 1,8,64 --network infiniband-hdr", "a named network"},
                    {"lacis scale mesh.csr -k 4,16 --network 2,12.5 --bandwidth 80", "rates as given"}}},
      add_options, run_scale);
}

}  // namespace lacis::app

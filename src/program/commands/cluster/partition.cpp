// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis partition: what sharing a matrix out among ranks costs, counted.
#include <lacis/error.hpp>

#include "commands/cluster/cut.hpp"
#include "commands/cluster/partition_findings.hpp"
#include "console/console.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"

namespace lacis::app {
namespace {

struct partition_request {
  common_options common;
  source_options source;
  std::vector<int> ranks;
  std::string svg;  ///< a file for the picture, "-", or empty
};

void run_partition(const partition_request& request) {
  if (request.svg == "-" && request.common.json)
    throw error(errc::invalid_argument,
                "--json and --svg - both write to standard output; write one of them to a file");
  const cut_source source = load_to_cut(request.source, request.common);
  for (const int ranks : request.ranks) static_cast<void>(ranges_of(source, ranks));
  partition_findings found{.matrix = source.source.name,
                           .rows = source.rows,
                           .entries = source.entries,
                           .value_type = source.value_type,
                           .cut = cut_words(source),
                           .storage = source.storage};
  {
    progress_bar bar(request.common.quiet);
    bar.announce("counting ghosts");
    for (const int ranks : request.ranks) {
      rank_findings of{.ranks = ranks, .begins = ranges_of(source, ranks), .exchange = exchange_at(source, ranks)};
      of.imbalance = imbalance_of(of.exchange);
      found.all.push_back(std::move(of));
    }
  }
  if (!request.svg.empty()) write_file(request.svg, partition_svg(found));
  if (request.common.json)
    print(partition_json(found));
  else if (request.svg != "-")
    print_screen(partition_screen(found, terminal_of(1)));
}

void add_options(option_list& options, partition_request& request) {
  add_matrix(options, request.source);
  add_ranks(options, request.ranks);
  options.add("--svg FILE", request.svg, "also draw the exchange of the last number of ranks; - is standard output")
      .names_file(file_use::write);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command partition_command() {
  return make_command<partition_request>(
      {.name = "partition",
       .group = command_group::look,
       .summary = "communication and memory of a matrix distributed over ranks",
       .about =
           "Distributes a square matrix over ranks and counts the elements that one product exchanges (ghosts), the "
           "imbalance, the bytes in total and of the busiest rank, the messages and the memory per rank. Ranks take "
           "the parts that are stored with the matrix, or ranges of its rows.",
       .examples = {{"lacis partition mesh.csr -k 4,16,64", "three numbers of ranks"},
                    {"lacis partition @poisson3d:60 -k 8 --svg exchange.svg", "a picture of the exchange"}}},
      add_options, run_partition);
}

}  // namespace lacis::app

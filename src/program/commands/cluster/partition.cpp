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
#include "parse/commands.hpp"

namespace lacis::app {

void run_partition(const partition_request& request) {
  if (request.svg == "-" && request.common.json)
    throw error(errc::invalid_argument, "--json and --svg - both want standard output; name a file");
  const cut_source source = load_to_cut(request.source, request.common);
  for (const int ranks : request.ranks) static_cast<void>(ranges_of(source, ranks));
  partition_findings found{.matrix = source.source.name,
                           .rows = source.rows,
                           .nonzeros = source.nonzeros,
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

}  // namespace lacis::app

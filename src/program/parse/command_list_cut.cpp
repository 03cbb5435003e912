// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The commands that cut matrices for clusters, and their options.
#include "parse/command_options.hpp"
#include "parse/commands.hpp"

namespace lacis::app {
namespace {

/// Ranks of a cluster are counted by MPI with an int.
constexpr int most_ranks = 1 << 30;

void add_ranks(CLI::App& app, const char* names, std::vector<int>& ranks, const char* about) {
  app.add_option(names, ranks, about)
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->required()
      ->transform(whole_number(1, most_ranks));
}

void add_svg(CLI::App& app, std::string& svg, const char* about) {
  app.add_option("--svg", svg, about)->type_name("FILE");
}

}  // namespace

command reorder_command() {
  auto options = std::make_shared<reorder_request>();
  auto app = std::make_unique<CLI::App>("renumber rows and columns, or cut them into parts for a cluster", "reorder");
  add_matrix(*app, options->source);
  app->add_option("-o,--output", options->output,
                  "write the matrix; parts need a name that ends with .csr or a slash, a directory")
      ->type_name("FILE")
      ->required();
  app->add_option("--parts", options->parts,
                  "cut into so many parts with few entries between them (METIS, or PT-Scotch with --mpi)")
      ->type_name("N")
      ->transform(whole_number(1, std::uint64_t{1} << 30));
  app->add_option("--by", options->by, "or number along levels, along chains, or by column count")
      ->type_name("rcm|chain|degree");
  app->add_option("--order", options->order, "write which row of the input became each row, one number a line")
      ->type_name("FILE");
  app->add_option("--to", options->to, "write this format; the name's ending tells otherwise")->type_name(file_formats);
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_mpi(*app, options->common);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_reorder(*options); }};
}

command partition_command() {
  auto options = std::make_shared<partition_request>();
  auto app =
      std::make_unique<CLI::App>("what sharing a matrix out among ranks costs: ghosts, messages, memory", "partition");
  add_matrix(*app, options->source);
  add_ranks(*app, "-k,--ranks", options->ranks, "numbers of ranks, separated by commas");
  add_svg(*app, options->svg, "draw who sends how much to whom, for the last number (- for standard output)");
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_partition(*options); }};
}

command scale_command() {
  auto options = std::make_shared<scale_request>();
  auto app = std::make_unique<CLI::App>("how a product and an iteration would scale on a cluster: a model", "scale");
  add_matrix(*app, options->source);
  add_ranks(*app, "-k,--ranks", options->ranks, "numbers of ranks, separated by commas");
  app->add_option("--network", options->network,
                  "a name, or microseconds a message and GB/s of one rank, such as 2,12.5")
      ->type_name("ethernet-1g|ethernet-10g|infiniband-hdr|slingshot-11|loopback")
      ->required();
  app->add_option("--bandwidth", options->bandwidth, "GB/s with which a rank reads memory (the machine's profile)")
      ->type_name("GB/s")
      ->check(real_number(1e-6, 1e9));
  app->add_option("--cores-per-rank", options->cores_per_rank,
                  "take the profile's rate for so many cores (all of them)")
      ->type_name("N")
      ->transform(whole_number(1, most_threads));
  add_svg(*app, options->svg, "draw strong and weak scaling into this file (- for standard output)");
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_scale(*options); }};
}

}  // namespace lacis::app

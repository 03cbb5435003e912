// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options that several commands take.
#include "app/command_options.hpp"

#include <fmt/format.h>

#include <lacis/io.hpp>

namespace lacis::app {
namespace {

constexpr const char* value_kinds = "natural|pattern|ones|integer|random";

}  // namespace

void add_common(CLI::App& app, common_options& options) {
  app.add_flag("-q,--quiet", options.quiet, "no progress bar and no remarks");
  app.add_flag("--json", options.json, "the result as JSON on standard output");
  app.add_option("--threads", options.threads, "use so many threads")
      ->type_name("N")
      ->check(CLI::Range(1, most_threads).description(""));
}

void add_mpi(CLI::App& app, common_options& options) {
  app.add_flag("--mpi", options.mpi, "as one of the processes that mpirun has started: rows are spread over them");
}

void add_generator_options(CLI::App& app, source_options& options) {
  app.add_option("--values", options.values, "the values of a generated matrix")->type_name(value_kinds);
  app.add_option("--seed", options.seed, "the seed of a generated matrix (1)")->type_name("N");
}

void add_reader_options(CLI::App& app, source_options& options) {
  app.add_option("--from", options.from, "read the file as this format; its content tells otherwise")
      ->type_name(file_formats);
  app.add_flag("--compact-ids", options.compact_ids, "edge lists: number the ids that occur, without gaps");
  app.add_flag("--undirected", options.undirected, "edge lists: store each edge in both directions");
  app.add_flag("--round-integers", options.round_integers, "round whole numbers that no double holds exactly");
  app.add_option("--max-bytes", options.max_bytes,
                 "read no more bytes of a file, also once unpacked (half of the available memory)")
      ->type_name("BYTES");
  app.add_option("--max-ratio", options.max_ratio,
                 fmt::format("unpack no more than N times the compressed bytes ({})", default_max_ratio))
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40).description(""));
}

void add_type(CLI::App& app, std::string& type) {
  app.add_option("--type", type, "the type of the values; as they come otherwise")
      ->type_name("float|double|complex-float|complex-double");
}

void add_uses(CLI::App& app, double& uses) {
  app.add_option("--uses", uses, "how many products a plan is made for (1000)")
      ->type_name("N")
      ->check(CLI::Range(1.0, 1e18).description(""));
}

void add_matrix(CLI::App& app, source_options& options) {
  app.add_option("MATRIX", options.matrix, "a file, - for standard input, or a description such as @rmat:16")
      ->required();
}

}  // namespace lacis::app

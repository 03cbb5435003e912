// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options that several commands take.
#include "parse/command_options.hpp"

#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <lacis/io.hpp>

namespace lacis::app {
namespace {

constexpr const char* value_kinds = "natural|pattern|ones|integer|random";

/// The whole of `text` as a number; nothing when it is none.
template <class Number> std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, number);
  return problem == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[=](std::string& text) -> std::string {
            const auto number = parsed<std::uint64_t>(text);
            if (!number || *number < least || *number > most)
              return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
            text = std::to_string(*number);
            return {};
          },
          ""};
}

CLI::Validator real_number(double least, double most) {
  return {[=](std::string& text) -> std::string {
            const auto number = parsed<double>(text);
            // Written so that nan fails too.
            if (number && *number >= least && *number <= most) return {};
            return fmt::format("'{}' is not a number from {} to {}", text, least, most);
          },
          ""};
}

void add_common(CLI::App& app, common_options& options) {
  app.add_flag("-q,--quiet", options.quiet, "no progress bar and no remarks");
  app.add_flag("--json", options.json, "the result as JSON on standard output");
  app.add_option("--threads", options.threads, "use so many threads")
      ->type_name("N")
      ->transform(whole_number(1, most_threads));
}

void add_mpi(CLI::App& app, common_options& options) {
  app.add_flag("--mpi", options.mpi, "as one of the processes that mpirun has started: rows are spread over them");
}

void add_generator_options(CLI::App& app, source_options& options) {
  app.add_option("--values", options.values, "the values of a generated matrix")->type_name(value_kinds);
  app.add_option("--seed", options.seed, "the seed of a generated matrix (1)")
      ->type_name("N")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
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
      ->transform(whole_number(1, std::uint64_t{1} << 40));
}

void add_type(CLI::App& app, std::string& type) {
  app.add_option("--type", type, "the type of the values; as they come otherwise")
      ->type_name("float|double|complex-float|complex-double");
}

void add_uses(CLI::App& app, double& uses) {
  app.add_option("--uses", uses, "how many products a plan is made for (1000)")
      ->type_name("N")
      ->check(real_number(1, 1e18));
}

void add_matrix(CLI::App& app, source_options& options) {
  app.add_option("MATRIX", options.matrix, "a file, - for standard input, or a description such as @rmat:16")
      ->required();
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis reorder: rows and columns in another order, or cut into parts for a cluster.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/reorder.hpp>
#include <lacis/row_ranges.hpp>
#include <lacis/structure.hpp>

#include "commands/cluster/cluster.hpp"
#include "commands/cluster/cut.hpp"
#include "commands/plan/words.hpp"
#include "console/console.hpp"
#include "console/interrupt.hpp"
#include "console/json_text.hpp"
#include "console/progress_bar.hpp"
#include "console/write_file.hpp"
#include "measure/clock.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

struct reorder_request {
  common_options common;
  source_options source;
  std::string output;
  std::string to;          ///< file format; empty: from the file extension
  std::int64_t parts = 0;  ///< 0: none, but `by`
  std::string by;          ///< rcm, chain, degree; empty: parts
  std::string order;       ///< a file for the permutation, "-", or empty
};

using json = nlohmann::ordered_json;
using measure::clock;
using measure::seconds_since;

struct reorder_findings {
  std::string input;
  std::string output;
  std::string by;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::int64_t parts = 0;  ///< that resulted; 0 when none were asked for
  std::int64_t parts_wanted = 0;
  int ranks = 1;  ///< for which the ghosts are counted
  std::int64_t ghosts_before = 0;
  std::int64_t ghosts_after = 0;
  double read_seconds = 0;
  double order_seconds = 0;
  double permute_seconds = 0;
  double write_seconds = 0;
};

file_format format_of(const reorder_request& request) {
  if (!request.to.empty()) return parse_file_format(request.to);
  return names_csr_directory(request.output) ? file_format::csr_directory : file_format::matrix_market;
}

void require_sense(const reorder_request& request) {
  if (!request.by.empty() && request.parts != 0)
    throw error(errc::invalid_argument, "--by and --parts are two orders; give one of them");
  if (request.by.empty() && request.parts == 0)
    throw error(errc::invalid_argument, "an order is missing: give either --parts N or --by rcm|chain|degree");
  const int outputs = (request.output == "-" ? 1 : 0) + (request.order == "-" ? 1 : 0) + (request.common.json ? 1 : 0);
  if (outputs > 1)
    throw error(errc::invalid_argument, "--json, --order - and -o - all write to standard output; write them to files");
  if (request.parts != 0 && format_of(request) != file_format::csr_directory)
    throw error(errc::invalid_argument, request.output +
                                            ": parts are stored in a directory of arrays; end its name with "
                                            ".csr");
  if (request.parts != 0 && !request.common.mpi && !has_partitioner())
    throw error(errc::unsupported, "this build has no METIS; build with -DLACIS_WITH_METIS=ON");
}

/// Names of rows in the matrix that came before the one that was read, where that was reordered itself.
void trace_back(buffer<std::int64_t>& order, const buffer<std::int64_t>& earlier) {
  if (earlier.empty()) return;
  for (std::int64_t& row : order) row = earlier[row];
}

void write_order(const std::string& path, const buffer<std::int64_t>& order) {
  std::string lines;
  for (const std::int64_t row : order) lines += std::to_string(row) + '\n';
  write_file(path, lines);
}

std::string screen_of(const reorder_findings& found) {
  std::string text =
      fmt::format("{}: {} rows, {} entries", found.output, plot::grouped(found.rows), plot::grouped(found.entries));
  if (found.parts != 0) text += fmt::format(", {} parts", plot::grouped(found.parts));
  if (found.parts < found.parts_wanted)
    text += fmt::format(" (of {} requested: parts begin at multiples of {} rows)", plot::grouped(found.parts_wanted),
                        rows_in_chunk);
  text +=
      fmt::format("\nghosts of {} rank{}: {} before, {} after", plot::grouped(found.ranks), found.ranks == 1 ? "" : "s",
                  plot::grouped(found.ghosts_before), plot::grouped(found.ghosts_after));
  return text + fmt::format("\nread in {}, ordered in {}, permuted in {}, written in {}\n",
                            plot::duration_text(found.read_seconds), plot::duration_text(found.order_seconds),
                            plot::duration_text(found.permute_seconds), plot::duration_text(found.write_seconds));
}

std::string json_of(const reorder_findings& found) {
  const json all = {{"input", found.input},
                    {"output", found.output},
                    {"by", found.by},
                    {"rows", found.rows},
                    {"entries", found.entries},
                    {"parts", found.parts == 0 ? json(nullptr) : json(found.parts)},
                    {"ranks", found.ranks},
                    {"ghosts_before", found.ghosts_before},
                    {"ghosts_after", found.ghosts_after},
                    {"read_s", found.read_seconds},
                    {"order_s", found.order_seconds},
                    {"permute_s", found.permute_seconds},
                    {"write_s", found.write_seconds}};
  return json_text(all);
}

/// Ranks for which ghosts are compared without parts: those of a small cluster.
constexpr std::int64_t usual_ranks = 64;

class reorder_run {
 public:
  explicit reorder_run(const reorder_request& request)
      : request_(request), all_(load_to_cut(request.source, request.common)), bar_(request.common.quiet) {
    found_.input = all_.source.name;
    found_.output = shown(request.output);
    found_.by = request.by.empty() ? "parts" : request.by;
    found_.rows = all_.rows;
    found_.entries = all_.entries;
    found_.parts_wanted = request.parts;
    found_.read_seconds = all_.source.seconds;
  }

  reorder_findings run() {
    find_order();
    all_.parts.clear();  // the order of before is compared as it stands
    bar_.announce("counting ghosts");
    found_.ranks = static_cast<int>(found_.parts != 0 ? found_.parts : std::min(usual_ranks, all_.most_ranks()));
    found_.ghosts_before = exchange_at(all_, found_.ranks).ghosts;
    permute_all();
    found_.ghosts_after = exchange_at(all_, found_.ranks).ghosts;
    save();
    return found_;
  }

 private:
  void find_order() {
    const auto begin = clock::now();
    bar_.announce(request_.parts != 0 ? "cutting" : "ordering");
    if (request_.parts != 0) {
      cut_ = std::visit([&](const auto& a) { return nested_parts(a, request_.parts); }, all_.source.matrix);
      found_.parts = static_cast<std::int64_t>(cut_.parts.size()) - 1;
    } else {
      const reordering how = parse_reordering(request_.by, "--by");
      cut_.order = std::visit([&](const auto& a) { return reorder(a, how); }, all_.source.matrix);
    }
    found_.order_seconds = seconds_since(begin);
  }

  void permute_all() {
    const auto begin = clock::now();
    bar_.announce("permuting");
    std::visit(
        [&](auto& a) {
          a = permute(a, cut_.order, cut_.order);
          all_.chunk_weights = weights_of_chunks(a.row_offsets);
        },
        all_.source.matrix);
    all_.parts = cut_.parts;
    found_.permute_seconds = seconds_since(begin);
  }

  void save() {
    const auto begin = clock::now();
    const interrupt_guard guard;
    trace_back(cut_.order, as_input([&] { return read_order(request_.source.matrix); }));
    write_options options;
    options.format = format_of(request_);
    if (options.format == file_format::csr_directory) {
      options.parts = cut_.parts;
      options.order = cut_.order;
    } else if (request_.to.empty()) {
      options.format.reset();  // from the file extension
    }
    options.progress = bar_.callback();
    std::visit([&](const auto& a) { write(request_.output, a, options); }, all_.source.matrix);
    if (!request_.order.empty()) write_order(request_.order, cut_.order);
    found_.write_seconds = seconds_since(begin);
  }

  const reorder_request& request_;
  cut_source all_;
  progress_bar bar_;
  row_parts cut_;
  reorder_findings found_;
};

/// By PT-Scotch, on the processes that mpirun has started; ghosts are counted for them.
void reorder_on_cluster(const reorder_request& request) {
  if (request.parts == 0 || !request.order.empty())
    throw error(errc::unsupported,
                "--mpi needs --parts N and stores the order in the directory; leave --by and --order out");
  on_cluster(request.common, [&](cluster& processes) {
    const spread_cut cut =
        processes.cut(named(request.source, request.source.matrix, ""), request.parts, request.output);
    if (processes.rank() != 0) return;
    reorder_findings found;
    found.input = shown(request.source.matrix);
    found.output = shown(request.output);
    found.by = "parts";
    found.rows = cut.facts.rows;
    found.entries = cut.facts.entries;
    found.parts = cut.parts;
    found.parts_wanted = request.parts;
    found.ranks = cut.facts.processes;
    found.ghosts_before = cut.ghosts_before;
    found.ghosts_after = cut.ghosts_after;
    found.read_seconds = cut.facts.read_seconds;
    found.order_seconds = cut.cut_seconds;
    found.write_seconds = cut.write_seconds;
    if (request.common.json)
      print(json_of(found));
    else if (!request.common.quiet)
      std::fputs(screen_of(found).c_str(), stderr);
  });
}

void run_reorder(const reorder_request& request) {
  require_sense(request);
  if (request.common.mpi) return reorder_on_cluster(request);
  if (!request.by.empty()) static_cast<void>(parse_reordering(request.by, "--by"));
  const reorder_findings found = reorder_run(request).run();
  if (request.common.json)
    print(json_of(found));
  else if (!request.common.quiet)
    std::fputs(screen_of(found).c_str(), stderr);
}

void add_options(option_list& options, reorder_request& request) {
  add_matrix(options, request.source);
  options
      .add("-o,--output FILE", request.output,
           "the file to write; with --parts a directory, whose name ends with .csr or a slash")
      .required()
      .names_file(file_use::write_matrix);
  options
      .add("--parts N", request.parts,
           "partition into N parts with few entries between them (METIS; PT-Scotch with --mpi)")
      .integers(1, std::uint64_t{1} << 30);
  options.add("--by rcm|chain|degree", request.by,
              "or order by reverse Cuthill-McKee, along chains, or by column count");
  options.add("--order FILE", request.order, "write the permutation: the old index of each row, one per line")
      .names_file(file_use::write);
  add_to(options, request.to);
  add_mpi(options, request.common);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command reorder_command() {
  return make_command<reorder_request>(
      {.name = "reorder",
       .group = command_group::compute,
       .summary = "permute rows and columns, or partition them for a cluster",
       .about = "Permutes the rows and columns of a square matrix and writes it; prints how many elements ranks "
                "exchange per product, before and after. Parts are stored with the matrix, as parts.npy and order.npy "
                "in a directory; neighbouring parts belong together, so fewer ranks take several parts each.",
       .examples = {{"lacis reorder mesh.mtx --by rcm -o ordered.mtx", "reverse Cuthill-McKee"},
                    {"lacis reorder mesh.mtx --parts 64 -o mesh.csr", "parts for a cluster"}}},
      add_options, run_reorder);
}

}  // namespace lacis::app

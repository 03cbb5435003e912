// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab: what each kernel asks of a GPU's memory on a matrix, counted, and what a GPU would make of it, modelled.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <type_traits>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/structure.hpp>

#include "commands/lab/matrix.hpp"
#include "commands/lab/methods.hpp"
#include "commands/lab/product.hpp"
#include "commands/lab/report.hpp"
#include "commands/lab/sweep.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "input/load.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "parse/suggest.hpp"
#include "parse/workshop.hpp"

namespace lacis::app {
namespace {

struct lab_request {
  common_options common;
  source_options source;             ///< no matrix: a sweep
  std::string operation = "spmv";    ///< or "spgemm"
  std::vector<std::string> kernels;  ///< names or families; empty: all
  std::vector<int> blocks;           ///< threads per block; empty: 256
  std::string gpu = "t4";
  std::string type;     ///< of the values; empty: as in the file
  std::string entries;  ///< a number, "all"; empty: as many as run quickly
  std::string sweep;    ///< "rows", of products of sparse matrices "densities", or empty
  std::string svg;      ///< a file for the chart, "-", or empty
  bool explain = false;
  bool ptx = false;  ///< also the emitted code
};

/// "t4|a100|..."
std::string names_of_gpus() {
  std::string names;
  for (const lab::gpu& gpu : lab::all_gpus()) names += (names.empty() ? "" : "|") + std::string(gpu.name);
  return names;
}

constexpr std::int64_t usual_entries = 2'000'000;
constexpr std::int64_t usual_interpreted_entries = 200'000;
constexpr std::int64_t usual_products = 1'000'000;

/// The entries to run at most, 0 for all of them.
std::int64_t most_entries(const std::string& text, std::int64_t usual) {
  if (text.empty()) return usual;
  if (text == "all") return 0;
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || number < 1)
    throw error(errc::invalid_argument, "--entries takes a number of entries or 'all', not '" + text + "'");
  return number;
}

void require_type(const std::string& type) {
  if (type.empty() || type == "float" || type == "double") return;
  const std::string known[] = {"float", "double"};
  refuse_choice("--type", type, known);
}

void require_operation(const lab_request& request) {
  if (request.operation == "spmv") return;
  const std::string known[] = {"spmv", "spgemm"};
  if (request.operation != "spgemm") refuse_choice("--op", request.operation, known);
  if (!request.kernels.empty() || !request.blocks.empty() || !request.svg.empty())
    throw error(errc::invalid_argument, "--kernel, --block and --svg do not apply to --op spgemm; leave them out");
}

void require_sense(const lab_request& request) {
  require_type(request.type);
  require_operation(request);
  if (request.ptx && (request.operation != "spmv" || !request.sweep.empty()))
    throw error(errc::invalid_argument, "--ptx is about the product of one matrix with a vector");
  if (request.svg == "-" && request.common.json)
    throw error(errc::invalid_argument,
                "--json and --svg - both write to standard output; write the picture to a file");
  const std::string known = request.operation == "spgemm" ? "densities" : "rows";
  if (request.sweep.empty()) {
    if (request.source.matrix.empty())
      throw error(errc::invalid_argument, "a matrix is missing (or give --sweep " + known + "; see 'lacis help lab')");
    return;
  }
  if (request.sweep != known)
    throw error(errc::invalid_argument,
                "--sweep must be " + known + " with --op " + request.operation + " (got '" + request.sweep + "')");
  if (!request.source.matrix.empty())
    throw error(errc::invalid_argument, "--sweep has its own matrices; leave '" + request.source.matrix + "' out");
  if (!request.entries.empty() && known == "rows")
    throw error(errc::invalid_argument, "--sweep rows runs every entry; leave --entries out");
  if (request.explain) throw error(errc::invalid_argument, "--explain is about one matrix; leave out --sweep");
}

template <class Value>
lab_result examined(const std::string& name, const csr_matrix<Value, std::int32_t>& a,
                    const lab::lab_options& options) {
  return {name, type_name<Value>(), sizeof(Value), lab::examine(a.view(), options)};
}

/// The matrix as float or double, which is what the laboratory takes.
lab_result examine_as(const loaded& source, const std::string& type, const lab::lab_options& options) {
  return with_lab_matrix(source, type, [&](const auto& a) { return examined(source.name, a, options); });
}

/// One stage for all kernels, so that the bar can tell how long the rest will take.
progress counting(progress_bar& bar) {
  return [report = bar.callback()](std::string_view, double share) { report("counting", share); };
}

void sweep(const lab_request& request, lab::lab_options options, progress_bar& bar) {
  if (request.kernels.empty() && request.blocks.empty()) options.kernels = sweep_kernels();
  use_threads(request.common.threads);
  options.progress = counting(bar);
  const lab_sweep result =
      request.type == "float" ? sweep_rows<float>(std::move(options)) : sweep_rows<double>(std::move(options));
  if (!request.svg.empty()) write_file(request.svg, sweep_svg(result));
  if (request.svg == "-") return;
  if (request.common.json)
    print(sweep_json(result));
  else
    print_screen(sweep_screen(result, terminal_of(1)));
}

void one_matrix(const lab_request& request, lab::lab_options options, progress_bar& bar) {
  options.most_entries = most_entries(request.entries, request.ptx ? usual_interpreted_entries : usual_entries);
  options.emitted = request.ptx;
  const loaded source = load(request.source, request.common);
  options.progress = counting(bar);
  const lab_result result = examine_as(source, request.type, options);
  const auto explanation = request.explain ? std::optional(lab_explanation(result)) : std::nullopt;
  if (!request.svg.empty()) write_file(request.svg, lab_svg(result));
  if (request.svg == "-") return;
  if (request.common.json)
    print(lab_json(result, explanation));
  else
    print_screen(lab_screen(result, explanation, terminal_of(1)));
}

void one_product(const lab_request& request, lab::lab_options options, progress_bar& bar) {
  options.most_entries = most_entries(request.entries, usual_products);
  const loaded source = load(request.source, request.common);
  options.progress = counting(bar);
  const lab_product result = examine_product(source, request.type, options);
  if (request.common.json)
    print(product_json(result));
  else
    print_screen(product_screen(result, terminal_of(1)));
}

void sweep_products(const lab_request& request, lab::lab_options options, progress_bar& bar) {
  options.most_entries = most_entries(request.entries, usual_products);
  const std::vector<std::string> specs = density_specs();
  std::vector<lab_product> products;
  for (const std::string& spec : specs) {
    source_options source = request.source;
    source.matrix = spec;
    options.progress = [&, report = bar.callback()](std::string_view, double share) {
      report("counting", (static_cast<double>(products.size()) + share) / static_cast<double>(specs.size()));
    };
    products.push_back(examine_product(load(source, request.common), request.type, options));
  }
  if (request.common.json)
    print(product_sweep_json(products));
  else
    print_screen(product_sweep_screen(products, terminal_of(1)));
}

void run_lab(const lab_request& request) {
  require_sense(request);
  lab::lab_options options;
  options.kernels = choose_methods(lab::all_methods(), request.kernels, request.blocks);
  options.model = &lab::gpu_named(request.gpu);
  options.threads = request.common.threads;
  progress_bar bar(request.common.quiet);
  const bool sweeps = !request.sweep.empty();
  if (request.operation == "spgemm")
    (sweeps ? sweep_products : one_product)(request, std::move(options), bar);
  else
    (sweeps ? sweep : one_matrix)(request, std::move(options), bar);
}

void add_options(option_list& options, lab_request& request) {
  options.add("MATRIX", request.source.matrix, "a file, - for standard input, or a generated matrix such as @rmat:16")
      .names_file(file_use::read_matrix);
  options.add("--op spmv|spgemm", request.operation, "spmv: A x; spgemm: A A, or A A^T where A is not square");
  std::string kernels;
  for (const lab::method_facts& method : lab::all_methods())
    kernels += fmt::format("{}{}", kernels.empty() ? "" : " ", method.name);
  options.add("--kernel KERNELS", request.kernels, "only these kernels or families, separated by commas")
      .list()
      .completed_by(kernels)
      .otherwise("all");
  options.add("--block LIST", request.blocks, "only variants with these threads per block: 128, 256, 512, 1024")
      .list()
      .one_of({128, 256, 512, 1024});
  options.add("--gpu " + names_of_gpus(), request.gpu, "the GPU to model");
  options.add("--type float|double", request.type, "value type").otherwise("as in the file");
  options.add("--entries N", request.entries, "number of entries, or of products for spgemm, to run; or all")
      .otherwise("2000000; spgemm: 1000000; --ptx: 200000");
  options.add(
      "--sweep rows|densities", request.sweep,
      "instead of a matrix: rows of 1, 2, 4 to 1024 entries; with --op spgemm, sizes with densities 1e-3 to 1e-5");
  options.add("--svg FILE", request.svg, "also draw the comparison; - is standard output").names_file(file_use::write);
  options.add("--ptx", request.ptx, "also count the emitted code: the PTX of each kernel under an interpreter");
  options.add("--explain", request.explain, "name the effect that decides and the kernel to take");
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command lab_command() {
  return make_command<lab_request>(
      {.name = "lab",
       .group = workshop_command("lab").group,
       .summary = workshop_command("lab").summary,
       .about =
           "Runs the device kernels on the host, counts every memory access of every warp, and models the time on a "
           "GPU; nothing runs on a GPU. For each kernel the table gives the share of busy lanes, the sectors of 32 "
           "bytes per request, the requests and bytes per entry, and from the model the DRAM bytes per entry, the "
           "time and the share of bandwidth. The fastest kernel comes first. Large matrices are sampled by blocks "
           "of rows.",
       .examples = {{"lacis lab @rmat:18 --explain", "which kernel suits a graph, and why"},
                    {"lacis lab --sweep rows --svg rows.svg", "kernels over the length of rows"}}},
      add_options, run_lab);
}

}  // namespace lacis::app

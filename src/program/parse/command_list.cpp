// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The commands and their options.

#include "lab/lab.hpp"
#include "parse/command_options.hpp"
#include "parse/commands.hpp"

namespace lacis::app {
namespace {

/// "t4|a100|..."
std::string names_of_gpus() {
  std::string names;
  for (const lab::gpu& gpu : lab::all_gpus()) names += (names.empty() ? "" : "|") + std::string(gpu.name);
  return names;
}

command info_command() {
  auto options = std::make_shared<info_request>();
  auto app =
      std::make_unique<CLI::App>("what a matrix is: sizes, structure, storage in each format, a picture", "info");
  app->add_option("MATRIX", options->source.matrix, "a file, - for standard input, or a description such as @rmat:16")
      ->required();
  app->add_option("--png", options->png, "draw the spy plot into this file as well (- for standard output)")
      ->type_name("FILE");
  app->add_option("--size", options->size, "pixels of the plot's longer side (800)")
      ->type_name("N")
      ->transform(whole_number(16, 8192));
  app->add_flag("--no-spy", options->no_spy, "no spy plot on the terminal");
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_info(*options); }};
}

void add_writer_options(CLI::App& app, convert_request& options) {
  app.add_option("--to", options.to, "write this format; the name's ending tells otherwise")->type_name(file_formats);
  app.add_flag("--no-symmetry", options.no_symmetry, "Matrix Market: write symmetric matrices in full");
}

command convert_command() {
  auto options = std::make_shared<convert_request>();
  auto app = std::make_unique<CLI::App>("rewrite a matrix in another file format", "convert");
  app->add_option("IN", options->source.matrix, "a file, - for standard input, or a description such as @rmat:16")
      ->required();
  app->add_option("OUT", options->output, "the file to write, or - for standard output")->required();
  add_writer_options(*app, *options);
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_convert(*options); }};
}

command generate_command() {
  auto options = std::make_shared<convert_request>();
  auto app = std::make_unique<CLI::App>("make a matrix from a short description", "generate");
  app->add_option("SPEC", options->source.matrix, "the description, such as @poisson3d:100");
  app->add_option("-o,--output", options->output, "the file to write, or - for standard output")->type_name("FILE");
  app->add_flag("--list", options->list, "name the generators and what they take");
  add_writer_options(*app, *options);
  add_generator_options(*app, options->source);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_generate(*options); }};
}

command spmv_command() {
  auto options = std::make_shared<spmv_request>();
  auto app = std::make_unique<CLI::App>("multiply a matrix with a vector and tell how fast that is", "spmv");
  app->add_option("MATRIX", options->source.matrix, "a file, - for standard input, or a description such as @rmat:16")
      ->required();
  app->add_option("X", options->x,
                  "the vector: a matrix file of one column, or text with one number per line, - for standard input");
  app->add_option("-o,--output", options->output, "write y, one number a line (- for standard output)")
      ->type_name("FILE");
  app->add_option("--device", options->device,
                  "multiply there too: simt is the host executor, cuda:1 the second GPU (cpu)")
      ->type_name(device_names);
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_mpi(*app, options->common);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_spmv(*options); }};
}

command spgemm_command() {
  auto options = std::make_shared<spgemm_request>();
  auto app = std::make_unique<CLI::App>("multiply two sparse matrices, within a memory limit if need be", "spgemm");
  app->add_option("A", options->source.matrix, "a file, - for standard input, or a description such as @rmat:16")
      ->required();
  app->add_option("B", options->b, "the second matrix (A once more)");
  app->add_option("-o,--output", options->output,
                  "write the product; a name that ends with .csr or a slash is a directory, - is standard output")
      ->type_name("FILE");
  app->add_option("--memory-limit", options->memory_limit,
                  "bytes that the program may hold, such as 6GB: the product is computed in parts")
      ->type_name("BYTES");
  app->add_option("--isa", options->isa, "the instruction set (the fastest that runs here)")
      ->type_name("scalar|avx2|avx512");
  app->add_flag("--explain", options->explain, "say which rows were computed how, and why");
  add_type(*app, options->type);
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_mpi(*app, options->common);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_spgemm(*options); }};
}

command verify_command() {
  auto options = std::make_shared<verify_request>();
  auto app = std::make_unique<CLI::App>("check that products here have the bits that their definition gives", "verify");
  app->add_option("OPERATION", options->operation,
                  "spmv: products with vectors and dense columns; spgemm: products of two sparse matrices (spmv; with "
                  "--device everything)")
      ->type_name("spmv|spgemm");
  app->add_option("--device", options->device,
                  "device kernels instead: simt is the host executor, cuda:1 the second GPU (cpu)")
      ->type_name(device_names);
  app->add_flag("--all", options->all, "every matrix with every pair of types: minutes instead of seconds");
  app->add_option("--isa", options->isas, "instruction sets, separated by commas (all that run here)")
      ->type_name("LIST")
      ->delimiter(',');
  app->add_option("--threads-list", options->threads,
                  "numbers of threads, separated by commas (1,2,3,4,7; spgemm: 1 to 7)")
      ->type_name("LIST")
      ->delimiter(',')
      ->transform(whole_number(1, most_threads));
  app->add_flag("-q,--quiet", options->common.quiet, "no progress bar and no remarks");
  app->add_flag("--json", options->common.json, "the result as JSON on standard output");
  return {std::move(app), [options] { run_verify(*options); }};
}

command doctor_command() {
  auto options = std::make_shared<doctor_request>();
  auto app = std::make_unique<CLI::App>("what this machine offers and what could be better", "doctor");
  app->add_option("--device", options->device, "check and time this device: simt, cuda, or cuda:1 for the second GPU")
      ->type_name("simt|cuda");
  app->add_flag("--measure", options->measure, "time the memory (20 s) and keep the result as the machine's profile");
  app->add_option("--profile", options->profile, "the file of the profile (~/.cache/lacis/machine.json)")
      ->type_name("FILE");
  add_common(*app, options->common);
  return {std::move(app), [options] { options->device.empty() ? run_doctor(*options) : run_doctor_device(*options); }};
}

command plan_command() {
  auto options = std::make_shared<plan_request>();
  auto app = std::make_unique<CLI::App>("which layout suits a matrix, what the others would cost, and why", "plan");
  app->add_option("MATRIX", options->source.matrix, "a file, - for standard input, or a description such as @rmat:16")
      ->required();
  add_uses(*app, options->uses);
  app->add_option("--memory-limit", options->memory_limit, "bytes that the plan may hold, such as 500M or 2G")
      ->type_name("BYTES");
  app->add_option("--layout", options->layout, "this one instead of the best")->type_name("csr|sell|stencil|staged");
  app->add_option("--reorder", options->reorder, "another numbering for rows and columns (none)")
      ->type_name("none|rcm|chain|degree");
  app->add_option("--values-as", options->values_as,
                  "exact: as narrow as they stay the same; given: as they are; float: rounded (exact)")
      ->type_name("exact|given|float");
  app->add_option("--columns", options->columns, "the most dense columns that a product will have (1)")
      ->type_name("K")
      ->transform(whole_number(1, std::uint64_t{1} << 30));
  app->add_flag("--tune", options->tune, "time the best candidates, and remember what was found");
  add_type(*app, options->type);
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_plan(*options); }};
}

command bench_command() {
  auto options = std::make_shared<bench_request>();
  auto app =
      std::make_unique<CLI::App>("how fast everything is, against other libraries; how well plans choose", "bench");
  app->add_option(
         "OPERATION", options->operation,
         "spmv: the product with a vector; spgemm: of two sparse matrices; plan: whether plans choose the fastest "
         "layout; cg, pagerank: an iteration; trsv: a triangular system; ilu0, ic0: incomplete factors")
      ->type_name("spmv|spgemm|plan|cg|pagerank|trsv|ilu0|ic0")
      ->required();
  app->add_option("MATRIX", options->matrices, "files, - for standard input, or descriptions such as @rmat:16");
  app->add_option(
         "--peers", options->peers,
         "compare with mkl, eigen, scipy, graphblas, or all; spgemm: also mkl-unsorted, scipy-sorted; cg: also "
         "mkl-loop, petsc")
      ->type_name("LIST");
  app->add_option("--with", options->with, "spgemm: the second matrix of every product (each is squared)")
      ->type_name("FILE");
  app->add_option("--chart", options->chart, "spgemm: draw how everything compares, as SVG (- for standard output)")
      ->type_name("FILE");
  app->add_option("--formats", options->formats, "spmv: only coo, csr, csc, ell, hyb, jds, sell, bsr, dia, plan")
      ->type_name("LIST");
  app->add_option("--reorder", options->reorder, "spmv: plans in these numberings as well, separated by commas")
      ->type_name("rcm|chain|degree")
      ->delimiter(',')
      ->allow_extra_args(false);
  app->add_option("--roofline", options->roofline, "spmv: draw the plan and the libraries below the roof of memory")
      ->type_name("FILE");
  app->add_option("--export-markdown", options->markdown,
                  "spmv: the table in this file as well (- for standard output)")
      ->type_name("FILE");
  app->add_flag("--all", options->all, "plan: a list of 70 generated matrices, which takes about a quarter of an hour");
  add_uses(*app, options->uses);
  add_type(*app, options->type);
  app->add_option("--seconds", options->seconds, "measure each matrix for so long (10, plan: 1)")
      ->type_name("S")
      ->check(real_number(0.0, 86400.0));
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_bench(*options); }};
}

command lab_command() {
  auto options = std::make_shared<lab_request>();
  auto app = std::make_unique<CLI::App>(
      "what each kernel asks of a GPU's memory, counted here, and what a GPU would make of it, modelled", "lab");
  app->add_option("MATRIX", options->source.matrix, "a file, - for standard input, or a description such as @rmat:16");
  app->add_option("--op", options->operation, "spmv, or spgemm: A A, of a matrix that is not square A A^T (spmv)")
      ->type_name("spmv|spgemm");
  app->add_option("--kernel", options->kernels, "only these, by name or family, separated by commas (all)")
      ->type_name("KERNELS")
      ->delimiter(',')
      ->allow_extra_args(false);
  app->add_option("--block", options->blocks, "only variants with blocks of 128, 256, 512 or 1024 threads")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({128, 256, 512, 1024}).description(""));
  app->add_option("--gpu", options->gpu, "the GPU to model (t4: its L2 is smaller than most matrices)")
      ->type_name(names_of_gpus());
  app->add_option("--type", options->type, "the type of the values; as they come otherwise")->type_name("float|double");
  app->add_option("--entries", options->entries,
                  "run so many entries of larger matrices (2000000), or products (1000000), or all")
      ->type_name("N");
  app->add_option("--sweep", options->sweep, "rows: matrices with rows of 1 to 1024 entries instead of one matrix")
      ->type_name("rows");
  app->add_option("--svg", options->svg, "draw the comparison into this file as well (- for standard output)")
      ->type_name("FILE");
  app->add_flag("--explain", options->explain, "say which effect decides and which kernel to take");
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_lab(*options); }};
}

command solve_command() {
  auto options = std::make_shared<solve_request>();
  auto app = std::make_unique<CLI::App>("solve a system of equations by iteration and say why so", "solve");
  app->add_option("MATRIX", options->source.matrix,
                  "a file, - for standard input, or a description such as @poisson3d:100")
      ->required();
  app->add_option("B", options->b,
                  "the right side: a matrix file of one column, or text with one number per line, - for standard input "
                  "(A times ones)");
  app->add_option("-o,--output", options->output, "write x, one number a line (- for standard output)")
      ->type_name("FILE");
  app->add_option("--method", options->method,
                  "the method (auto: what the matrix suggests, and others if that fails); direct: whole factors")
      ->type_name("auto|cg|minres|bicgstab|gmres|fgmres|lsqr|chebyshev|direct");
  app->add_option("--preconditioner", options->preconditioner, "the preconditioner (auto)")
      ->type_name("auto|none|jacobi|block-jacobi|ssor|ilu0|ic0|chebyshev");
  app->add_option("--tolerance", options->tolerance, "the residual to reach, |b - A x| / |b| (1e-8)")
      ->type_name("R")
      ->check(real_number(0.0, 1.0));
  app->add_option("--max-iterations", options->max_iterations, "at most so many (ten times the unknowns)")
      ->type_name("N")
      ->transform(whole_number(1, std::uint64_t{1} << 60));
  app->add_option("--restart", options->restart, "gmres, fgmres: directions that are kept (50)")
      ->type_name("N")
      ->transform(whole_number(1, 10000));
  app->add_option("--device", options->device, "solve there: simt is the host executor, cuda:1 the second GPU (cpu)")
      ->type_name(device_names);
  app->add_option("--checkpoint", options->checkpoint, "keep the state in this directory, and go on from it")
      ->type_name("DIR");
  app->add_option("--every", options->every, "iterations between checkpoints (100)")
      ->type_name("N")
      ->transform(whole_number(1, std::uint64_t{1} << 60));
  app->add_option("--svg", options->svg, "draw the convergence into this file (- for standard output)")
      ->type_name("FILE");
  app->add_flag("--mixed", options->mixed, "iterate with half the digits, and correct with all of them");
  app->add_flag("--monitor", options->monitor, "a line for every iteration on standard error");
  app->add_flag("--profile", options->profile, "time by operation, each with its share of the memory's limit");
  add_type(*app, options->type);
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_mpi(*app, options->common);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_solve(*options); }};
}

command pagerank_command() {
  auto options = std::make_shared<pagerank_request>();
  auto app = std::make_unique<CLI::App>("rank the pages of a web by the links between them", "pagerank");
  app->add_option("LINKS", options->source.matrix,
                  "an edge list or another file, - for standard input, or a description such as @rmat:20")
      ->required();
  app->add_option("--top", options->top, "show so many of the best pages (10)")
      ->type_name("K")
      ->transform(whole_number(0, std::uint64_t{1} << 60));
  app->add_option("--damping", options->damping, "how often a reader follows a link (0.85)")
      ->type_name("D")
      ->check(real_number(0.0, 0.999999));
  app->add_option("--tolerance", options->tolerance, "stop when ranks change by less, summed over all pages (1e-6)")
      ->type_name("R")
      ->check(real_number(0, 2));
  app->add_option("--max-iterations", options->max_iterations, "at most so many (100)")
      ->type_name("N")
      ->transform(whole_number(1, std::uint64_t{1} << 60));
  app->add_option("--personalisation", options->personalisation,
                  "where readers who follow no link go: one number a page, one a line")
      ->type_name("FILE");
  app->add_option("-o,--output", options->output, "write all ranks, one number a line (- for standard output)")
      ->type_name("FILE");
  add_reader_options(*app, options->source);
  add_generator_options(*app, options->source);
  add_mpi(*app, options->common);
  add_common(*app, options->common);
  return {std::move(app), [options] { run_pagerank(*options); }};
}

command completion_command() {
  auto options = std::make_shared<completion_request>();
  auto app = std::make_unique<CLI::App>("a completion script for a shell", "completion");
  app->add_option("SHELL", options->shell, "the shell")->type_name("bash|zsh|fish")->required();
  return {std::move(app), [options] { run_completion(*options); }};
}

command help_command() {
  auto options = std::make_shared<help_request>();
  auto app = std::make_unique<CLI::App>("how to use a command", "help");
  app->add_option("COMMAND", options->command, "the command");
  return {std::move(app), [options] { run_help(*options); }};
}

}  // namespace

std::vector<command> make_commands() {
  std::vector<command> all;
  for (const auto make : {info_command, convert_command, generate_command, spmv_command, spgemm_command, solve_command,
                          pagerank_command, reorder_command, partition_command, scale_command, plan_command,
                          bench_command, lab_command, verify_command, doctor_command, completion_command, help_command})
    all.push_back(make());
  for (command& c : all) c.parser->set_help_flag();  // ours is --help too, but its text is that of lacis help
  return all;
}

}  // namespace lacis::app

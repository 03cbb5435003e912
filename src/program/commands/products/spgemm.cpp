// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis spgemm: the product of two sparse matrices, whole or part by part within a memory limit.
#include "commands/products/spgemm.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <optional>

#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/io.hpp>
#include <lacis/memory.hpp>
#include <lacis/spgemm.hpp>

#include "commands/machine/machine.hpp"
#include "commands/plan/words.hpp"
#include "console/console.hpp"
#include "console/interrupt.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "input/matrix_hash.hpp"
#include "input/operands.hpp"
#include "measure/clock.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using measure::clock;
using measure::seconds_since;

std::string size_text(std::int64_t bytes) { return plot::bytes_text(static_cast<double>(bytes)); }

/// What the memory limit leaves to the product: less than the user gave, since the program and the operands count too.
std::int64_t left_for_product(std::int64_t limit) {
  release_recycled_memory();
  const std::int64_t held = memory_of_process().resident;
  if (held >= limit)
    throw error(errc::out_of_memory,
                fmt::format("the program and its input hold {} already, the memory limit is {}; raise it",
                            size_text(held), size_text(limit)));
  return limit - held;
}

/// One product of two matrices of these types.
template <class Value, class Index> class product_run {
 public:
  product_run(const spgemm_request& request, const csr_matrix<Value, Index>& a, const csr_matrix<Value, Index>& b,
              spgemm_findings& found)
      : request_(request), a_(a), b_(b), found_(found), bar_(request.common.quiet) {
    if (!request.isa.empty()) options_.isa = parse_isa(request.isa);
    options_.progress = bar_.callback();
    to_directory_ = names_csr_directory(request.output);
    found.hashes = hashes_of_no_rows();
  }

  void run() {
    if (found_.memory_limit > 0) {
      // Freed pages that are kept would count as memory of the process.
      set_recycled_memory_limit(0);
      options_.memory_limit = left_for_product(found_.memory_limit);
    }
    if (to_directory_) directory_.emplace(request_.output, a_.rows, b_.cols);
    if (found_.memory_limit > 0 && (to_directory_ || request_.output.empty()))
      in_slabs();
    else
      whole();
    if (!directory_) return;
    bar_.announce("finishing the files");
    const auto begin = clock::now();
    directory_->commit();
    found_.write_seconds += seconds_since(begin);
  }

 private:
  void in_slabs() {
    std::int64_t entries = 0;
    const auto take = [&](std::int64_t first_row, const csr_matrix<Value, Index>& slab) {
      keep(slab, first_row, entries);
      entries += slab.nnz();
    };
    try {
      multiply_in_slabs(a_, b_, take, options_, &found_.report);
    } catch (const error& problem) {
      if (is_beyond_limit(problem)) throw error(problem.code(), fmt::format("{} ({})", problem.what(), limit_words()));
      throw;
    }
  }

  void whole() {
    csr_matrix<Value, Index> c;
    try {
      c = multiply(a_, b_, options_, &found_.report);
    } catch (const error& problem) {
      if (is_beyond_limit(problem))
        throw error(problem.code(),
                    fmt::format("the product does not fit: {}; raise it, or -o NAME.csr, which writes the product part "
                                "by part into a directory",
                                limit_words()));
      throw;
    }
    keep(c, 0, 0);
    if (request_.output.empty() || directory_) return;
    const auto begin = clock::now();
    write_options options;
    options.progress = bar_.callback();
    write(request_.output, c, options);
    found_.write_seconds = seconds_since(begin);
  }

  void keep(const csr_matrix<Value, Index>& part, std::int64_t first_row, std::int64_t first_entry) {
    const auto begin = clock::now();
    add_hashes(part.view(), first_row, first_entry, found_.hashes);
    found_.hash_seconds += seconds_since(begin);
    if (!directory_) return;
    const auto begin_writing = clock::now();
    directory_->append(part);
    found_.write_seconds += seconds_since(begin_writing);
  }

  [[nodiscard]] bool is_beyond_limit(const error& problem) const {
    return problem.code() == errc::out_of_memory && found_.memory_limit > 0;
  }

  [[nodiscard]] std::string limit_words() const {
    return fmt::format("the memory limit of {} leaves {} beside the program and its input",
                       size_text(found_.memory_limit), size_text(options_.memory_limit));
  }

  const spgemm_request& request_;
  const csr_matrix<Value, Index>& a_;
  const csr_matrix<Value, Index>& b_;
  spgemm_findings& found_;
  progress_bar bar_;
  spgemm_options options_;
  bool to_directory_ = false;
  std::optional<csr_directory_writer<Value, Index>> directory_;
};

template <class Value, class Index>
void multiply_and_tell(const spgemm_request& request, const csr_matrix<Value, Index>& a,
                       const csr_matrix<Value, Index>& b, spgemm_findings& found) {
  found.rows = a.rows;
  found.inner = a.cols;
  found.cols = b.cols;
  found.a_entries = a.nnz();
  found.b_entries = b.nnz();
  found.value_type = type_name<Value>();
  product_run<Value, Index>(request, a, b, found).run();
  found.peak_bytes = memory_of_process().peak;
}

void require_sense(const spgemm_request& request) {
  if (request.output == "-" && request.common.json)
    throw error(errc::invalid_argument,
                "--json and an output of - both write to standard output; write one of them to a file");
  require_one_standard_input(request.source, request.b);
  if (!request.isa.empty()) static_cast<void>(parse_isa(request.isa));
}

void run_spgemm(const spgemm_request& request) {
  if (request.common.mpi) return run_spgemm_on_cluster(request);
  require_sense(request);
  spgemm_findings found;
  if (!request.memory_limit.empty()) found.memory_limit = parse_bytes(request.memory_limit, "--memory-limit");
  const interrupt_guard guard;  // unfinished files must not stay behind
  loaded first = load(request.source, request.common);
  any_csr a = with_type(std::move(first.matrix), request.type);
  any_csr b;
  found.a = found.b = first.name;
  found.read_seconds = first.seconds;
  const bool is_squared = request.b.empty();
  if (is_squared && !is_square(a))
    throw error(errc::bad_input, found.a + " is not square, so it cannot be squared; name a second matrix");
  if (!is_squared) {
    source_options source = request.source;
    source.matrix = request.b;
    loaded second = load(source, request.common);
    b = with_type(std::move(second.matrix), request.type);
    found.b = second.name;
    found.read_seconds += second.seconds;
    make_alike(a, b);
    const std::int64_t columns = std::visit([](const auto& left) { return left.cols; }, a);
    const std::int64_t rows = std::visit([](const auto& right) { return right.rows; }, b);
    if (columns != rows)
      throw error(errc::bad_input, fmt::format("{} has {} columns and {} has {} rows; a product needs as many", found.a,
                                               columns, found.b, rows));
  }
  found.input_bytes = bytes_of(a) + (is_squared ? 0 : bytes_of(b));
  found.output = shown(request.output);
  std::visit(
      [&]<class Matrix>(const Matrix& left) {
        multiply_and_tell(request, left, is_squared ? left : std::get<Matrix>(b), found);
      },
      a);
  const bool matrix_on_output = request.output == "-";
  if (request.common.json) return print(spgemm_json(found));
  const terminal where = terminal_of(matrix_on_output ? 2 : 1);
  std::string text = spgemm_screen(found, where);
  if (request.explain) {
    text += '\n';
    for (const std::string& line : spgemm_explanation(found))
      text += "  " + wrapped(line, 2, static_cast<std::size_t>(where.columns)) + '\n';
  }
  if (!matrix_on_output)
    print_screen(text);
  else if (!request.common.quiet)
    std::fputs(text.c_str(), stderr);
}

void add_options(option_list& options, spgemm_request& request) {
  add_matrix(options, request.source, "A");
  options.add("B", request.b, "the second matrix").otherwise("A").names_file(file_use::read_matrix);
  options
      .add("-o,--output FILE", request.output,
           "write the product; a name that ends with .csr or a slash is a directory, - is standard output")
      .names_file(file_use::write_matrix);
  options.add("--memory-limit BYTES", request.memory_limit,
              "memory of the program, such as 6G: the product is computed in slabs of rows that fit");
  options.add("--isa scalar|avx2|avx512", request.isa, "instruction set").otherwise("the fastest of this processor");
  options.add("--explain", request.explain, "explain which rows were computed by which method");
  add_type(options, request.type);
  add_mpi(options, request.common);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command spgemm_command() {
  return make_command<spgemm_request>(
      {.name = "spgemm",
       .group = command_group::compute,
       .summary = "multiply two sparse matrices, within a memory limit if given",
       .about =
           "Computes C = A B and prints the number of scalar products, the entries of C, their ratio (compression), "
           "the time per phase, the peak memory, the rows per method and a hash per array of C, which is the same "
           "on every machine and for any number of threads. With a memory limit, C is computed in slabs and written "
           "to a directory slab by slab; where the format needs all of C at once and it does not fit, the exit "
           "status is 5.",
       .examples = {{"lacis spgemm a.mtx -o square.npz", "a matrix times itself"},
                    {"lacis spgemm a.mtx b.mtx --memory-limit 2G -o c.csr", "slab by slab to a directory"}}},
      add_options, run_spgemm);
}

}  // namespace lacis::app

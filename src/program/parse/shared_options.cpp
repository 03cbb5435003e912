// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options that several commands take.
#include "parse/shared_options.hpp"

#include <limits>

#include <lacis/io.hpp>

namespace lacis::app {

std::string with_choices(const char* name, const char* choices) { return std::string(name) + ' ' + choices; }

void add_matrix(option_list& options, source_options& source, const char* name) {
  options.add(name, source.matrix, "a file, - for standard input, or a generated matrix such as @rmat:16")
      .required()
      .names_file(file_use::read_matrix);
}

void add_generator(option_list& options, source_options& source) {
  options.section(option_section::input);
  options.add("--values natural|pattern|ones|integer|random|symmetric", source.values, "values of a generated matrix")
      .otherwise("natural");
  options.add("--seed N", source.seed, "seed of a generated matrix")
      .integers(0, std::numeric_limits<std::uint64_t>::max())
      .otherwise("1");
}

void add_input(option_list& options, source_options& source) {
  options.section(option_section::input);
  options.add(with_choices("--from", file_formats), source.from, "input format")
      .otherwise("recognised by the content")
      .about_files();
  options.add("--compact-ids", source.compact_ids, "edge lists: number the ids that occur without gaps").about_files();
  options.add("--undirected", source.undirected, "edge lists: store each edge in both directions").about_files();
  options.add("--round-integers", source.round_integers, "round integers that no double represents exactly")
      .about_files();
  options
      .add("--max-bytes BYTES", source.max_bytes,
           "largest input held in memory, before and after unpacking, such as 6G")
      .otherwise("half of the available memory");
  options.add("--max-ratio N", source.max_ratio, "largest ratio of unpacked to compressed bytes")
      .integers(1, std::uint64_t{1} << 40)
      .otherwise(std::to_string(default_max_ratio));
  add_generator(options, source);
}

void add_type(option_list& options, std::string& type) {
  options.add("--type float|double|complex-float|complex-double", type, "value type")
      .otherwise("double or complex-double, as in the file");
}

void add_uses(option_list& options, double& uses) {
  options.add("--uses N", uses, "number of products that a plan is made for").reals(1, 1e18);
}

void add_to(option_list& options, std::string& format) {
  options.add(with_choices("--to", file_formats), format, "output format; csr-directory is a directory of NumPy arrays")
      .otherwise("from the file extension");
}

void add_mpi(option_list& options, common_options& common) {
  options.add("--mpi", common.mpi, "run as one of the ranks that mpirun has started; rows are distributed over them");
}

void add_common_output(option_list& options, common_options& common) {
  options.section(option_section::general);
  options.add("-q,--quiet", common.quiet, "no progress bar and no remarks");
  options.add("--json", common.json, "print the result as JSON");
}

void add_common(option_list& options, common_options& common) {
  add_common_output(options, common);
  options.add("--threads N", common.threads, "number of threads")
      .integers(1, most_threads)
      .otherwise("OMP_NUM_THREADS, or one per core");
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The list of generators, and the way from a description to a matrix.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "generate/generator.hpp"
#include "summation/environment.hpp"

namespace lacis {
namespace detail {
namespace {

constexpr std::array all_generators{&banded_generator,    &density_generator,   &kmer_generator,     &mesh3d_generator,
                                    &poisson2d_generator, &poisson3d_generator, &powerlaw_generator, &rmat_generator,
                                    &stencil27_generator, &uniform_generator};

const generator& find_generator(const spec_parts& spec) {
  for (const generator* candidate : all_generators)
    if (candidate->info.name == spec.name) return *candidate;
  throw error(errc::invalid_argument, text('\'', spec.written, "': there is no generator '", spec.name, '\'',
                                           name_hint(spec.name, generators())));
}

/// A description whose generator exists and has the right number of arguments.
struct request {
  explicit request(std::string_view written)
      : spec(parse_spec(written)), chosen(find_generator(spec)), arguments(spec, chosen.info) {
    arguments.require_count(chosen.least_arguments, chosen.most_arguments);
  }
  request(const request&) = delete;
  request& operator=(const request&) = delete;

  spec_parts spec;
  const generator& chosen;
  argument_reader arguments;
};

}  // namespace

template <class Value, class Index>
csr_matrix<Value, Index> generate(std::string_view spec, const generate_options& options) {
  const summation::rounding_guard guard;
  const request wanted(spec);
  const matrix_size size = wanted.chosen.size(wanted.arguments);
  const row_range rows = options.rows.value_or(row_range{0, size.rows});
  if (rows.first < 0 || rows.first > rows.last || rows.last > size.rows)
    throw error(errc::invalid_argument,
                text(spec, " has ", size.rows, " rows; there are no rows from ", rows.first, " to ", rows.last));
  require_index<Index>(rows.last - rows.first, text("rows of ", spec));
  require_index<Index>(size.cols, text("columns of ", spec));
  const std::uint64_t seed = wanted.spec.seed.value_or(options.seed);
  const progress& report = options.progress;
  try {
    made_places<Index> made;
    if constexpr (sizeof(Index) == 4)
      made = wanted.chosen.make_32(wanted.arguments, seed, rows, report);
    else
      made = wanted.chosen.make_64(wanted.arguments, seed, rows, report);
    auto values = draw_values<Value>(made.places, made.rule, options.values, seed, report);
    return {made.places.rows, made.places.cols, std::move(made.places.row_offsets), std::move(made.places.columns),
            std::move(values)};
  } catch (const error& problem) {
    if (problem.code() != errc::out_of_memory && problem.code() != errc::overflow) throw;
    throw error(problem.code(), text(spec, ": ", problem.what(), "; ask for a smaller matrix"));
  }
}

#define LACIS_INSTANTIATE(Value, Index) \
  template LACIS_API csr_matrix<Value, Index> generate<Value, Index>(std::string_view, const generate_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace detail

const std::vector<generator_info>& generators() {
  static const std::vector<generator_info> list = [] {
    std::vector<generator_info> infos;
    for (const detail::generator* each : detail::all_generators) infos.push_back(each->info);
    return infos;
  }();
  return list;
}

bool is_generator_spec(std::string_view text) { return text.starts_with('@'); }

matrix_size size_of_generated(std::string_view spec) {
  const detail::request wanted(spec);
  return wanted.chosen.size(wanted.arguments);
}

any_csr generate_any(std::string_view spec, const generate_options& options) {
  const matrix_size size = size_of_generated(spec);
  if (std::max(size.rows, size.cols) > std::numeric_limits<std::int32_t>::max())
    return generate<double, std::int64_t>(spec, options);
  return generate<double, std::int32_t>(spec, options);
}

}  // namespace lacis

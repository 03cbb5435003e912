// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a generator is: a name, a usage, and functions that size and make its matrices.
#pragma once

#include <cstdint>

#include <lacis/generate.hpp>
#include <lacis/progress.hpp>

#include "generate/row_pattern.hpp"
#include "generate/spec.hpp"
#include "generate/values.hpp"

namespace lacis::detail {

/// The places of a generated matrix and the rule for their values.
template <index Index> struct made_places {
  row_pattern<Index> places;
  value_rule rule;
};

template <index Index>
using make_places = made_places<Index> (*)(const argument_reader& arguments, std::uint64_t seed, row_range rows,
                                           const progress& report);

/// Constants, one a generator. Both size and make check all arguments, and that all sizes fit 64 bits, before anything
/// is allocated; generate() has checked that the columns fit Index and that there are such rows.
struct generator {
  generator_info info;
  std::size_t least_arguments;
  std::size_t most_arguments;
  matrix_size (*size)(const argument_reader& arguments);
  make_places<std::int32_t> make_32;
  make_places<std::int64_t> make_64;
};

extern const generator banded_generator;
extern const generator density_generator;
extern const generator kmer_generator;
extern const generator mesh3d_generator;
extern const generator poisson2d_generator;
extern const generator poisson3d_generator;
extern const generator powerlaw_generator;
extern const generator rmat_generator;
extern const generator stencil27_generator;
extern const generator uniform_generator;

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices made from a short description: @poisson3d:100, @rmat:20, @kmer:55000000 and their kin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/any_csr.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/progress.hpp>
#include <lacis/types.hpp>

namespace lacis {

/// The values that generated entries get.
enum class generated_values {
  natural,   ///< what the generator is known for: a pattern for graphs (kmer, rmat); an integer on the diagonal and
             ///< -1 elsewhere for grids, meshes and bands; as `integer` for the others
  pattern,   ///< one value, 1, stored once (iso)
  ones,      ///< 1 for each entry, stored for each
  integer,   ///< integers from -8 to 8 without 0; symmetric when the pattern always is
  random,    ///< uniform in [-1, 1); symmetric when the pattern always is
  symmetric  ///< as `random`, with the same value at (i, j) and (j, i) whatever the pattern is
};

/// How a matrix is generated, beside its description.
struct generate_options {
  std::uint64_t seed = 1;  ///< the same seed gives the same matrix on every machine, with any number of threads
  generated_values values = generated_values::natural;  ///< what the entries are
  lacis::progress progress = {};                        ///< called with the share of the matrix that is made
  /// Only these rows, as a matrix with all columns; default: all rows.
  std::optional<row_range> rows = {};
};

/// One generator, for help texts.
struct generator_info {
  std::string_view name;       ///< "rmat"
  std::string_view arguments;  ///< "SCALE[,EDGEFACTOR]"
  std::string_view summary;    ///< one line
};

/// All of them, in order of name.
[[nodiscard]] LACIS_API const std::vector<generator_info>& generators();
/// Whether the text is a generator's description: it begins with '@'.
[[nodiscard]] LACIS_API bool is_generator_spec(std::string_view text);
/// The rows and columns that a description stands for, without making the matrix.
[[nodiscard]] LACIS_API matrix_size size_of_generated(std::string_view spec);

namespace detail {
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> generate(std::string_view spec, const generate_options& options);
}

/// The matrix that `spec` describes, with canonical rows: "@name:argument,argument", with ",seed=7" at the end to
/// replace the options' seed. Numbers may be written 1000000, 1e6, 1M (k, M, G are powers of a thousand). Values that
/// are not real numbers get imaginary part 0, except generated_values::integer, random and symmetric, where both parts
/// are drawn. Throws error(invalid_argument) with the usage, error(overflow) when sizes do not fit 64 bits or Index,
/// and error(out_of_memory).
template <value Value, index Index = std::int32_t>
[[nodiscard]] csr_matrix<Value, Index> generate(std::string_view spec, const generate_options& options = {}) {
  return detail::generate<Value, Index>(spec, options);
}

/// The same in double precision, with 32-bit columns where they fit.
[[nodiscard]] LACIS_API any_csr generate_any(std::string_view spec, const generate_options& options = {});

}  // namespace lacis

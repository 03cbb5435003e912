// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// @uniform: the same number of random columns in every row.
#include <limits>

#include "base/checked.hpp"
#include "generate/draw_columns.hpp"
#include "generate/generator.hpp"

namespace lacis::detail {
namespace {

struct uniform_rows {
  std::int64_t n;
  std::int64_t per_row;
  random_words words;

  [[nodiscard]] std::int64_t length(std::int64_t) const { return per_row; }
  template <index Index> void write(std::int64_t i, Index* out) const {
    draw_columns(per_row, n, random_words(words(i)), out);
  }
};

uniform_rows read(const argument_reader& arguments, std::uint64_t seed) {
  const std::int64_t n = arguments.whole(0, "N", 1, std::numeric_limits<std::int64_t>::max());
  const std::int64_t per_row = arguments.whole(1, "PER_ROW", 0, n);
  static_cast<void>(checked_multiply(n, per_row, arguments.naming("entries")));
  return {n, per_row, random_words(seed, purpose::row_columns)};
}

matrix_size size(const argument_reader& arguments) {
  const uniform_rows rows = read(arguments, 0);
  return {rows.n, rows.n};
}

template <index Index>
made_places<Index> make(const argument_reader& arguments, std::uint64_t seed, row_range rows, const progress& report) {
  const uniform_rows all = read(arguments, seed);
  return {build_rows<Index>(rows, all.n, all, report), {natural_values::integer, 0, false}};
}

}  // namespace

constinit const generator uniform_generator{
    {"uniform", "N,PER_ROW", "N x N, in each row PER_ROW different columns drawn at random"},
    2,
    2,
    size,
    make<std::int32_t>,
    make<std::int64_t>};

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrices whose rows follow each other's pattern: patterns of C's rows found once, its size known at once.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <lacis/csr.hpp>

#include "cpu/spgemm/shapes.hpp"

namespace lacis::cpu {

/// The pattern of a row of C, for a row of A and rows of B of certain shapes: its columns from the diagonal on, and for
/// each the products in ascending k.
struct spgemm_template {
  struct term {
    std::int32_t a;      ///< which entry of the row of A
    std::int32_t b;      ///< which entry of the row of B
    std::int32_t shift;  ///< from the row of C to that row of B
  };
  std::vector<std::int32_t> columns;  ///< with room to read a vector from the last one on
  std::vector<std::int32_t> ends;     ///< of each entry's terms
  std::vector<term> terms;

  [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(ends.size()); }
};

/// Neighbouring rows of C that have one template.
struct spgemm_run {
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
  std::int64_t first_entry = 0;  ///< in C
  std::size_t pattern = 0;       ///< which template
};

/// All of C's rows in runs. Depends on patterns alone.
struct spgemm_runs {
  operand_shapes shapes;
  std::deque<spgemm_template> patterns;
  std::vector<spgemm_run> all;
  std::int64_t products = 0;
  std::int64_t entries = 0;

  [[nodiscard]] std::int64_t products_of(const spgemm_run& run) const {
    return run.rows * static_cast<std::int64_t>(patterns[run.pattern].terms.size());
  }
  [[nodiscard]] std::int64_t bytes() const;
};

/// Null when an operand is not of this kind, or when rows of C have too many patterns. The columns of every row are
/// found to ascend on the way: otherwise error(invalid_matrix).
template <class T, class Index>
[[nodiscard]] std::unique_ptr<spgemm_runs> find_runs(const csr_view<T, Index>& a, const csr_view<T, Index>& b);

/// Where the factors of a term are, from a row's number on.
struct spgemm_factors {
  std::int64_t a;
  std::int64_t b;
};

/// Values laid out for the terms of every template.
template <class T> struct spgemm_tiles {
  operand_values<T> values;
  std::vector<std::vector<spgemm_factors>> factors;  ///< for each template

  [[nodiscard]] std::int64_t bytes() const;
};
template <class T, class Index>
[[nodiscard]] spgemm_tiles<T> lay_out(const csr_view<T, Index>& a, const csr_view<T, Index>& b,
                                      const spgemm_runs& runs);

}  // namespace lacis::cpu

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Patterns of a product's rows, each found once for all rows that have it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include <lacis/csr.hpp>

#include "cpu/spgemm_shapes.hpp"

namespace lacis::cpu {

/// The pattern of a row of C for a row of A and rows of B of certain shapes: its columns from the diagonal on, and for
/// each the factors of its products in ascending k.
struct spgemm_template {
  struct term {
    std::int64_t a;  ///< where the factors of row i are, from i on
    std::int64_t b;
  };
  std::vector<std::int32_t> columns;  ///< with room to read a vector from the last one on
  std::vector<std::int32_t> ends;     ///< of each entry's terms
  std::vector<term> terms;

  [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(ends.size()); }
};

/// The templates of a product, made as threads ask for them.
class spgemm_templates {
 public:
  /// Templates at most. A matrix that needs more has no pattern worth the name.
  static constexpr std::size_t most = 1024;

  using key = std::vector<std::int32_t>;
  using known = std::pair<const key, spgemm_template>;

  /// The template for row i of C; null when there are too many. `last` is what the thread was given before.
  template <class T, class Index>
  [[nodiscard]] const known* find(const csr_view<T, Index>& a, const csr_view<T, Index>& b,
                                  const operand_shapes& shapes, const operand_values<T>& values, std::int64_t row,
                                  const known* last);

 private:
  std::mutex mutex_;
  std::map<key, spgemm_template> all_;
};

}  // namespace lacis::cpu

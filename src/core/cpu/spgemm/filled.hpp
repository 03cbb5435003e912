// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The left operand of a sparse product without what adds nothing: rows without entries, and entries that meet an empty
// row of B. Where most rows are empty, passing over them costs more than the products.
#pragma once

#include <cstdint>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

namespace lacis::cpu {

template <class T, class Index> class spgemm_filled_part {
 public:
  /// Whether it is worth it. Above this number of rows the threads that count them are faster.
  [[nodiscard]] static bool pays(const csr_view<T, Index>& a) {
    return a.rows <= most_rows && a.nnz() + a.nnz() / 16 < a.rows;
  }

  /// A has as many columns as B has rows. Throws error(invalid_matrix) when the columns of a row of A do not ascend.
  spgemm_filled_part(const csr_view<T, Index>& a, const csr_view<T, Index>& b);

  [[nodiscard]] csr_view<T, Index> view() const;
  /// Offsets of all rows from those of the rows that are left.
  [[nodiscard]] buffer<std::int64_t> spread(const buffer<std::int64_t>& offsets) const;
  [[nodiscard]] std::int64_t bytes() const;

 private:
  static constexpr std::int64_t most_rows = std::int64_t{1} << 18;

  const csr_view<T, Index>& a_;
  std::int64_t kept_rows_ = 0;
  buffer<std::int32_t> rows_;  ///< which they are
  buffer<std::int64_t> offsets_;
  buffer<Index> columns_;
  buffer<T> values_;  ///< empty when one stands for all
};

}  // namespace lacis::cpu

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// R A P for new values: where each product goes is found once, as a place in its row, and not looked up again.
//
// A place is a byte. Products are taken by fours: an entry of A with four entries of its row of P, an entry of R with
// four of its row of A P. What lies behind the end of a row is multiplied too and goes to places that are not read, so
// that hardly a loop ends where a processor does not foresee it. About 4 bytes per entry of A and 10 per entry of R.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

namespace lacis::multigrid {

/// Where columns are, and no values.
template <class Index> struct row_pattern {
  std::int64_t cols = 0;
  std::span<const std::int64_t> offsets;
  std::span<const Index> columns;

  template <class S>
  explicit row_pattern(const csr_view<S, Index>& a) : cols(a.cols), offsets(a.row_offsets), columns(a.columns) {}
  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  [[nodiscard]] std::span<const Index> row(std::int64_t i) const {
    const auto begin = static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)]);
    return columns.subspan(begin, static_cast<std::size_t>(offsets[static_cast<std::size_t>(i) + 1]) - begin);
  }
};

/// The places of all products of R (A P) for one pattern.
template <class Index> class product_places {
 public:
  /// `coarse` is the pattern of the result.
  product_places(const row_pattern<Index>& r, const row_pattern<Index>& a, const row_pattern<Index>& p,
                 const row_pattern<Index>& coarse);

  /// Whether bytes are enough: no row of A P or of the result has too many entries, and P has a few.
  [[nodiscard]] bool fit() const { return fit_; }

  /// New values for the entries of the result: the sums of galerkin_product().
  template <class S>
  void refill(const csr_view<S, Index>& r, const csr_view<S, Index>& a, const csr_view<S, Index>& p,
              csr_matrix<S, Index>& coarse) const;

  [[nodiscard]] std::int64_t storage_bytes() const;

 private:
  /// Rows that one thread takes at a time, and the places of their products.
  struct part {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    buffer<std::uint8_t> places;
    std::vector<std::int64_t> empty;  ///< of the result: rows that nothing is interpolated from
  };
  [[nodiscard]] static std::vector<part> parts_of(std::span<const std::int64_t> offsets);

  /// False where a row is too long. `marks` has a number for each column, negative at first.
  [[nodiscard]] bool find_in_rows_of_product(part& here, const row_pattern<Index>& a, const row_pattern<Index>& p,
                                             buffer<std::int64_t>& marks, std::vector<Index>& columns);
  [[nodiscard]] bool find_in_rows_of_result(part& here, const row_pattern<Index>& r, const row_pattern<Index>& coarse,
                                            std::span<const Index> columns, buffer<std::uint8_t>& place_of) const;
  template <bool Asks, class S>
  void multiply_rows(const part& here, const csr_view<S, Index>& a, const csr_view<S, Index>& p, S* product) const;
  template <class S>
  void add_rows(const part& here, const csr_view<S, Index>& r, const S* product, csr_matrix<S, Index>& coarse) const;

  buffer<std::int64_t> first_;    ///< of each row of A P, among its values: by fours
  std::vector<part> of_product_;  ///< rows of A P
  std::vector<part> of_result_;   ///< rows of R A P
  bool fit_ = true;
};

}  // namespace lacis::multigrid

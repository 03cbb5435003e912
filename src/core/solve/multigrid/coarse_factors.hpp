// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The coarsest level, solved by dense factors on one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::multigrid {

/// L D L^H of a Hermitian matrix, the largest pivot first; otherwise L U with the largest pivot of a column. In double
/// precision.
template <class S> class coarse_factors {
 public:
  using wide = std::conditional_t<is_complex<S>, std::complex<double>, double>;

  coarse_factors() = default;
  /// Throws error(invalid_matrix) for a Hermitian matrix that is clearly not positive definite.
  template <class Index> coarse_factors(const csr_view<S, Index>& a, bool hermitian);

  /// Unknowns without a pivot, of a singular matrix; the solution has zeros there.
  [[nodiscard]] std::int64_t left_out() const { return left_out_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t storage_bytes() const {
    return static_cast<std::int64_t>(factors_.size() * sizeof(wide) + order_.size() * sizeof(std::int64_t));
  }
  void solve(std::span<const S> b, std::span<S> x) const;

 private:
  [[nodiscard]] wide& at(std::int64_t i, std::int64_t j) { return factors_[static_cast<std::size_t>(i * rows_ + j)]; }
  [[nodiscard]] wide at(std::int64_t i, std::int64_t j) const {
    return factors_[static_cast<std::size_t>(i * rows_ + j)];
  }
  [[nodiscard]] double negligible() const;
  void exchange(std::int64_t k, std::int64_t other);
  void factor_hermitian(std::vector<double> sizes);
  void factor_general(const std::vector<double>& sizes);

  std::int64_t rows_ = 0;
  bool hermitian_ = true;
  std::int64_t left_out_ = 0;
  std::vector<wide> factors_;
  std::vector<std::int64_t> order_;  ///< of the rows, and of a Hermitian matrix' columns too
};

}  // namespace lacis::multigrid

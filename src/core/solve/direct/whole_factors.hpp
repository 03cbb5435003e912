// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Factors of SuiteSparse behind one interface.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <lacis/csr.hpp>

namespace lacis::solver {

/// Factors of a matrix in double.
template <class Wide> class whole_factors {
 public:
  virtual ~whole_factors() = default;
  /// x in place of b.
  virtual void solve(std::span<Wide> b) = 0;
  /// "KLU, factors of 1234 entries".
  [[nodiscard]] virtual std::string describe() const = 0;
};

/// The rows of a square matrix as SuiteSparse takes them.
template <class Wide> struct wide_matrix {
  std::int64_t rows = 0;
  std::span<const std::int64_t> row_offsets;
  buffer<std::int64_t> columns;
  buffer<Wide> values;
};

/// Null where there are none, and `why` says so.
template <class Wide>
[[nodiscard]] std::unique_ptr<whole_factors<Wide>> factor_with_klu(const wide_matrix<Wide>& a, std::string& why);
[[nodiscard]] std::unique_ptr<whole_factors<double>> factor_with_cholmod(const wide_matrix<double>& a,
                                                                         std::string& why);

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How far two correctly computed products may differ.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <lacis/csr.hpp>
#include <lacis/dense.hpp>

namespace lacis::measure {

struct excess {
  std::int64_t row = 0;
  std::int64_t column = 0;  ///< of dense columns
  double difference = 0;
  double allowed = 0;
};

/// Compares two sums of `terms` products whose absolute values add up to `magnitude`, by the bound below.
template <class Real>
[[nodiscard]] std::optional<excess> beyond_bound_of_sum(Real first, Real second, long double magnitude,
                                                        std::int64_t terms);

/// Compares two products y = A x that were summed in any two orders, each operation rounded once or fused. A sum of n
/// products differs from the exact one by at most gamma_n (|A| |x|)_i, gamma_n = n u / (1 - n u) (Higham, Accuracy and
/// Stability of Numerical Algorithms, section 3.1), so two of them by twice that; n + 1 covers the rounding of the
/// bound itself. Results may lose what is smaller than the smallest normal number: some libraries flush it to zero. The
/// real and imaginary parts of a complex row are two real sums of 2n products. Where a row is not finite both must
/// agree. Returns the first row that breaks the bound.
template <class Value, class Index>
[[nodiscard]] std::optional<excess> beyond_bound(const csr_view<Value, Index>& a, std::span<const Value> x,
                                                 std::span<const Value> first, std::span<const Value> second);

/// The same for Y = A X, column by column, on all threads.
template <class Value, class Index>
[[nodiscard]] std::optional<excess> beyond_bound(const csr_view<Value, Index>& a, const dense_view<const Value>& x,
                                                 const dense_view<const Value>& first,
                                                 const dense_view<const Value>& second);

}  // namespace lacis::measure

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// y = alpha s + beta y: when which operand is read, multiplied, rounded.
#pragma once

#include <lacis/types.hpp>

#include "summation/arithmetic.hpp"

namespace lacis::summation {

/// round(alpha s); alpha = 1 skips the product, so s keeps its bits.
template <value Scalar, value T> [[nodiscard]] T scale(Scalar alpha, T s) {
  return alpha == Scalar(1) ? s : static_cast<T>(multiply(alpha, s));
}

/// round(round(alpha sum()) + round(beta old())). alpha = 1 and beta = 1 skip their product; beta = 0 never calls
/// old(), alpha = 0 never calls sum(), and the term that was not read is not added either: alpha = 0 and beta = 1 give
/// old() with its bits, both 0 give +0. A scalar is 0 or 1 when it compares equal to it, so -0 is 0.
template <value Scalar, class Sum, class Old>
[[nodiscard]] auto combine(Scalar alpha, Sum&& sum, Scalar beta, Old&& old) {
  using T = decltype(sum());
  if (alpha == Scalar(0)) return beta == Scalar(0) ? T{} : scale(beta, static_cast<T>(old()));
  const T scaled = scale(alpha, static_cast<T>(sum()));
  return beta == Scalar(0) ? scaled : add(scaled, scale(beta, static_cast<T>(old())));
}

}  // namespace lacis::summation

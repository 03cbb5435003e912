// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What becomes of a finished sum: y = alpha s + beta y, with the common case decided once.
#pragma once

#include <lacis/types.hpp>

#include "summation/scale.hpp"

namespace lacis::cpu {

/// alpha is not 0: a product with alpha = 0 does not reach a kernel.
template <value T> struct scaling {
  T alpha;
  T beta;
  bool plain;  ///< y = s

  scaling(T a, T b) : alpha(a), beta(b), plain(a == T(1) && b == T(0)) {}

  void store(T& y, T sum) const {
    if (plain)
      y = sum;
    else
      y = summation::combine(alpha, [&] { return sum; }, beta, [&] { return y; });
  }
};

}  // namespace lacis::cpu

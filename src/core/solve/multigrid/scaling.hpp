// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a cycle in another precision needs of the options, of a matrix and of vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include <lacis/multigrid.hpp>
#include <lacis/types.hpp>

#include "base/internal.hpp"

namespace lacis::multigrid {

/// error(invalid_argument) for options out of their bounds. `rows`: of the matrix; `own_rows`: those that the vectors
/// of the near null space have here.
LACIS_INTERNAL void require_sound(const multigrid_options& options, std::int64_t rows, std::int64_t own_rows);

/// Vectors of the near null space.
[[nodiscard]] inline std::int64_t width_of(const multigrid_options& options, std::int64_t own_rows) {
  return options.near_null_space.empty()
             ? options.block
             : static_cast<std::int64_t>(options.near_null_space.size()) / std::max<std::int64_t>(own_rows, 1);
}

/// The largest part of all elements, none of which is NaN.
template <class T> [[nodiscard]] LACIS_INTERNAL real_of<T> largest_of(std::span<const T> x);

/// 2^-k with k the exponent of `largest`, kept where its inverse is a number too.
template <class Real> [[nodiscard]] Real scale_for(Real largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  constexpr int most = std::numeric_limits<Real>::max_exponent - 2;
  return std::ldexp(Real(1), -std::clamp(std::ilogb(largest), -most, most));
}

}  // namespace lacis::multigrid

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Our arrays as SuiteSparse takes them: it declares what it only reads without const.
#pragma once

#include <cstdint>
#include <span>
#include <suitesparse/SuiteSparse_config.h>

namespace lacis::solver {

using integer = SuiteSparse_long;
static_assert(sizeof(integer) == sizeof(std::int64_t));

inline integer* integers(std::span<const std::int64_t> x) {
  return reinterpret_cast<integer*>(const_cast<std::int64_t*>(x.data()));
}
template <class Wide> double* numbers(std::span<const Wide> x) {
  return reinterpret_cast<double*>(const_cast<Wide*>(x.data()));
}

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Arithmetic on sizes that cannot wrap, and the check that a size fits an index type.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include <lacis/error.hpp>
#include <lacis/types.hpp>

#include "base/text.hpp"

namespace lacis::detail {

[[nodiscard]] inline std::int64_t checked_multiply(std::int64_t a, std::int64_t b, std::string_view what) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    throw error(errc::overflow, text(what, ": ", a, " x ", b, " does not fit in 64 bits"));
  return product;
}

[[nodiscard]] inline std::int64_t checked_add(std::int64_t a, std::int64_t b, std::string_view what) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum))
    throw error(errc::overflow, text(what, ": ", a, " + ", b, " does not fit in 64 bits"));
  return sum;
}

/// Throws unless every number below `size` fits Index.
template <index Index> void require_index(std::int64_t size, std::string_view what) {
  if (size < 0) throw error(errc::invalid_argument, text("the number of ", what, " must not be negative: ", size));
  if (size > std::int64_t{std::numeric_limits<Index>::max()})
    throw error(errc::overflow, text(size, ' ', what, " do not fit 32-bit indices; use 64-bit ones (std::int64_t)"));
}

}  // namespace lacis::detail

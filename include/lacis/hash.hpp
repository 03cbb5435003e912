// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A number that stands for the bits of a vector: equal hashes, equal results.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/export.hpp>
#include <lacis/ranges.hpp>

namespace lacis {

namespace detail {
template <class T> LACIS_API std::uint64_t solution_hash(std::span<const T> x);
}

/// Equal for vectors of the same bits (every NaN counts as one), different for others but for chance; the same on every
/// machine and for any number of threads.
template <vector_range Vector> [[nodiscard]] std::uint64_t solution_hash(const Vector& x) {
  return detail::solution_hash(detail::elements(x));
}

}  // namespace lacis

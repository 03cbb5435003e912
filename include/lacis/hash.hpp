// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A number that stands for the bits of a vector: equal hashes, equal results.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <lacis/export.hpp>
#include <lacis/types.hpp>

namespace lacis {

namespace detail {
template <class T> LACIS_API std::uint64_t solution_hash(std::span<const T> x);
}

/// Equal for vectors of the same bits (every NaN counts as one), different for others but for chance; the same on every
/// machine and for any number of threads.
template <class Vector> [[nodiscard]] std::uint64_t solution_hash(const Vector& x) {
  using T = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(x))>>;
  return detail::solution_hash(std::span<const T>(std::data(x), std::size(x)));
}

}  // namespace lacis

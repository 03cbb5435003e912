// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Hashes of results: equal exactly when all bits are, but for the payloads of NaNs.
#pragma once

#include <bit>
#include <complex>
#include <cstdint>
#include <limits>
#include <span>

#include <lacis/types.hpp>

namespace lacis::summation {

/// x, or the one quiet NaN that stands for all of them: payloads and signs of NaNs differ between machines.
template <value T> [[nodiscard]] T canonical_nan(T x) {
  if constexpr (is_complex<T>)
    return {canonical_nan(x.real()), canonical_nan(x.imag())};
  else
    return x != x ? std::numeric_limits<T>::quiet_NaN() : x;
}

/// The bits of a real number, NaNs made one; those of a float are zero-extended.
template <class Real> [[nodiscard]] std::uint64_t bits_of(Real x) {
  if constexpr (sizeof(Real) == 4)
    return std::bit_cast<std::uint32_t>(canonical_nan(x));
  else
    return std::bit_cast<std::uint64_t>(canonical_nan(x));
}

/// The finaliser of splitmix64.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// What one entry adds (modulo 2^64) to the hash of a matrix: any layout, number of threads or ranks gives the same
/// sum.
template <value T> [[nodiscard]] std::uint64_t entry_hash(std::int64_t row, std::int64_t column, T entry) {
  const std::uint64_t place = mix(mix(static_cast<std::uint64_t>(row)) + static_cast<std::uint64_t>(column));
  if constexpr (is_complex<T>)
    return mix(mix(place + bits_of(entry.real())) + bits_of(entry.imag()));
  else
    return mix(place + bits_of(entry));
}

/// A hash of elements first .. first + size of a vector; the hashes of parts add up (modulo 2^64) to that of the whole,
/// so threads and ranks may each hash their own. Part k of the vector (complex elements have two) contributes
/// mix(mix(k) + bits).
template <value T> [[nodiscard]] std::uint64_t solution_hash(std::span<const T> x, std::int64_t first = 0) {
  std::uint64_t hash = 0;
  auto k = static_cast<std::uint64_t>(first) * (is_complex<T> ? 2 : 1);
  for (const T& element : x) {
    if constexpr (is_complex<T>) {
      hash += mix(mix(k++) + bits_of(element.real()));
      hash += mix(mix(k++) + bits_of(element.imag()));
    } else {
      hash += mix(mix(k++) + bits_of(element));
    }
  }
  return hash;
}

}  // namespace lacis::summation

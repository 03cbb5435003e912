// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A fast hash of arrays in memory: whether they still hold what they held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lacis/isa.hpp>

namespace lacis::cpu {

/// A hash of bytes in memory, at about the speed at which memory is read. Two contents of one size have the same hash
/// with a probability of about 2^-64. Neither threads nor instructions change it. It is not for files: another version
/// may compute another.
[[nodiscard]] std::uint64_t content_hash(std::span<const std::byte> bytes, std::uint64_t seed, int threads, isa set);

/// The same for an array.
template <class T>
[[nodiscard]] std::uint64_t content_hash(std::span<const T> array, std::uint64_t seed, int threads, isa set) {
  return content_hash(std::as_bytes(array), seed, threads, set);
}

}  // namespace lacis::cpu

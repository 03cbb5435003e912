// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Random numbers that are functions of a counter: no state, so any thread may draw any number.
#pragma once

#include <bit>
#include <cstdint>

namespace lacis::detail {

/// A bijection of 64-bit words in which every bit of the result depends on every bit of x (splitmix64's finaliser).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// What numbers are drawn for. Numbers of different purposes are independent, though the seed is the same. The values
/// are part of every generated matrix: append only.
enum class purpose : std::uint64_t {
  entry_values = 1,
  imaginary_values = 2,
  permutation = 3,
  edges = 4,
  upper_right = 5,
  lower_right = 6,
  chains = 7,
  branches = 8,
  faces = 9,
  row_columns = 10,
  strata = 11
};

/// A sequence of 64-bit words: element k is a function of the seed, the purpose and k alone.
class random_words {
 public:
  constexpr explicit random_words(std::uint64_t key) : key_(key) {}
  constexpr random_words(std::uint64_t seed, purpose why)
      : key_(mix(mix(seed + step) + static_cast<std::uint64_t>(why) * step)) {}

  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t k) const { return mix(key_ + (k + 1) * step); }
  [[nodiscard]] constexpr std::uint64_t operator()(std::int64_t k) const {
    return (*this)(static_cast<std::uint64_t>(k));
  }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;  // 2^64 divided by the golden ratio
  std::uint64_t key_;
};

/// A number below `bound` from a random word, without division.
[[nodiscard]] constexpr std::int64_t below(std::uint64_t word, std::int64_t bound) {
  return static_cast<std::int64_t>((static_cast<unsigned __int128>(word) * static_cast<std::uint64_t>(bound)) >> 64);
}

/// A random bijection of 0 .. size and its inverse, without a table: a Feistel network on the next power of two, walked
/// along its cycle until it comes back into the range (less than two steps on average).
class bijection {
 public:
  constexpr bijection(std::int64_t size, random_words words) : size_(static_cast<std::uint64_t>(size)) {
    const int bits = size < 5 ? 2 : std::bit_width(size_ - 1);
    low_bits_ = bits / 2;
    low_mask_ = (std::uint64_t{1} << low_bits_) - 1;
    high_mask_ = (std::uint64_t{1} << (bits - low_bits_)) - 1;
    for (std::uint64_t round = 0; round < rounds; ++round) keys_[round] = words(round);
  }

  [[nodiscard]] constexpr std::int64_t operator()(std::int64_t x) const {
    auto place = static_cast<std::uint64_t>(x);
    do {
      std::uint64_t low = place & low_mask_;
      std::uint64_t high = place >> low_bits_;
      for (int round = 0; round < rounds; round += 2) {
        high ^= mix(low ^ keys_[round]) & high_mask_;
        low ^= mix(high ^ keys_[round + 1]) & low_mask_;
      }
      place = high << low_bits_ | low;
    } while (place >= size_);
    return static_cast<std::int64_t>(place);
  }

  [[nodiscard]] constexpr std::int64_t inverse(std::int64_t y) const {
    auto place = static_cast<std::uint64_t>(y);
    do {
      std::uint64_t low = place & low_mask_;
      std::uint64_t high = place >> low_bits_;
      for (int round = rounds; round > 0; round -= 2) {
        low ^= mix(high ^ keys_[round - 1]) & low_mask_;
        high ^= mix(low ^ keys_[round - 2]) & high_mask_;
      }
      place = high << low_bits_ | low;
    } while (place >= size_);
    return static_cast<std::int64_t>(place);
  }

 private:
  static constexpr int rounds = 4;
  std::uint64_t size_;
  int low_bits_ = 0;
  std::uint64_t low_mask_ = 0;
  std::uint64_t high_mask_ = 0;
  std::uint64_t keys_[rounds] = {};
};

}  // namespace lacis::detail

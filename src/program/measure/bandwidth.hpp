// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the memory of this machine gives: streams, and gathers from working sets of several sizes.
#pragma once

#include <cstdint>
#include <vector>

#include <lacis/buffer.hpp>

namespace lacis::measure {

/// The size of the array that bandwidth is measured with: four times the last-level cache, at most a quarter of the
/// available memory, at least 64 MiB (also where the cache is unknown: 0).
[[nodiscard]] std::int64_t stream_bytes(std::int64_t cache_bytes, std::int64_t available_bytes);

/// An array on huge pages and the loops over it. Each returns the seconds that it took; bytes() is what it moved, with
/// what is written counted once.
class stream {
 public:
  /// Filled by that many threads.
  stream(std::int64_t bytes, int threads);

  [[nodiscard]] double read(int threads);   ///< the sum of all elements
  [[nodiscard]] double copy(int threads);   ///< one half to the other
  [[nodiscard]] double triad(int threads);  ///< one third becomes a sum of the others, one of them scaled
  [[nodiscard]] std::int64_t bytes() const { return array_.size() * 8; }

 private:
  buffer<double> array_;
};

/// Random reads of 8 bytes from a working set that all threads share.
class gather {
 public:
  /// The working set is rounded down to a power of two, at least 4 KiB.
  explicit gather(std::int64_t bytes);

  /// The seconds for accesses(threads) reads.
  [[nodiscard]] double run(int threads);
  [[nodiscard]] static std::int64_t accesses(int threads);
  [[nodiscard]] std::int64_t bytes() const { return array_.size() * 8; }

 private:
  buffer<std::uint64_t> array_;
  std::vector<std::uint64_t> places_;
  std::uint64_t round_ = 0;
};

}  // namespace lacis::measure

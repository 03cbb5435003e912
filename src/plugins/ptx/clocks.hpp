// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vector clocks: what a thread knows of what others have done. In full they would have one time for every pair of
// threads. A barrier lets all threads of a block know everything before it, so most of a clock is one number: how many
// barriers the block has passed. Within a warp there is a time for every pair of lanes; what else release and acquire
// have told a thread is a list.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ptx/program.hpp"

namespace lacis::ptx {

inline constexpr std::uint32_t no_thread = ~std::uint32_t{0};

/// Who touched a word, and when.
struct access {
  std::uint32_t thread = no_thread;  ///< number in the grid
  std::uint32_t time = 0;            ///< of the thread
  std::uint32_t barriers = 0;        ///< that its block had passed
  std::int32_t place = none;         ///< the instruction
  std::uint8_t bytes = 0;            ///< of the word, one bit each
  bool strong = false;               ///< atomic, or with an order other than weak
  bool read_only_path = false;       ///< of this load, or of one before it that is not remembered any more
  memory_scope scope = memory_scope::device;
};

/// Everything that some blocks did before their n-th barrier, and that some threads did up to a time; sorted.
struct knowledge {
  using list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  list blocks;
  list threads;

  [[nodiscard]] bool covers(const access& a, std::uint32_t block) const;
};
using shared_knowledge = std::shared_ptr<const knowledge>;
/// Both; either may be null.
[[nodiscard]] shared_knowledge joined(const shared_knowledge& a, const shared_knowledge& b);

struct warp_clocks {
  std::uint32_t seen[lanes][lanes];  ///< [who][of whom]; the diagonal is the lane's own time
  shared_knowledge told[lanes];      ///< by acquiring
  shared_knowledge pending[lanes];   ///< read by relaxed loads: a fence acquires it
  shared_knowledge fenced[lanes];    ///< as of the last fence: a relaxed store after it releases this
  memory_scope fence_scope[lanes];

  void start();
  /// All lanes of the mask know what each of them knows.
  void meet(lane_mask mask);
};

/// What a strong store released at an address.
struct release {
  shared_knowledge what;
  memory_scope scope = memory_scope::device;
  std::uint32_t block = 0;
};

}  // namespace lacis::ptx

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// In which order the requests of many blocks reach the L2: blocks take slots of multiprocessors, warps take turns.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/lab.hpp"
#include "lab/memory.hpp"

namespace lacis::lab {

/// A request of a warp, with as many sectors of its block's list.
struct queued_request {
  role which;
  access_kind kind;
  std::uint8_t sectors;
};

/// Everything that a block asks for, warp by warp.
struct block_requests {
  std::vector<queued_request> requests;
  std::vector<std::uint32_t> sectors;
  struct warp_end {
    std::size_t requests;
    std::size_t sectors;
  };
  std::vector<warp_end> warp_ends;
  bool measured = true;

  void clear() {
    requests.clear();
    sectors.clear();
    warp_ends.clear();
  }
};

/// Blocks begin in order, on the multiprocessor that has the fewest; a slot that becomes free takes the next one. In
/// each step every multiprocessor sends one request, of its warps in turn. There is no time in it, no L1, and a warp
/// does not wait at barriers: what the blocks that run together ask for mixes evenly.
class schedule {
 public:
  schedule(const gpu& model, memory_model& memory) : model_(model), memory_(memory) {}

  void begin_launch(int block_threads, std::int64_t shared_bytes);
  /// An empty one, which may have memory from before.
  [[nodiscard]] block_requests new_block();
  /// Begins the block when a slot is free, after as many steps as that takes.
  void put(block_requests&& block);
  void end_launch();

  /// Blocks of this size that a multiprocessor holds: as many as its threads, its slots and its shared memory allow.
  [[nodiscard]] static int resident_blocks(const gpu& model, int block_threads, std::int64_t shared_bytes);

 private:
  struct warp {
    std::size_t slot;
    std::size_t request;  ///< the next one
    std::size_t last_request;
    std::size_t sector;
  };
  struct multiprocessor {
    std::vector<warp> warps;
    std::size_t turn = 0;
    int free = 0;
  };
  void step();

  const gpu& model_;
  memory_model& memory_;
  std::vector<multiprocessor> multiprocessors_;
  struct resident {
    block_requests block;
    std::size_t warps = 0;  ///< that have requests left
  };
  std::vector<resident> slots_;
  std::vector<std::size_t> free_slots_;
  std::vector<block_requests> spare_;
  std::int64_t free_ = 0;  ///< slots of all multiprocessors
};

}  // namespace lacis::lab

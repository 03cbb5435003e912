// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Executes kernels: resident blocks take turns, their warps take turns, and the lanes of a warp that stand at the same
// instruction execute it together. Lanes may part after any instruction.
#pragma once

#include <optional>
#include <random>
#include <unordered_map>

#include "ptx/control.hpp"
#include "ptx/memory.hpp"
#include "ptx/program.hpp"

namespace lacis::ptx {

struct group {
  lane_mask mask;
  int at;  ///< the instruction that they execute next
};

struct block;
struct warp {
  block* home = nullptr;
  int number = 0;
  std::vector<std::uint64_t> registers;
  std::vector<group> ready;
  lane_mask live = all_lanes;
  lane_mask at_barrier = 0;
  int barrier_at = none;
  lane_mask waiting = 0;  ///< in a warp barrier, shuffle or vote
  int waits_at[lanes] = {};
  lane_mask waits_for[lanes] = {};
  bool slept = false;
  warp_clocks clocks;
  std::vector<char> local;  ///< of all lanes, one after the other
};

struct block {
  explicit block(std::size_t shared_bytes) : shared(shared_bytes) {}

  std::uint32_t number = 0;
  std::vector<warp> warps;
  storage shared;
  int live = 0;     ///< threads
  int arrived = 0;  ///< at the barrier
  std::uint32_t barriers = 0;
  int flags = 0;  ///< threads at the barrier whose predicate is set
};

struct launch_shape {
  std::uint32_t blocks = 1;
  int threads = 32;
  std::size_t shared_bytes = 0;  ///< that the launch gives
};

class machine {
 public:
  explicit machine(device_memory& memory) : memory_(memory) {}

  lacis_ptx_options options;
  lacis_ptx_counters counters{};

  /// Runs the kernel to its end. Throws fault.
  void launch(const module& from, const kernel& run, const launch_shape& shape, void** arguments);

 private:
  // machine.cpp: turns
  void start(block& b, std::uint32_t number);
  bool take_turn(block& b);
  /// Up to `budget` instructions; true unless it had nothing to do or slept at the end, as who polls does.
  bool run(warp& w, std::uint64_t budget);
  [[nodiscard]] group take_group(warp& w);
  /// Executes instructions of the group until it branches, waits or sleeps, or another group may come first.
  bool run_group(warp& w, group g, std::uint64_t& budget);
  [[nodiscard]] std::unique_ptr<block> new_block();
  [[nodiscard]] lane_mask enabled(const warp& w, const instruction& i, lane_mask mask) const;
  static void add(warp& w, group g);
  void part(warp& w, const instruction& i, group g, lane_mask taken);
  [[nodiscard]] bool chance(unsigned one_in) { return random_() % one_in == 0; }

  // meetings.cpp: what lanes do together
  void leave(warp& w, lane_mask mask);
  void arrive(warp& w, group g);
  void open_barrier(block& b);
  void meet(warp& w, const instruction& i, group g);
  void complete(warp& w, const instruction& i, lane_mask mask);
  void shuffle(warp& w, const instruction& i, lane_mask mask);

  // access.cpp: memory
  void load(warp& w, const instruction& i, lane_mask mask);
  void store(warp& w, const instruction& i, lane_mask mask);
  void atomic(warp& w, const instruction& i, lane_mask mask);
  void convert_address(warp& w, const instruction& i, lane_mask mask);
  struct place {
    char* at;
    storage* in;  ///< null for memory of one lane
  };
  [[nodiscard]] place locate(warp& w, const instruction& i, int lane, std::size_t bytes);
  void count_request(warp& w, const instruction& i, lane_mask mask, std::size_t bytes);

  // order.cpp: who knows what
  [[nodiscard]] bool known(const access& a, const warp& w, int lane) const;
  void touch(warp& w, const instruction& i, int lane, place where, std::size_t bytes, bool writes, const char* value);
  void report_race(warp& w, const instruction& i, int lane, const access& other, bool writes, bool other_writes);
  [[nodiscard]] bool may_be_stale(warp& w, const instruction& i, int lane, place where, std::size_t bytes);
  void fence(warp& w, const instruction& i, lane_mask mask);
  void release_at(warp& w, const instruction& i, int lane, const char* at, bool also_reads);
  void acquire_at(warp& w, const instruction& i, int lane, const char* at);
  [[nodiscard]] shared_knowledge all_that(const warp& w, int lane) const;

  [[nodiscard]] std::uint32_t thread_number(const warp& w, int lane) const {
    return w.home->number * static_cast<std::uint32_t>(shape_.threads) +
           static_cast<std::uint32_t>(w.number * lanes + lane);
  }
  [[nodiscard]] int place_of(const instruction& i) const { return static_cast<int>(&i - kernel_->code.data()); }
  [[nodiscard]] std::string line_of(const instruction& i) const;
  [[noreturn]] void stop(const warp& w, const instruction& i, int lane, const std::string& what) const;

  device_memory& memory_;
  std::mt19937_64 random_;
  std::uint32_t launch_ = 0;
  const module* module_ = nullptr;
  const kernel* kernel_ = nullptr;
  launch_shape shape_;
  std::vector<char> parameters_;
  std::vector<std::unique_ptr<block>> resident_;
  std::vector<std::unique_ptr<block>> ended_;  ///< whose memory is used again
  std::unordered_map<const char*, release> released_;
  std::vector<std::uint64_t> touched_;  ///< by one request, while it is counted
};

}  // namespace lacis::ptx

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The threads of one block: who runs, who waits for whom, and what is a fault.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "simt/executor.hpp"
#include "simt/fiber.hpp"

namespace lacis::simt {

inline constexpr int most_threads = 1024;

enum class status : std::uint8_t { unstarted, ready, at_barrier, at_warp, paused, finished };

/// One thread of the block that runs.
struct thread_state {
  block_runner* runner = nullptr;
  int rank = 0;
  status state = status::unstarted;
  fiber* stack = nullptr;  ///< where it waits
  warp_operation operation = warp_operation::sync;
  unsigned mask = 0;
  call_site site;
  payload value;   ///< of a shuffle
  int source = 0;  ///< the lane that it reads
  bool flag = false;
  unsigned votes = 0;
};

/// What the blocks of a launch share: who can still make progress. A block that begins, works or ends is an event. A
/// block whose paused threads have all looked again since the last event, in vain, confirms it; when every running
/// block has, nothing will change. Time is no measure of it: the system may stop a thread for longer than others wait.
class launch_progress {
 public:
  std::atomic<bool> failed{false};
  char begin = 0;  ///< tokens of the race detector
  char end = 0;

  void block_begins() {
    running_.fetch_add(1);
    event();
  }
  void block_ends() {
    event();
    running_.fetch_sub(1);
  }
  void event() {
    std::int64_t seen = state_.load();
    while (!state_.compare_exchange_weak(seen, (seen / event_unit + 1) * event_unit)) {
    }
  }
  [[nodiscard]] std::int64_t events() const { return state_.load() / event_unit; }
  /// One more block has looked in vain since event `events`; without effect when that is no longer the last.
  void confirm(std::int64_t events) {
    std::int64_t seen = state_.load();
    while (seen / event_unit == events && !state_.compare_exchange_weak(seen, seen + 1)) {
    }
  }
  [[nodiscard]] bool all_confirmed() const { return state_.load() % event_unit >= running_.load(); }

 private:
  static constexpr std::int64_t event_unit = 1 << 16;  ///< more than there are running blocks
  std::atomic<int> running_{0};
  std::atomic<std::int64_t> state_{0};  ///< events, in units, and blocks that have confirmed the last one
};

class block_runner {
 public:
  block_runner() = default;
  ~block_runner();

  /// Runs one block to its end; returns false when it was stopped, by a fault of its own or by that of another block.
  bool run(const launch_shape& shape, thread_function thread, const void* kernel, int block, const schedule& turns,
           launch_progress& progress, tracer* listener = nullptr);
  /// Empty when it was another's.
  [[nodiscard]] const std::string& fault() const { return fault_; }

  void barrier(thread_state& self, const call_site& site);
  void meet(thread_state& self, warp_operation operation, unsigned mask, const call_site& site);
  void pause(thread_state& self, const call_site& site);
  void* shared_memory() { return arena_; }
  /// Stops the launch; `what()` is the message.
  template <class What> [[noreturn]] void fail(const thread_state& self, const call_site& site, What&& what);
  [[nodiscard]] thread_state& current() { return *current_; }

 private:
  static void fiber_main(void* runner);
  void start_block(const launch_shape& shape, int block, const schedule& turns);
  void wait(thread_state& self, status how);
  thread_state* pick();
  void finish(thread_state& self);
  void go_on_with(thread_state& next, fiber& here);
  void next_round();
  fiber& free_fiber();
  void set_ready(thread_state& t);
  void draw_order();
  void leave_warp(const thread_state& self, const char* instead);
  char* token_of(int meeting) { return tokens_.get() + 2 * meeting + odd_[meeting]; }
  void complete(thread_state& self, thread_state* lanes);
  void take_turn(thread_state& self);
  [[nodiscard]] std::string whereabouts(const thread_state& t) const;

  launch_shape shape_;
  thread_function thread_ = nullptr;
  const void* kernel_ = nullptr;
  int block_ = 0;
  schedule turns_;
  std::uint64_t random_ = 0;
  launch_progress* progress_ = nullptr;

  thread_state threads_[most_threads];
  int place_of_[most_threads];   ///< the turn of a thread
  int thread_at_[most_threads];  ///< and the other way round
  std::uint64_t ready_[most_threads / 64];
  int live_ = 0;
  int arrived_ = 0;                      ///< at the barrier
  int first_arrived_ = 0;                ///< the thread that came first
  unsigned waiting_[most_threads / 32];  ///< by warp: lanes in a warp operation
  unsigned gone_[most_threads / 32];     ///< by warp: lanes that have returned or wait at the barrier
  int paused_ = 0;
  bool worked_ = false;  ///< since the last round of pauses
  int rounds_ = 0;
  std::int64_t round_events_ = 0;      ///< when the paused threads last began to look
  std::int64_t confirmed_events_ = 0;  ///< that this block has confirmed

  fiber main_;
  fiber* running_ = nullptr;
  thread_state* current_ = nullptr;
  // Plain arrays: the race detector must see nothing of this, and it sees what templates of the library do.
  std::unique_ptr<fiber> fibers_[2 * most_threads];
  int fiber_count_ = 0;
  fiber* free_[2 * most_threads];
  int free_count_ = 0;
  char* arena_ = nullptr;
  std::size_t arena_bytes_ = 0;
  // Meetings, to the race detector. Two tokens for every thread that may be the first of a mask and two for the block,
  // used by turns: who is late at one meeting must not learn what others did before they came to the next.
  std::unique_ptr<char[]> tokens_;
  bool odd_[most_threads + 1];
  bool failed_ = false;
  const thread_state* fault_thread_ = nullptr;
  call_site fault_site_;
  const void* fault_what_ = nullptr;
  std::string (*fault_text_)(const void*) = nullptr;
  std::string fault_;
};

/// Leaves the stack for good. The message is put together on the stack of the system, while this one still stands.
template <class What> void block_runner::fail(const thread_state& self, const call_site& site, What&& what) {
  failed_ = true;
  fault_thread_ = &self;
  fault_site_ = site;
  fault_what_ = &what;
  fault_text_ = [](const void* message) { return (*static_cast<const std::remove_reference_t<What>*>(message))(); };
  running_->switch_to(main_);
  __builtin_unreachable();
}

/// "src/core/kernels/spmv_csr.hpp:57".
[[nodiscard]] std::string site_text(const call_site& site);

}  // namespace lacis::simt

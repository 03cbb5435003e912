// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Turns of the threads of one block. A thread that cannot go on picks the next one and switches to its stack; a thread
// that ends gives its stack to the next one that has not begun, so kernels without barriers switch nothing.
#include "simt/block_runner.hpp"

#include <bit>
#include <sys/mman.h>
#include <thread>

#include "base/text.hpp"
#include "simt/host_memory.hpp"
#include "simt/tracer.hpp"

namespace lacis::simt {

constinit thread_local tracer* tracer_here = nullptr;

namespace {

constexpr int patience = 2000;  ///< rounds in vain after every block has confirmed, before that is a deadlock

thread_local block_runner* runner_here = nullptr;

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t x = state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

std::string site_text(const call_site& site) {
  std::string_view file = site.file;  // from the project's root on
  for (const std::string_view folder : {"/src/", "/tests/", "/examples/"}) {
    const auto at = file.rfind(folder);
    if (at != std::string_view::npos) file = file.substr(at + 1);
  }
  return detail::text(file, ':', site.line);
}

block_runner::~block_runner() {
  if (arena_ != nullptr) munmap(arena_, arena_bytes_);
}

bool block_runner::run(const launch_shape& shape, thread_function thread, const void* kernel, int block,
                       const schedule& turns, launch_progress& progress, tracer* listener) {
  thread_ = thread;
  kernel_ = kernel;
  progress_ = &progress;
  start_block(shape, block, turns);
  runner_here = this;
  tracer_here = listener;
  main_.take_identity();
  progress.block_begins();
  go_on_with(*pick(), main_);
  runner_here = nullptr;
  tracer_here = nullptr;
  progress.block_ends();
  if (!failed_) {
    if (listener != nullptr) listener->block_ends(block);
    return true;
  }
  if (!progress.failed.exchange(true))
    fault_ = detail::text(site_text(fault_site_), ": ", fault_text_(fault_what_), "; ", whereabouts(*fault_thread_));
  for (int k = 0; k < fiber_count_; ++k) {  // left as they are: kernels own nothing
    fibers_[k]->release(&progress.end);
    fibers_[k].reset();
  }
  fiber_count_ = free_count_ = 0;
  return false;
}

void block_runner::start_block(const launch_shape& shape, int block, const schedule& turns) {
  shape_ = shape;
  block_ = block;
  turns_ = turns;
  random_ = turns.seed * 0x2545f4914f6cdd1du + static_cast<std::uint64_t>(block);
  live_ = shape.block_threads;
  arrived_ = paused_ = rounds_ = 0;
  failed_ = false;
  round_events_ = confirmed_events_ = 0;
  worked_ = true;
  fault_.clear();
  shape_.shared_bytes = (shape.shared_bytes + 7) / 8 * 8;
  if (arena_bytes_ < shape_.shared_bytes) {
    if (arena_ != nullptr) munmap(arena_, arena_bytes_);
    arena_bytes_ = (shape_.shared_bytes + 4095) / 4096 * 4096;
    void* memory = mmap(nullptr, arena_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    arena_ = static_cast<char*>(memory);
  }
  if (races::watched()) races::renew(arena_, arena_bytes_);
  if (races::watched() || tokens_ == nullptr) tokens_ = std::make_unique<char[]>(2 * (most_threads + 1));
  // Shared memory has no initial values: what reads it too early shall not find zeros.
  for (std::size_t at = 0; at < shape_.shared_bytes; at += 8)
    *reinterpret_cast<volatile std::uint64_t*>(arena_ + at) = 0xcbcbcbcbcbcbcbcbu;
  // Under the race detector a thread must not inherit what its namesake of the last block did: it begins on any stack
  // of twice as many.
  if (races::watched())
    while (fiber_count_ < 2 * shape.block_threads) {
      fibers_[fiber_count_] = std::make_unique<fiber>(fiber_main, this);
      free_[free_count_++] = fibers_[fiber_count_++].get();
    }
  for (int t = 0; t < shape.block_threads; ++t) {
    thread_state& thread = threads_[t];
    thread.runner = this;
    thread.rank = t;
    thread.state = status::unstarted;
    thread.stack = nullptr;
    place_of_[t] = turns.order == turns::reverse ? shape.block_threads - 1 - t : t;
  }
  for (std::uint64_t& word : ready_) word = 0;
  for (unsigned& lanes : waiting_) lanes = 0;
  for (unsigned& lanes : gone_) lanes = 0;
  for (bool& odd : odd_) odd = false;
  draw_order();
  for (int t = 0; t < shape.block_threads; ++t) ready_[t / 64] |= std::uint64_t{1} << t % 64;
}

/// A new order of turns where they are shuffled; only between blocks and at barriers, when no thread is ready.
void block_runner::draw_order() {
  if (turns_.order == turns::shuffled)
    for (int t = shape_.block_threads - 1; t > 0; --t) {
      const auto other = static_cast<int>(next_random(random_) % static_cast<unsigned>(t + 1));
      const int kept = place_of_[t];
      place_of_[t] = place_of_[other];
      place_of_[other] = kept;
    }
  for (int t = 0; t < shape_.block_threads; ++t) thread_at_[place_of_[t]] = t;
}

void block_runner::set_ready(thread_state& t) {
  t.state = status::ready;
  const int place = place_of_[t.rank];
  ready_[place / 64] |= std::uint64_t{1} << place % 64;
}

/// The ready thread whose turn comes first; none when all have finished.
thread_state* block_runner::pick() {
  for (;;) {
    for (int word = 0; word * 64 < shape_.block_threads; ++word)
      if (ready_[word] != 0) {
        const int place = word * 64 + std::countr_zero(ready_[word]);
        ready_[word] &= ready_[word] - 1;
        return &threads_[thread_at_[place]];
      }
    if (live_ == 0) return nullptr;
    next_round();
  }
}

/// Everybody waits. Those that pause may look again, unless nothing can have changed for long.
void block_runner::next_round() {
  const auto somebody = [&](status how) -> const thread_state& {
    for (int t = 0; t < shape_.block_threads; ++t)
      if (threads_[t].state == how) return threads_[t];
    return threads_[0];
  };
  if (paused_ == 0) {
    const thread_state& waits = somebody(arrived_ > 0 ? status::at_barrier : status::at_warp);
    fail(waits, waits.site, [] { return std::string("deadlock: no thread of the block can go on"); });
  }
  if (worked_) {
    progress_->event();
  } else if (confirmed_events_ != round_events_) {
    progress_->confirm(round_events_);
    confirmed_events_ = round_events_;
  }
  if (worked_ || !progress_->all_confirmed()) rounds_ = 0;
  if (++rounds_ > patience || progress_->failed.load(std::memory_order_relaxed)) {
    const thread_state& waits = somebody(status::paused);
    fail(waits, waits.site, [] {
      return std::string(
          "deadlock: it waits for something that no running thread will do; a kernel that waits for other blocks takes "
          "its block number from an atomic ticket");
    });
  }
  if (!worked_) std::this_thread::yield();
  round_events_ = progress_->events();
  worked_ = false;
  paused_ = 0;
  for (int t = 0; t < shape_.block_threads; ++t)
    if (threads_[t].state == status::paused) set_ready(threads_[t]);
}

fiber& block_runner::free_fiber() {
  if (free_count_ == 0) {
    fibers_[fiber_count_] = std::make_unique<fiber>(fiber_main, this);
    free_[free_count_++] = fibers_[fiber_count_++].get();
  }
  if (races::watched()) {
    fiber*& any = free_[next_random(random_) % static_cast<unsigned>(free_count_)];
    fiber* const chosen = any;
    any = free_[free_count_ - 1];
    free_[free_count_ - 1] = chosen;
  }
  return *free_[--free_count_];
}

void block_runner::fiber_main(void* argument) {
  auto& runner = *static_cast<block_runner*>(argument);
  for (;;) {
    thread_state& self = *runner.current_;
    self.state = status::ready;
    races::acquire(&runner.progress_->begin);
    runner.thread_(runner.kernel_,
                   host_team(self, self.rank, runner.shape_.block_threads, runner.block_, runner.shape_.blocks));
    races::release(&runner.progress_->end);
    runner.finish(self);
  }
}

/// Returns when this stack has a thread to begin.
void block_runner::finish(thread_state& self) {
  if (arrived_ > 0) {
    const thread_state& waits = threads_[first_arrived_];
    fail(waits, waits.site,
         [&] { return detail::text("divergent barrier: thread ", self.rank, " has returned without coming to it"); });
  }
  leave_warp(self, "has returned");
  self.state = status::finished;
  worked_ = true;
  --live_;
  thread_state* const next = pick();
  if (next != nullptr && next->state == status::unstarted && !races::watched()) {
    current_ = next;
    return;
  }
  fiber& here = *running_;
  free_[free_count_++] = &here;
  if (next != nullptr) {
    go_on_with(*next, here);
  } else {
    running_ = &main_;
    here.switch_to(main_);
  }
}

void block_runner::go_on_with(thread_state& next, fiber& here) {
  fiber& there = next.state == status::unstarted ? free_fiber() : *next.stack;
  current_ = &next;
  running_ = &there;
  if (&there != &here) here.switch_to(there);
}

/// The thread waits in a state; somebody else makes it ready.
void block_runner::wait(thread_state& self, status how) {
  self.state = how;
  self.stack = running_;
  thread_state* const next = pick();
  if (next != &self) go_on_with(*next, *self.stack);
}

/// The thread that completed what others waited for: it goes on at once in forward turns, otherwise when it is its
/// turn.
void block_runner::take_turn(thread_state& self) {
  if (turns_.order == turns::forward) return;
  set_ready(self);
  wait(self, status::ready);
}

void block_runner::pause(thread_state& self, const call_site& site) {
  self.site = site;
  ++paused_;
  wait(self, status::paused);
}

std::string block_runner::whereabouts(const thread_state& t) const {
  return detail::text("kernel ", shape_.kernel, ", block ", block_, ", thread ", t.rank, " (lane ", t.rank % warp_size,
                      " of warp ", t.rank / warp_size, ')');
}

void out_of_bounds(const char* what, std::int64_t index, std::int64_t size, call_site site) {
  runner_here->fail(runner_here->current(), site,
                    [&] { return detail::text("index ", index, " is outside of ", what, " of ", size, " elements"); });
}

void decide_access(undecided_access access, std::int64_t index, call_site site) {
  if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(access.size))
    out_of_bounds("an array", index, access.size, site);
  tracer_here->access(runner_here->current().rank,
                      {access.array, static_cast<const char*>(access.array) + index * access.element_bytes,
                       access.element_bytes, access.input ? memory_kind::input : memory_kind::output, site});
}

void trace_shared(const void* element, int bytes, call_site site) {
  tracer_here->access(runner_here->current().rank, {nullptr, element, bytes, memory_kind::shared, site});
}

}  // namespace lacis::simt

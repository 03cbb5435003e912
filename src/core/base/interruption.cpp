// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The caller's function, asked by the caller's thread; the answer, read by all.
#include "base/interruption.hpp"

#include <atomic>
#include <cstdint>
#include <ctime>
#include <exception>
#include <utility>

namespace lacis {
namespace detail {
namespace {

constexpr std::int64_t between_questions = 50'000'000;  // nanoseconds

/// Nanoseconds of a clock that moves a few hundred times per second and takes a quarter of the time to read.
std::int64_t now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return t.tv_sec * std::int64_t{1'000'000'000} + t.tv_nsec;
}

/// That of this thread.
thread_local interruption_state* current = nullptr;

}  // namespace

struct interruption_state {
  std::function<void()> ask;
  interruption_state* outer = nullptr;
  std::int64_t due = now() + between_questions;
  std::exception_ptr thrown;  ///< written before is_asked is set
  std::atomic<bool> is_asked{false};
};

stop_check::stop_check() noexcept : state_(current) {}

bool stop_check::look() const noexcept {
  interruption_state& s = *state_;
  if (s.is_asked.load(std::memory_order_acquire)) return true;
  if (current != state_) return false;  // another thread asks
  if (now() < s.due) return false;
  try {
    s.ask();
    s.due = now() + between_questions;
    return false;
  } catch (...) {
    s.thrown = std::current_exception();
    s.is_asked.store(true, std::memory_order_release);
    return true;
  }
}

void stop_check::rethrow() const { std::rethrow_exception(state_->thrown); }

}  // namespace detail

interruption::interruption(std::function<void()> ask) : state_(new detail::interruption_state) {
  state_->ask = std::move(ask);
  state_->outer = std::exchange(detail::current, state_);
}

interruption::~interruption() {
  detail::current = state_->outer;
  delete state_;
}

}  // namespace lacis

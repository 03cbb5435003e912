// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Signals that ask to stop.
#include "console/interrupt.hpp"

#include <iterator>

namespace lacis::app {
namespace {

volatile std::sig_atomic_t requested = 0;

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

interrupt_guard::interrupt_guard(interrupts where) {
  static_assert(std::size(signals) == 3, "before_ has room for each signal");
  struct sigaction action{};
  action.sa_handler = [](int signal) { requested = signal; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(signals); ++i) {
    sigaction(signals[i], nullptr, &before_[i]);
    // What the parent told us to ignore (nohup) stays ignored.
    if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
  }
  if (where == interrupts::everywhere) operations_.emplace(throw_if_interrupted);
}

interrupt_guard::~interrupt_guard() {
  for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
}

void throw_if_interrupted() {
  if (requested != 0) throw interrupted{static_cast<int>(requested)};
}

}  // namespace lacis::app

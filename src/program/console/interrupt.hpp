// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while a file is being written or much is computed for one: the operation ends early, so that unfinished files
// are removed.
#pragma once

#include <csignal>
#include <optional>

#include <lacis/interruption.hpp>

namespace lacis::app {

/// Thrown where work may stop; main() then ends the process by that signal, as if it had not been caught.
struct interrupted {
  int signal = 0;
};

/// Where signals are looked at.
enum class interrupts {
  everywhere,      ///< operations of the library look, and the program does
  where_all_agree  ///< only the program: a rank that ends alone leaves the others waiting
};

/// While one exists, the first SIGINT, SIGTERM or SIGHUP only asks to stop; a second one kills as usual.
class interrupt_guard {
 public:
  explicit interrupt_guard(interrupts where = interrupts::everywhere);
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;

 private:
  struct sigaction before_[3];
  std::optional<interruption> operations_;
};

/// Throws `interrupted` when a signal has asked to stop.
void throw_if_interrupted();

}  // namespace lacis::app

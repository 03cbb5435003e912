// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while a file is being written: stop at the next progress report, so that unfinished files are removed.
#pragma once

#include <csignal>

namespace lacis::app {

/// Thrown where work may stop; main() then ends the process by that signal, as if it had not been caught.
struct interrupted {
  int signal = 0;
};

/// While one exists, the first SIGINT, SIGTERM or SIGHUP only asks to stop; a second one kills as usual.
class interrupt_guard {
 public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;

 private:
  struct sigaction before_[3];
};

/// Throws `interrupted` when a signal has asked to stop.
void throw_if_interrupted();

}  // namespace lacis::app

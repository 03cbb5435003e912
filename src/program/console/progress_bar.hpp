// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A progress bar on standard error: shown when that is a terminal and something takes long, gone when it is done.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <lacis/progress.hpp>

#include "console/console.hpp"

namespace lacis::app {

/// One line: stage, bar, percent, rate and the time left. `bytes` is what share 1 stands for; 0 when unknown, then the
/// rate is in percent. Never wider than the terminal.
[[nodiscard]] std::string progress_line(std::string_view stage, double share, double seconds, std::int64_t bytes,
                                        const terminal& where);

class progress_bar {
 public:
  /// Shows nothing when `quiet` or when standard error is no terminal.
  explicit progress_bar(bool quiet, std::int64_t bytes = 0);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// For the library: shows the state, and throws `interrupted` when the user has asked to stop.
  [[nodiscard]] progress callback();
  /// Names a stage whose share done is not known, at once.
  void announce(std::string_view stage);

 private:
  using clock = std::chrono::steady_clock;
  void show(std::string_view stage, double share);

  terminal where_;
  bool wanted_;
  std::int64_t bytes_;
  std::string stage_;
  clock::time_point stage_began_;
  clock::time_point began_;
  clock::time_point shown_;
  bool visible_ = false;
};

}  // namespace lacis::app

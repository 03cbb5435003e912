// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Where long work ends early when its caller wants it to (lacis/interruption.hpp). Regions look before they start; a
// region that may take longer than some tenths of a second looks between its pieces:
//
//   const stop_check stop;
//   on_threads(threads, [&](int, int) {
//     for (std::int64_t i = next++; i < pieces; i = next++) {
//       stop();
//       ...
#pragma once

#include <cstdint>

#include <lacis/interruption.hpp>

#include "base/internal.hpp"

namespace lacis::detail {

/// Made by the thread that starts the work, used by all threads that share it. Costs a branch where no function
/// asks, and some nanoseconds otherwise: for pieces of several microseconds.
class stop_check {
 public:
  LACIS_INTERNAL stop_check() noexcept;

  /// Throws what the caller's function has thrown, on every thread.
  void operator()() const {
    if (state_ != nullptr && look()) rethrow();
  }
  /// The same at one step of 1,024, for loops over rows.
  void at(std::int64_t step) const {
    if ((step & 1023) == 0) (*this)();
  }
  /// Whether to stop, where nothing may be thrown: call the object after the region.
  [[nodiscard]] bool is_asked() const noexcept { return state_ != nullptr && look(); }

 private:
  LACIS_INTERNAL bool look() const noexcept;
  [[noreturn]] LACIS_INTERNAL void rethrow() const;

  interruption_state* state_;
};

}  // namespace lacis::detail

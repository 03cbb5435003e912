// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reports of how far a parallel loop is, to a callback that need not be safe for threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string_view>

#include <lacis/progress.hpp>

#include "base/interruption.hpp"

namespace lacis::detail {

/// Counts finished steps of one stage and calls the report at the start, at the end and about every hundredth in
/// between. When the report throws, that exception reaches every thread at its next advance(), so the loop ends soon.
class progress_meter {
 public:
  progress_meter(const progress& report, std::string_view stage, std::int64_t steps)
      : report_(report), stage_(stage), steps_(steps) {
    if (report_) report_(stage_, steps_ == 0 ? 1.0 : 0.0);
  }

  void advance(std::int64_t steps) {
    stop_();
    if (!report_ || steps == 0) return;
    const std::scoped_lock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    done_ += steps;
    if (done_ < steps_ && done_ - reported_ < steps_ / 100) return;
    reported_ = done_;
    try {
      report_(stage_, static_cast<double>(done_) / static_cast<double>(steps_));
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }

  /// work(i) for begin <= i < end, advancing by i's share now and then.
  template <class Work> void count(std::int64_t begin, std::int64_t end, Work&& work) {
    constexpr std::int64_t stride = 1 << 13;
    while (begin < end) {
      const std::int64_t stop = std::min(end, begin + stride);
      for (std::int64_t i = begin; i < stop; ++i) work(i);
      advance(stop - begin);
      begin = stop;
    }
  }

 private:
  const progress& report_;
  stop_check stop_;  ///< of the thread that starts the loop
  std::string_view stage_;
  std::int64_t steps_;
  std::mutex mutex_;
  std::int64_t done_ = 0;
  std::int64_t reported_ = 0;
  std::exception_ptr failure_;
};

}  // namespace lacis::detail

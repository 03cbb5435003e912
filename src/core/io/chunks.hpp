// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Parallel work on text: pieces of whole lines, and the first fault in the order of the file.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <string_view>
#include <vector>

#include <lacis/progress.hpp>

#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "io/numbers.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {

/// Cuts text behind line ends into pieces of about `size` bytes.
[[nodiscard]] inline std::vector<std::string_view> cut_at_lines(std::string_view text,
                                                                std::size_t size = std::size_t{1} << 20) {
  std::vector<std::string_view> chunks;
  const char* const last = text.data() + text.size();
  for (const char* first = text.data(); first != last;) {
    const char* end = static_cast<std::size_t>(last - first) <= size ? last : next_line(first + size, last);
    chunks.emplace_back(first, end);
    first = end;
  }
  return chunks;
}

/// work(number, chunk) for every chunk, shared among threads. When several chunks throw, the exception of the earliest
/// one in the file comes out.
template <class Work>
void for_each_chunk(const std::vector<std::string_view>& chunks, Work&& work, const progress& report = {},
                    std::string_view stage = {}) {
  const auto count = static_cast<std::int64_t>(chunks.size());
  std::vector<std::exception_ptr> failures(chunks.size());
  std::atomic<std::int64_t> next = 0;
  std::atomic<std::int64_t> earliest_failure = count;
  const int threads = static_cast<int>(std::min<std::int64_t>(count, thread_count()));
  const stop_check stop;
  on_threads(std::max(threads, 1), [&](int thread, int) {
    const summation::rounding_guard guard;  // decimal digits are rounded to nearest
    for (std::int64_t i = next++; i < count; i = next++) {
      stop();
      if (i > earliest_failure) return;
      try {
        work(i, chunks[static_cast<std::size_t>(i)]);
        if (thread == 0 && report) report(stage, static_cast<double>(i) / static_cast<double>(count));
      } catch (...) {
        failures[static_cast<std::size_t>(i)] = std::current_exception();
        std::int64_t earliest = earliest_failure;
        while (i < earliest && !earliest_failure.compare_exchange_weak(earliest, i)) {
        }
      }
    }
  });
  if (earliest_failure < count) std::rethrow_exception(failures[static_cast<std::size_t>(earliest_failure)]);
}

}  // namespace lacis::detail

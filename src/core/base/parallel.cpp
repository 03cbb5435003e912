// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Threads: how many there are, and the parallel scan.
#include "base/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <omp.h>
#include <pthread.h>
#include <utility>
#include <vector>

#include <lacis/export.hpp>

#include "base/interruption.hpp"

namespace lacis::detail {
namespace {

std::atomic<bool> forked{false};
std::atomic<std::int64_t> regions{0};

/// Remembers the first exception that a thread of a region meets; no exception may leave an OpenMP region by itself.
class exception_box {
 public:
  template <class Work> void run(Work&& work) noexcept {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

const int fork_handler = pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });

}  // namespace

// Loops over many elements come here or to begin_region() before they start, in the thread that their caller waits in.
LACIS_API int thread_count() {
  stop_check()();
  if (forked.load(std::memory_order_relaxed) || omp_in_parallel() != 0 || fork_handler != 0) return 1;
  return std::max(1, omp_get_max_threads());
}

LACIS_API std::int64_t regions_started() { return regions.load(std::memory_order_relaxed); }
LACIS_API int begin_region(int threads) {
  stop_check()();
  regions.fetch_add(1, std::memory_order_relaxed);
  return forked.load(std::memory_order_relaxed) ? 1 : threads;
}

LACIS_API void run_on_threads(int threads, thread_work work) {
  if (threads <= 1) return work(0, 1);
  const int started = begin_region(threads);
  exception_box box;
#pragma omp parallel num_threads(started)
  {
    const int team = omp_get_num_threads();
    for (int t = omp_get_thread_num(); t < threads; t += team) box.run([&] { work(t, threads); });
  }
  box.rethrow();
}

std::int64_t counts_to_offsets(std::span<std::int64_t> counts) {
  const auto size = static_cast<std::int64_t>(counts.size()) - 1;
  const int threads = threads_for(size);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(threads) + 1, 0);
  on_threads(threads, [&](int t, int parts) {
    std::int64_t sum = 0;
    const std::int64_t end = even_cut(size, t + 1, parts);
    for (std::int64_t i = even_cut(size, t, parts); i < end; ++i) sum += counts[static_cast<std::size_t>(i)];
    sums[static_cast<std::size_t>(t) + 1] = sum;
  });
  for (std::size_t t = 1; t < sums.size(); ++t) sums[t] += sums[t - 1];
  on_threads(threads, [&](int t, int parts) {
    std::int64_t sum = sums[static_cast<std::size_t>(t)];
    const std::int64_t end = even_cut(size, t + 1, parts);
    for (std::int64_t i = even_cut(size, t, parts); i < end; ++i)
      sum += std::exchange(counts[static_cast<std::size_t>(i)], sum);
  });
  counts[static_cast<std::size_t>(size)] = sums.back();
  return sums.back();
}

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Threads, scans, cuts and arrays.
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <omp.h>
#include <stdexcept>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>

#include "base/pieces.hpp"

namespace lacis::detail {
namespace {

TEST(Parallel, VisitsEveryIndexOnceForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    for (const std::int64_t size : {0, 1, 5, 100000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(size));
      parallel_for(size, [&](std::int64_t i) { seen[static_cast<std::size_t>(i)]++; });
      for (const auto& count : seen) ASSERT_EQ(count, 1);
    }
  }
}

TEST(Parallel, PassesAnExceptionOnFromAThread) {
  omp_set_num_threads(3);
  EXPECT_THROW(parallel_for(100000,
                            [](std::int64_t i) {
                              if (i == 99999) throw std::runtime_error("late");
                            }),
               std::runtime_error);
}

TEST(Parallel, ScansTheSameAsOneThread) {
  for (const int threads : {1, 2, 5}) {
    omp_set_num_threads(threads);
    for (const std::int64_t size : {0, 1, 100001}) {
      std::vector<std::int64_t> counts(static_cast<std::size_t>(size) + 1, -77);
      for (std::int64_t i = 0; i < size; ++i) counts[static_cast<std::size_t>(i)] = i * i % 11;
      std::vector<std::int64_t> expected(counts);
      std::int64_t sum = 0;
      for (auto& e : expected) sum += std::exchange(e, sum);
      sum += 77;
      EXPECT_EQ(counts_to_offsets(counts), sum);
      EXPECT_EQ(counts, expected);
    }
  }
}

TEST(Parallel, CutsRowsByEntriesWithoutLosingAny) {
  std::vector<std::int64_t> offsets{0};
  for (int i = 0; i < 1000; ++i) offsets.push_back(offsets.back() + (i == 500 ? 100000 : i % 3));
  for (const int parts : {1, 2, 3, 8}) {
    EXPECT_EQ(balanced_cut(offsets, 0, parts), 0);
    EXPECT_EQ(balanced_cut(offsets, parts, parts), 1000);
    for (int p = 0; p < parts; ++p) EXPECT_LE(balanced_cut(offsets, p, parts), balanced_cut(offsets, p + 1, parts));
  }
}

TEST(Parallel, TakesThreadsInProportionToWork) {
  omp_set_num_threads(7);
  EXPECT_EQ(threads_for_work(0), 1);
  EXPECT_EQ(threads_for_work(parallel_threshold - 1), 1);
  EXPECT_EQ(threads_for_work(parallel_threshold), 2);
  EXPECT_EQ(threads_for_work(5 * work_per_thread - 1), 4);
  EXPECT_EQ(threads_for_work(5 * work_per_thread), 5);
  EXPECT_EQ(threads_for_work(std::int64_t{1} << 40), 7);
}

TEST(Parallel, SharesOutFewPiecesThatAreMuchWork) {
  omp_set_num_threads(3);
  std::vector<int> thread(10, -1);
  parallel_pieces(10, 100 * parallel_threshold,
                  [&](std::int64_t i) { thread[static_cast<std::size_t>(i)] = omp_get_thread_num(); });
  EXPECT_EQ(std::count(thread.begin(), thread.end(), -1), 0);
  EXPECT_EQ(*std::max_element(thread.begin(), thread.end()), 2) << "all threads";
  const std::int64_t before = regions_started();
  parallel_pieces(10, 100, [](std::int64_t) {});
  parallel_pieces(1, 100 * parallel_threshold, [](std::int64_t) {});
  EXPECT_EQ(regions_started(), before) << "little work, or one piece, starts no threads";
  parallel_pieces(0, 100 * parallel_threshold, [](std::int64_t) { ADD_FAILURE(); });
}

TEST(Parallel, CountsTheRegionsThatWakeThreads) {
  omp_set_num_threads(3);
  const std::int64_t before = regions_started();
  parallel_for(parallel_threshold - 1, [](std::int64_t) {});
  EXPECT_EQ(regions_started(), before);
  parallel_for(parallel_threshold, [](std::int64_t) {});
  EXPECT_EQ(regions_started(), before + 1);
}

TEST(Parallel, UsesOneThreadInsideAnotherRegion) {
  omp_set_num_threads(2);
  int inside = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  inside = thread_count();
  EXPECT_EQ(inside, 1);
}

TEST(Buffer, IsAlignedAndCopiesDeeply) {
  buffer<double> small(3, 1.5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small.data()) % 64, 0u);
  buffer<double> large(1 << 20, 2.5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % (2u << 20), 0u);
  buffer<double> copy = large;
  copy[0] = 7;
  EXPECT_EQ(large[0], 2.5);
  const buffer<double> moved = std::move(large);
  EXPECT_EQ(moved[(1 << 20) - 1], 2.5);
  EXPECT_EQ(buffer<double>(0).data(), nullptr);
}

TEST(Buffer, RefusesSizesThatMakeNoSense) {
  EXPECT_THROW(buffer<double>(-1), error);
  EXPECT_THROW(buffer<double>(std::int64_t{1} << 61), error);
  try {
    buffer<char> b(std::int64_t{1} << 62);
    FAIL() << "allocated 4 EiB";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::out_of_memory);
  }
}

}  // namespace
}  // namespace lacis::detail

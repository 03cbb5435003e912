// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operations that end early because their caller wants them to.
#include "base/interruption.hpp"

#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include <lacis/facts.hpp>
#include <lacis/generate.hpp>
#include <lacis/io.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/plan.hpp>
#include <lacis/precondition.hpp>
#include <lacis/reorder.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/spgemm_masked.hpp>
#include <lacis/spgemm_plan.hpp>
#include <lacis/spy.hpp>
#include <lacis/structure.hpp>

#include "base/parallel.hpp"

namespace lacis {
namespace {

using namespace std::chrono_literals;
using detail::parallel_for;
using detail::parallel_threshold;
using detail::stop_check;

struct cancelled {};

const std::function<void()> always = [] { throw cancelled(); };

/// Pieces of a millisecond that threads take; how many were begun.
std::int64_t run_pieces(int threads, std::int64_t pieces) {
  std::atomic<std::int64_t> next{0};
  std::atomic<std::int64_t> begun{0};
  const stop_check stop;
  try {
    detail::on_threads(threads, [&](int, int) {
      while (next++ < pieces) {
        stop();
        ++begun;
        std::this_thread::sleep_for(1ms);
      }
    });
  } catch (const cancelled&) {
  }
  return begun;
}

TEST(Interruption, WhatTheCallerThrowsEndsTheWorkOfAllThreads) {
  for (const int threads : {1, 2, 3}) {
    const interruption asked(always);
    EXPECT_LT(run_pieces(threads, 2000), 1500) << threads;
  }
}

TEST(Interruption, NothingIsAskedOfShortWorkAndWhereNobodyAsks) {
  EXPECT_EQ(run_pieces(2, 100), 100);
  const interruption asked(always);
  EXPECT_EQ(run_pieces(1, 10), 10);
}

TEST(Interruption, IsAskedByTheThreadThatMadeItAndFromTimeToTime) {
  int questions = 0;
  const auto here = std::this_thread::get_id();
  const interruption asked([&] {
    EXPECT_EQ(std::this_thread::get_id(), here);
    ++questions;
  });
  EXPECT_EQ(run_pieces(3, 900), 900);
  EXPECT_GE(questions, 2);
  EXPECT_LE(questions, 60);
}

TEST(Interruption, LeavesOtherThreadsAlone) {
  const interruption asked(always);
  std::thread other([] { EXPECT_EQ(run_pieces(2, 200), 200); });
  other.join();
}

TEST(Interruption, TheInnerOneAsksWhileItExists) {
  const interruption outer([] { FAIL(); });
  {
    const interruption inner(always);
    EXPECT_LT(run_pieces(2, 1000), 1000);
  }
  std::int64_t questions = 0;
  {
    const interruption again([&] { ++questions; });
    EXPECT_EQ(run_pieces(2, 400), 400);
  }
  EXPECT_GT(questions, 0);
}

TEST(Interruption, EverythingThatIsCalledAfterTheFirstOneEndsTooUntilItIsGone) {
  {
    const interruption asked(always);
    EXPECT_LT(run_pieces(2, 1000), 1000);
    EXPECT_THROW(stop_check()(), cancelled);
    EXPECT_THROW(parallel_for(parallel_threshold, [](std::int64_t) {}), cancelled);
  }
  parallel_for(parallel_threshold, [](std::int64_t) {});
}

TEST(Interruption, WhereNothingMayBeThrownTheCallerIsToldAfterwards) {
  const interruption asked(always);
  const stop_check stop;
  EXPECT_FALSE(stop.is_asked());
  std::this_thread::sleep_for(60ms);
  EXPECT_TRUE(stop.is_asked());
  EXPECT_THROW(stop(), cancelled);
}

// Operations on matrices for which they take some hundred milliseconds at least.

#ifdef LACIS_ADDRESS_SANITIZER
constexpr const char* grid_name = "@poisson3d:50";
constexpr const char* power_law_name = "@rmat:11";
constexpr const char* scattered_name = "@uniform:100000,8";
#else
constexpr const char* grid_name = "@poisson3d:90";
constexpr const char* power_law_name = "@rmat:14";
constexpr const char* scattered_name = "@uniform:1000000,8";
#endif

const csr_matrix<double>& grid() {
  static const auto a = generate<double>(grid_name);
  return a;
}
const csr_matrix<double>& power_law() {
  static const auto a = generate<double>(power_law_name, {.values = generated_values::random});
  return a;
}
const csr_matrix<double>& scattered() {
  static const auto a = generate<double>(scattered_name, {.values = generated_values::random});
  return a;
}
/// Columns of each row descend.
const csr_matrix<double>& disordered() {
  static const auto made = [] {
    auto a = scattered();
    for (std::int64_t i = 0; i < a.rows; ++i)
      std::reverse(a.columns.data() + a.row_offsets[i], a.columns.data() + a.row_offsets[i + 1]);
    return a;
  }();
  return made;
}
std::string path_of(const char* name) { return (std::filesystem::temp_directory_path() / name).string(); }

struct operation {
  const char* name;
  std::function<void()> run;
};

const operation operations[] = {
    {"sparse product", [] { static_cast<void>(multiply(power_law(), power_law())); }},
    {"sparse product of a stencil", [] { static_cast<void>(multiply(grid(), grid())); }},
    {"masked product", [] { static_cast<void>(multiply_masked(power_law(), power_law(), power_law())); }},
    {"plan of a sparse product", [] { static_cast<void>(multiply_compute(power_law(), power_law())); }},
    {"inspection", [] { static_cast<void>(multiply_inspect(scattered(), {.transpose = true})); }},
    {"tuning", [] { static_cast<void>(multiply_inspect(scattered(), {.tune = true})); }},
    {"transpose", [] { static_cast<void>(transpose(scattered())); }},
    {"canonical rows", [] { static_cast<void>(canonical(disordered())); }},
    {"symmetrised", [] { static_cast<void>(symmetrise(scattered())); }},
    {"facts", [] { static_cast<void>(find_facts(scattered())); }},
    {"multigrid", [] { static_cast<void>(make_preconditioner(grid(), {.kind = preconditioner_kind::amg})); }},
    {"ILU(0)", [] { static_cast<void>(make_preconditioner(grid(), {.kind = preconditioner_kind::ilu0})); }},
    {"IC(0)", [] { static_cast<void>(make_preconditioner(grid(), {.kind = preconditioner_kind::ic0})); }},
    {"RCM", [] { static_cast<void>(reorder(scattered(), reordering::rcm)); }},
    {"PageRank", [] { static_cast<void>(pagerank(scattered())); }},
    {"generator", [] { static_cast<void>(generate<double>("@rmat:18")); }},
    {"writer", [] { write(path_of("interruption.mtx"), scattered()); }},
};

class Interruptions : public testing::TestWithParam<operation> {};

/// The first question comes after 50 ms; whoever is not asked runs to the end.
TEST_P(Interruptions, EndTheOperation) {
  const auto& [name, run] = GetParam();
  const auto end_it = [&repeated = run] {
    const interruption asked(always);
    for (int times = 0; times < 20; ++times) repeated();  // whatever the machine: some of them ask
  };
  EXPECT_THROW(end_it(), cancelled);
  run();
}

#ifndef LACIS_ADDRESS_SANITIZER  // whose code is many times slower

/// Of this thread's processor time, which other programs do not change.
double seconds_now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// Between two questions there is little work: who waits for the end of an operation waits that long.
TEST_P(Interruptions, AreAskedForAgainSoon) {
  const auto& [name, run] = GetParam();
  run();  // what is measured once per process, and first touches
  std::int64_t questions = 0;
  double longest = 0;
  double before = 0;
  const auto look = [&] {
    const double now = seconds_now();
    longest = std::max(longest, now - before);
    before = now;
    ++questions;
  };
  {
    const interruption asked(look);
    before = seconds_now();
    run();
    look();
  }
  EXPECT_LT(longest, 0.4);
  std::printf("%-28s %3lld questions, the longest pause %.3f s\n", name, static_cast<long long>(questions), longest);
}

#endif

INSTANTIATE_TEST_SUITE_P(Of, Interruptions, testing::ValuesIn(operations), [](const auto& tested) {
  std::string name = tested.param.name;
  std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
  return name;
});

}  // namespace
}  // namespace lacis

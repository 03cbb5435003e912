// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a plan chooses, what it says about it, and what it remembers.
#include "plan/choose.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/plan.hpp>
#include <lacis/structure.hpp>

#include "plan/this_machine.hpp"
#include "summation/spmv.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"
#include "support/views.hpp"

namespace lacis::test {
namespace {

const plan_candidate& chosen_in(const plan_report& report) {
  for (const plan_candidate& c : report.candidates)
    if (c.chosen) return c;
  throw error(errc::invalid_argument, "no candidate was chosen");
}

/// A machine on which choices are known.
std::shared_ptr<const machine_rates> known_machine() {
  return std::make_shared<machine_rates>(detail::usual_machine());
}

std::vector<double> product(const csr_matrix<double>& a, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, y);
  return y;
}

#ifndef LACIS_ADDRESS_SANITIZER  // what is chosen is arithmetic, and matrices beyond the caches take minutes there
TEST(Choose, TakesPatternsForGridsAndStagingForRandomReads) {
  EXPECT_EQ(multiply_inspect(generate<double>("@poisson3d:40"), {.threads = 2, .machine = known_machine()}).layout(),
            "stencil-8");
  const auto scattered = generate<double>("@uniform:3000000,4");
  EXPECT_EQ(multiply_inspect(scattered, {.threads = 2, .machine = known_machine()}).layout(), "staged-8");
  EXPECT_EQ(multiply_inspect(scattered, {.threads = 2, .columns = 8, .machine = known_machine()}).layout(), "csr")
      << "dense columns meet rows where they are";
}
#endif

TEST(Choose, ReportsTheCandidatesAndTheirCosts) {
  const auto a = generate<double>("@poisson3d:40");
  const auto p = multiply_inspect(a, {.threads = 2});
  const plan_report& report = p.report();
  ASSERT_GE(report.candidates.size(), 3u);
  EXPECT_EQ(report.expected_uses, 1000);
  EXPECT_GT(report.read_gbs, 0);
  EXPECT_EQ(report.rates, "measured at the start");
  EXPECT_GT(report.inspection_seconds, 0);
  EXPECT_GT(report.plain_seconds, 0);
  EXPECT_FALSE(report.tuned);
  EXPECT_EQ(chosen_in(report).moved_bytes, static_cast<double>(p.moved_bytes())) << "one figure for one product";
  EXPECT_EQ(chosen_in(report).storage_bytes, p.storage_bytes());
  double last = 0;
  for (const plan_candidate& c : report.candidates) {
    EXPECT_GT(c.moved_bytes, 0);
    EXPECT_GT(c.seconds, 0);
    EXPECT_GE(c.conversion_seconds + 1000 * c.seconds, last) << "the best first";
    last = c.conversion_seconds + 1000 * c.seconds;
    EXPECT_FALSE(c.measured_seconds);
  }
  EXPECT_EQ(chosen_in(report).layout, p.layout());
}

#ifndef LACIS_ADDRESS_SANITIZER
TEST(Choose, TakesCsrForASingleUse) {
  EXPECT_EQ(multiply_inspect(generate<double>("@uniform:3000000,4"),
                             {.threads = 2, .expected_uses = 1, .machine = known_machine()})
                .layout(),
            "csr");
}

TEST(Choose, StaysInTheMemoryLimit) {
  const auto a = generate<double>("@uniform:3000000,4", {.values = generated_values::random});
  const std::int64_t csr = multiply_inspect(a, {.layout = plan_layout::csr}).storage_bytes();
  const std::int64_t staged = multiply_inspect(a, {.threads = 2, .machine = known_machine()}).storage_bytes();
  ASSERT_GT(staged, csr);
  const auto p = multiply_inspect(a, {.threads = 2, .memory_limit = staged - 1, .machine = known_machine()});
  EXPECT_NE(p.layout(), "staged-8");
  EXPECT_LE(p.storage_bytes(), staged - 1);
  EXPECT_EQ(code_of([&] { static_cast<void>(multiply_inspect(a, {.memory_limit = 1000})); }), errc::out_of_memory);
}
#endif

TEST(Choose, KnowsNearbyRates) {
  machine_rates m;
  m.streams = {{1, 10}, {4, 30}};
  m.gathers = {{1, 1 << 20, 4}, {1, 1 << 24, 1}, {4, 1 << 20, 16}};
  const detail::thread_rates one(m, 1);
  EXPECT_EQ(one.read_bytes, 10e9);
  EXPECT_EQ(one.random_read(1 << 20), 8 / 4e9);
  EXPECT_EQ(one.random_read(1 << 30), 8 / 1e9);
  EXPECT_GT(one.random_read(1 << 22), one.random_read(1 << 20));
  EXPECT_LT(one.random_read(1 << 22), one.random_read(1 << 24));
  EXPECT_EQ(detail::thread_rates(m, 8).read_bytes, 60e9) << "from four threads, scaled";
}

TEST(Choose, MeasuresWhatWasNotGiven) {
  const machine_rates& here = detail::this_machine();
  EXPECT_EQ(&here, &detail::this_machine()) << "once per process";
  for (const double rate :
       {here.own_cache_gbs, here.last_cache_gbs, here.gathered_ns, here.consecutive_ns, here.wake_ns})
    EXPECT_GT(rate, 0);
  EXPECT_GE(here.cache_bytes, here.own_cache_bytes);
  ASSERT_FALSE(here.streams.empty());
  EXPECT_GT(here.streams.front().read_gbs, 0);
  EXPECT_GE(here.gathers.size(), 4u);
  machine_rates given = detail::usual_machine();
  given.gathered_ns = 0;
  given.streams.clear();
  const machine_rates all = detail::completed(given);
  EXPECT_EQ(all.gathered_ns, here.gathered_ns);
  EXPECT_EQ(all.streams.size(), here.streams.size());
  EXPECT_EQ(all.own_cache_gbs, detail::usual_machine().own_cache_gbs) << "what was given stays";
}

TEST(Choose, MeasuresWithAnyNumberOfThreads) {
  for (const int threads : {1, 3, 5, 7, 12}) {  // odd shares of an array that is read 64 bytes at a time
    const machine_rates m = detail::measured_machine(threads);
    EXPECT_EQ(m.streams.back().threads, threads);
    for (const auto& stream : m.streams) EXPECT_GT(stream.read_gbs, 0);
    for (const auto& gather : m.gathers) EXPECT_GT(gather.gbs, 0) << gather.threads << " threads";
  }
}

TEST(Choose, GathersThatAreSlowSpeakAgainstLayoutsThatNeedThem) {
  const auto a = generate<double>("@mesh3d:30,shuffled", {.values = generated_values::random});
  const auto slow = std::make_shared<machine_rates>(detail::usual_machine());
  slow->gathered_ns = 40;
  EXPECT_NE(multiply_inspect(a, {.threads = 2, .machine = known_machine()}).layout(), "csr");
  EXPECT_EQ(multiply_inspect(a, {.threads = 2, .machine = slow}).layout(), "csr");
  const auto small = multiply_inspect(generate<double>("@poisson2d:20"));
  EXPECT_EQ(small.report().rates, "built in") << "nothing is measured for a small matrix";
}

TEST(Choose, TuningTimesWhatMayWin) {
  const auto p = multiply_inspect(generate<double>("@poisson3d:40"),
                                  {.threads = 1, .expected_uses = 1e6, .tune = true, .machine = known_machine()});
  const double best = chosen_in(p.report()).seconds;
  int far = 0;
  for (const plan_candidate& c : p.report().candidates) {
    if (c.seconds < 2 * best) continue;
    ++far;
    EXPECT_FALSE(c.measured_seconds.has_value())
        << c.layout << " was predicted to take " << c.seconds / best << " times";
  }
  EXPECT_GT(far, 0) << "csr reads all entries, a stencil of constants none";
}

TEST(Choose, RemembersWhatTuningFound) {
  const std::string file = testing::TempDir() + "tuned";
  std::filesystem::remove(file);
  const auto a = generate<double>("@poisson2d:300");
  const auto first = multiply_inspect(a, {.threads = 1, .tune = true, .tuning_file = file});
  EXPECT_TRUE(first.report().tuned);
  EXPECT_TRUE(chosen_in(first.report()).measured_seconds.has_value());
  const auto again = multiply_inspect(a, {.threads = 1, .tune = true, .tuning_file = file});
  EXPECT_EQ(again.layout(), first.layout());
  EXPECT_FALSE(chosen_in(again.report()).measured_seconds.has_value()) << "remembered, not timed";
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  const std::string key = line.substr(0, line.find('\t'));
  detail::remember(file, key, "csr");
  EXPECT_EQ(multiply_inspect(a, {.threads = 1, .tune = true, .tuning_file = file}).layout(), "csr");
  std::ifstream lines(file);
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(lines), {}, '\n'), 1) << "one line per matrix";
  EXPECT_NO_THROW(detail::remember("/dev/full", key, "csr")) << "a plan works without a memory";
  EXPECT_NE(detail::fingerprint(a.view()), detail::fingerprint(view_of(generate<double>("@poisson2d:301"))));
}

TEST(Choose, ReorderedProductsHaveTheBitsOfTheMatrix) {
  const auto a = generate<double>("@mesh3d:12,shuffled", {.values = generated_values::random});
  const auto x = full_numbers<double>(a.cols);
  const auto wanted = product(a, x);
  for (const reordering how : {reordering::rcm, reordering::chain, reordering::degree})
    for (const plan_layout layout : plan_layouts) {
      auto p = multiply_inspect(a, {.layout = layout, .reorder = how});
      const auto order = p.permutation();
      ASSERT_EQ(order.size(), x.size());
      const auto permuted = [&](const std::vector<double>& v) {
        std::vector<double> w(v.size());
        for (std::size_t k = 0; k < v.size(); ++k) w[k] = v[static_cast<std::size_t>(order[k])];
        return w;
      };
      std::vector<double> y(x.size());
      multiply(p, permuted(x), y);
      EXPECT_EQ(y, permuted(wanted)) << name_of(how) << ' ' << name_of(layout);
      std::vector<double> columns(2 * x.size());
      const auto twice = permuted(x);
      std::vector<double> both;
      for (const double v : twice) both.insert(both.end(), {v, v});
      const auto size = static_cast<std::int64_t>(x.size());
      multiply(p, dense_view<const double>{both.data(), size, 2, 2, 1},
               dense_view<double>{columns.data(), size, 2, 2, 1});
      for (std::size_t k = 0; k < x.size(); ++k) ASSERT_EQ(columns[2 * k + 1], permuted(wanted)[k]);
      auto other = a;
      other.values = values_array<double>(buffer<double>(std::span<const double>(full_numbers<double>(a.nnz(), 9))));
      update_values(p, std::span<const double>(other.values.data));
      multiply(p, permuted(x), y);
      EXPECT_EQ(y, permuted(product(other, x))) << "with other values, " << name_of(how) << ' ' << name_of(layout);
    }
  const auto unchanged = multiply_inspect(a);
  EXPECT_TRUE(unchanged.permutation().empty());
}

TEST(Choose, SaysWhyInWords) {
  const auto p = multiply_inspect(generate<double>("@poisson3d:40"));
  const std::string words = p.explain();
  for (const char* part : {"stencil-8: ", "patterns", "bytes per entry", "csr would take", "Instructions: "})
    EXPECT_NE(words.find(part), std::string::npos) << part << " in: " << words;
}

}  // namespace
}  // namespace lacis::test

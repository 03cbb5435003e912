// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What plan_options ask of the plan of a device: rounded values, a limit of memory, timing, and how much is there at
// once.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>
#include <vector>

#include <lacis/device_multiply.hpp>
#include <lacis/generate.hpp>
#include <lacis/plan.hpp>

#include "device/context.hpp"
#include "plan/layout.hpp"
#include "simt/runtime.hpp"
#include "support/device_results.hpp"
#include "support/errors.hpp"
#include "verify/numbers.hpp"
#include "verify/test_matrices.hpp"

namespace lacis {
namespace {

using device::difference;
using test::code_of;
using verification::entries;
using verification::full_numbers;

constexpr device_id host_executor = devices::simt();

/// Rows of five entries and, in every window of 256 rows, one of ten: SELL pads an eighth more.
csr_matrix<double> padded_rows() {
  return verification::from_rows<double, std::int32_t>(512, 512, entries::reals, [](std::int64_t i) {
    return verification::random_columns(i, i % 256 == 9 ? 10 : 5, 512, 1);
  });
}

std::vector<double> product(const plan<double>& p, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(p.rows()));
  multiply(p, x, y);
  return y;
}

TEST(DevicePlanOptions, ValuesAsFloatAreRoundedAsOnTheProcessor) {
  const auto a = padded_rows();
  const auto x = full_numbers<double>(a.cols, 3);
  const auto other = full_numbers<double>(a.nnz(), 5);
  for (const auto wanted : {plan_layout::csr, plan_layout::sell}) {
    plan_options options{.layout = wanted, .values = plan_values::as_float};
    auto here = multiply_inspect(a, options);
    options.device = host_executor;
    auto there = multiply_inspect(a, options);
    EXPECT_EQ(difference(product(here, x), product(there, x)), "") << there.layout();
    EXPECT_NE(difference(product(multiply_inspect(a), x), product(there, x)), "") << "rounding changes nothing here";
    EXPECT_EQ(detail::entries_hash(here), detail::entries_hash(there));
    update_values(here, other);
    update_values(there, other);
    EXPECT_EQ(difference(product(here, x), product(there, x)), "") << there.layout() << ", updated";
    EXPECT_EQ(detail::entries_hash(here), detail::entries_hash(there));
  }
}

TEST(DevicePlanOptions, AMemoryLimitIsKept) {
  const auto a = padded_rows();
  const auto free_choice = multiply_inspect(a, {.device = host_executor});
  EXPECT_EQ(free_choice.layout(), "simt sell-32");
  const auto csr = multiply_inspect(a, {.device = host_executor, .layout = plan_layout::csr});
  ASSERT_LT(csr.storage_bytes(), free_choice.storage_bytes());
  const auto limited = multiply_inspect(a, {.device = host_executor, .memory_limit = csr.storage_bytes()});
  EXPECT_EQ(limited.layout(), "simt csr");
  EXPECT_EQ(limited.storage_bytes(), csr.storage_bytes());
  EXPECT_NE(limited.explain().find("memory_limit"), std::string::npos) << limited.explain();
  const auto refused = [&](const plan_options& options) {
    return code_of([&] { static_cast<void>(multiply_inspect(a, options)); });
  };
  EXPECT_EQ(refused({.device = host_executor, .memory_limit = csr.storage_bytes() - 1}), errc::out_of_memory);
  EXPECT_EQ(refused({.device = host_executor, .transpose = true, .memory_limit = csr.storage_bytes() + 100}),
            errc::out_of_memory);
  EXPECT_EQ(
      refused({.device = host_executor, .layout = plan_layout::sell, .memory_limit = free_choice.storage_bytes() - 1}),
      errc::out_of_memory);
  EXPECT_EQ(multiply_inspect(a, {.device = host_executor, .memory_limit = free_choice.storage_bytes()}).layout(),
            "simt sell-32");
}

[[noreturn]] void plan_on_a_full_device() {
  ::setenv("LACIS_CUDA_PLUGIN", LACIS_PLUGIN_FULL, 1);
  const auto a = padded_rows();
  for (const bool tune : {false, true}) {
    const auto p = multiply_inspect(a, {.device = devices::cuda(), .tune = tune});
    std::fprintf(stderr, "%s: %s\n", p.layout().c_str(), p.explain().c_str());
  }
  try {
    static_cast<void>(multiply_inspect(a, {.device = devices::cuda(), .transpose = true}));
  } catch (const error& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
  }
  std::_Exit(0);
}

TEST(DevicePlanOptionsTest, ADeviceThatIsFullGetsTheSmallerLayoutOrSaysSo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(plan_on_a_full_device(), testing::ExitedWithCode(0),
              "^cuda:0 csr: CSR: SELL-32 would take more than the device has.*\n"
              "cuda:0 csr: CSR: SELL-32 would take more than the device has.*\nCUDA: no memory\n$");
}

TEST(DevicePlanOptions, ATunedPlanIsTimedAndRemembered) {
  const auto a = padded_rows();
  const std::string file = testing::TempDir() + "lacis_device_tuning_" + std::to_string(::getpid());
  const plan_options options{.device = host_executor, .tune = true, .tuning_file = file};
  const auto timed = multiply_inspect(a, options);
  EXPECT_TRUE(timed.report().tuned);
  ASSERT_EQ(timed.report().candidates.size(), 2u);
  for (const plan_candidate& one : timed.report().candidates) EXPECT_GT(one.measured_seconds.value_or(0), 0);
  EXPECT_EQ(timed.layout(), "simt " + timed.report().candidates[0].layout);
  EXPECT_TRUE(timed.report().candidates[0].chosen);
  EXPECT_NE(timed.explain().find("timed"), std::string::npos) << timed.explain();
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  const std::string key = line.substr(0, line.find('\t'));
  for (const char* const known : {"csr", "sell-32"}) {
    std::ofstream(file) << key << '\t' << known << '\n';
    const auto again = multiply_inspect(a, options);
    EXPECT_EQ(again.layout(), std::string("simt ") + known);
    EXPECT_NE(again.explain().find("remembered"), std::string::npos) << again.explain();
  }
  std::remove(file.c_str());
}

TEST(DevicePlanOptions, ColumnBlocksAreForTheProcessor) {
  EXPECT_EQ(code_of([] {
              static_cast<void>(multiply_inspect(padded_rows(), {.device = host_executor, .column_blocks = 2}));
            }),
            errc::unsupported);
}

TEST(DevicePlanOptions, ASellPlanIsMadeWithoutASecondCopyOfTheMatrix) {
  const auto a = generate<double>("@stencil27:16", {});
  const device_context gpu(host_executor);
  auto& executor = *static_cast<device::simt_runtime*>(gpu.internals()->table().state);
  executor.forget_peak();
  const std::int64_t before = executor.bytes_in_use();
  const auto p = multiply_inspect(a, {.device = host_executor});
  ASSERT_EQ(p.layout(), "simt sell-32");
  EXPECT_EQ(executor.bytes_in_use() - before, p.storage_bytes());
  EXPECT_LE(executor.most_bytes_in_use() - before, p.storage_bytes() + p.storage_bytes() / 4);
}

}  // namespace
}  // namespace lacis

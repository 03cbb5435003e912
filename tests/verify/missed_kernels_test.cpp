// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that verification should have reached: those of the type and operation that were asked for.
#include <algorithm>
#include <gtest/gtest.h>

#include "kernels/kernel.hpp"
#include "kernels/names.hpp"
#include "verify/kernel_ledger.hpp"

namespace lacis::verification {
namespace {

std::vector<std::string> missed(std::span<const std::int64_t> launches, const char* values,
                                const char* operation = "") {
  kernel_verify_options options;
  options.values = values;
  options.operation = operation;
  return missed_kernels(launches, options);
}

TEST(MissedKernels, EveryTypeHasItsOwn) {
  const std::vector<std::int64_t> none(static_cast<std::size_t>(kernels::kernel_numbers), 0);
  const auto all = static_cast<std::size_t>(device::count_kernels().instantiations);
  EXPECT_EQ(missed(none, "").size(), all);
  std::size_t sum = 0;
  for (const char* const values : kernel_values) {
    const std::vector<std::string> own = missed(none, values);
    EXPECT_GT(own.size(), all / 10) << values;
    for (const std::string& name : own)
      EXPECT_NE(name.find(std::string(", ") + values + ", "), std::string::npos) << name;
    sum += own.size();
  }
  EXPECT_EQ(sum, all);
}

TEST(MissedKernels, OneThatComplexValuesDidNotReachIsNamed) {
  std::vector<std::int64_t> launches(static_cast<std::size_t>(kernels::kernel_numbers), 1);
  for (const char* const values : kernel_values) EXPECT_TRUE(missed(launches, values).empty());
  const std::string name = "spgemm_hash_fill_few, complex float, 64-bit";
  for (std::int64_t& count : launches) {
    count = 0;
    if (missed(launches, "") == std::vector{name}) break;
    count = 1;
  }
  EXPECT_EQ(missed(launches, "complex float"), std::vector{name});
  EXPECT_EQ(missed(launches, "complex float", "spgemm"), std::vector{name});
  EXPECT_TRUE(missed(launches, "float").empty());
  EXPECT_TRUE(missed(launches, "complex double").empty());
  EXPECT_TRUE(missed(launches, "complex float", "spmv").empty());  // which kernels it launches is not known
}

}  // namespace
}  // namespace lacis::verification

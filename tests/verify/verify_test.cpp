// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification itself: this build passes, the digest depends on nothing but results, nonsense is refused.
#include "verify/verify.hpp"

#include <gtest/gtest.h>
#include <set>

#include <lacis/error.hpp>

namespace lacis::test {
namespace {

verify_report swept(std::vector<isa> sets, std::vector<int> threads) {
  return verify({.isas = std::move(sets), .threads = std::move(threads)});
}

TEST(Verify, FindsNoDifferenceAndOneDigestWhateverTheInstructionsAndThreads) {
  const verify_report report = swept({supported_isas().back()}, {3});
  EXPECT_TRUE(report.good());
  for (const std::string& fault : report.faults) ADD_FAILURE() << fault;
  EXPECT_GT(report.products, 20'000);
  EXPECT_EQ(report.refusals, 440);  // 4 types, 5 matrices in disorder, 11 forms of each, a vector and columns
  std::set<std::string> rows;
  for (const verify_count& count : report.table) {
    EXPECT_GT(count.compared, 0) << count.what;
    EXPECT_EQ(count.isa, supported_isas().back());
    rows.insert(count.what);
  }
  EXPECT_EQ(rows, (std::set<std::string>{"bsr", "coo", "csc", "csr", "dia", "ell", "hyb", "jds", "plan", "sell"}));
#ifndef LACIS_SANITIZED  // one sweep takes minutes then
  const verify_report plain = swept({isa::scalar}, {1});
  EXPECT_TRUE(plain.good());
  EXPECT_EQ(plain.digest, report.digest);
#endif
}

TEST(Verify, ReportsProgressThatEndsAtOneAndStopsWhenToldTo) {
  struct enough {};
  verify_options options;
  options.isas = {isa::scalar};
  options.threads = {1};
  int calls = 0;
  options.progress = [&](std::string_view stage, double share) {
    EXPECT_EQ(stage, "float");
    EXPECT_GT(share, 0);
    if (++calls == 3) throw enough{};
  };
  EXPECT_THROW(static_cast<void>(verify(options)), enough);
}

TEST(Verify, RefusesThreadsBelowOne) {
  try {
    static_cast<void>(swept({}, {0}));
    FAIL();
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::invalid_argument);
  }
}

}  // namespace
}  // namespace lacis::test

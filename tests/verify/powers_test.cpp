// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification of powers: this build passes, products are fused in every layout that can, and the digest depends on
// nothing but results.
#include <gtest/gtest.h>
#include <set>

#include "verify/verify.hpp"

namespace lacis::test {
namespace {

verify_report swept(std::vector<isa> sets, std::vector<int> threads) {
  return verify_powers({.isas = std::move(sets), .threads = std::move(threads)});
}

TEST(VerifyPowers, FindsNoDifferenceAndOneDigestWhateverTheInstructionsAndThreads) {
  const verify_report report = swept({supported_isas().back()}, {2});
  for (const std::string& fault : report.faults) ADD_FAILURE() << fault;
  EXPECT_TRUE(report.good());
  std::set<std::string> rows;
  for (const verify_count& count : report.table) rows.insert(count.what);
  EXPECT_EQ(rows, (std::set<std::string>{"csr", "csr, fused", "sell", "sell, fused", "stencil", "stencil, fused",
                                         "symmetric", "symmetric, fused"}));
#ifndef LACIS_SANITIZED  // one sweep takes minutes then
  const verify_report plain = swept({isa::scalar}, {1, 3});
  EXPECT_TRUE(plain.good());
  EXPECT_EQ(plain.digest, report.digest);
#endif
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification of sparse products: this build passes, the digest depends on nothing but results, and products that are
// wrong in one place are caught.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "verify/spgemm_sweep-inl.hpp"
#include "verify/verify.hpp"

namespace lacis::verification {
namespace {

verify_report swept(std::vector<isa> sets, std::vector<int> threads) {
  return verify_spgemm({.isas = std::move(sets), .threads = std::move(threads)});
}

TEST(VerifySpgemm, FindsNoDifferenceAndOneDigestWhateverTheInstructionsAndThreads) {
  const verify_report report = swept({supported_isas().back()}, {3});
  for (const std::string& fault : report.faults) ADD_FAILURE() << fault;
  EXPECT_TRUE(report.good());
  EXPECT_EQ(report.refusals, 96);  // 8 pairs of types, 12 places for an operand
  std::set<std::string> rows;
  for (const verify_count& count : report.table) {
    EXPECT_GT(count.compared, 0) << count.what;
    EXPECT_EQ(count.isa, supported_isas().back());
    rows.insert(count.what);
  }
  EXPECT_EQ(rows.size(), std::size(spgemm_rows));
#ifndef LACIS_SANITIZED  // one sweep takes minutes then
  const verify_report plain = swept({isa::scalar}, {1});
  EXPECT_TRUE(plain.good());
  EXPECT_EQ(plain.digest, report.digest);
#endif
}

using matrix = csr_matrix<double, std::int32_t>;

/// What the sweep says of A A when it is computed like this.
verify_report report_of(const std::function<matrix(const matrix&)>& compute) {
  const auto a = from_rows<double, std::int32_t>(40, 40, entries::reals,
                                                 [](std::int64_t i) { return random_columns(i, 6, 40, 81); });
  operation_set<double, std::int32_t> all({"40x40, 6 a row", "A A", a, a}, summation::spgemm(a.view(), a.view()));
  all.add("multiply", all.product, [&](const spgemm_options&) { return compute(a); });
  const isa sets[] = {isa::scalar};
  const int threads[] = {1, 2};
  ledger book;
  const sweep_options options{true, sets, threads, [] {}};
  spgemm_trials<double, std::int32_t>(options, book, 1).run(all);
  return book.report();
}

/// The fault that it tells, after checking that it told one for each number of threads.
std::string fault_of(const std::function<matrix(const matrix&)>& compute) {
  const verify_report report = report_of(compute);
  EXPECT_EQ(report.products, 2);
  EXPECT_EQ(report.differing, 2);
  return report.faults.empty() ? "" : report.faults.front();
}

void expect_words(const std::string& fault, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_NE(fault.find(word), std::string::npos) << fault;
}

TEST(VerifySpgemm, TakesTheProductItself) {
  EXPECT_TRUE(report_of([](const matrix& a) { return multiply(a, a); }).good());
}

TEST(VerifySpgemm, CatchesSumsInDescendingOrder) {
  std::vector<std::int64_t> backwards(40);
  std::iota(backwards.rbegin(), backwards.rend(), std::int64_t{0});
  const std::string fault =
      fault_of([&](const matrix& a) { return multiply(permute(a, {}, backwards), permute(a, backwards, {})); });
  expect_words(fault,
               {"multiply, scalar, 1 thread", "double, 32-bit columns", "40x40, 6 a row", "A A", "the order gives"});
}

TEST(VerifySpgemm, CatchesOneWrongBit) {
  const std::string fault = fault_of([](const matrix& a) {
    matrix c = multiply(a, a);
    c.values.data[c.row_offsets[7]] = std::nextafter(c.values.data[c.row_offsets[7]], 1e9);
    return c;
  });
  expect_words(fault, {"row 7, column "});
}

TEST(VerifySpgemm, CatchesAColumnThatIsNotInItsPlace) {
  const std::string fault = fault_of([](const matrix& a) {
    matrix c = multiply(a, a);
    std::swap(c.columns[c.row_offsets[9]], c.columns[c.row_offsets[9] + 1]);
    return c;
  });
  expect_words(fault, {"row 9 has other columns"});
}

TEST(VerifySpgemm, CatchesAnEntryThatIsNotThere) {
  const std::string fault = fault_of([](const matrix& a) {
    const matrix c = multiply(a, a);
    return extract(c, 0, c.rows, 0, c.cols - 1);
  });
  expect_words(fault, {"is 40 x 39, the definition gives 40 x 40"});
  expect_words(fault_of([](const matrix& a) { return tril(multiply(a, a), 38); }),
               {"row 0 has ", " entries, the definition gives"});
}

TEST(VerifySpgemm, TellsWhatAProductThrows) {
  expect_words(fault_of([](const matrix&) -> matrix { throw error(errc::out_of_memory, "no memory left"); }),
               {"no memory left"});
}

}  // namespace
}  // namespace lacis::verification

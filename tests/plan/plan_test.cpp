// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Plans beside their results: options, explanations, copies, new values, and matrices in disorder.
#include <gtest/gtest.h>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/plan.hpp>
#include <lacis/structure.hpp>

#include "summation/spmv.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

csr_matrix<double> short_rows() {
  return from_rows<double, std::int32_t>(300, 300, entries::reals, [](auto i) { return random_columns(i, 5, 300, 1); });
}
csr_matrix<double> long_rows() {
  return from_rows<double, std::int32_t>(20, 900, entries::reals,
                                         [](auto i) { return random_columns(i, 600, 900, 2); });
}
/// Every row descends and holds its first entry twice.
csr_matrix<double> disorder() {
  return from_rows<double, std::int32_t>(50, 60, entries::reals, [](std::int64_t i) {
    auto columns = random_columns(i, 6, 60, 3);
    std::reverse(columns.begin(), columns.end());
    columns.push_back(columns.front());
    return columns;
  });
}

std::vector<double> product(const csr_matrix<double>& a, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, y);
  return y;
}
std::vector<double> product(const plan<double>& p, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(p.rows()));
  multiply(p, x, y);
  return y;
}

TEST(Plan, ChoosesSellForShortRowsAndCsrForLongOnes) {
  EXPECT_EQ(multiply_inspect(short_rows(), {.expected_uses = 100000}).layout().substr(0, 4), "sell");
  EXPECT_EQ(multiply_inspect(long_rows()).layout(), "csr");
}

TEST(Plan, TakesTheLayoutItIsAskedFor) {
  EXPECT_EQ(multiply_inspect(short_rows(), {.layout = plan_layout::csr}).layout(), "csr");
  EXPECT_EQ(multiply_inspect(long_rows(), {.layout = plan_layout::sell}).layout().substr(0, 4), "sell");
}

TEST(Plan, KnowsItsSizesAndExplainsItself) {
  const auto a = short_rows();
  const auto p = multiply_inspect(a);
  EXPECT_EQ(p.rows(), 300);
  EXPECT_EQ(p.cols(), 300);
  EXPECT_EQ(p.nnz(), a.nnz());
  EXPECT_GE(p.storage_bytes(), a.nnz() * static_cast<std::int64_t>(sizeof(double)));
  EXPECT_NE(p.explain().find(name_of(default_isa())), std::string::npos) << p.explain();
  const auto both = multiply_inspect(a, {.transpose = true});
  EXPECT_NE(both.explain().find("transpose"), std::string::npos) << both.explain();
  EXPECT_GT(both.storage_bytes(), p.storage_bytes());
}

TEST(Plan, SaysThatItHasPutRowsInOrder) {
  const auto a = disorder();
  const auto p = multiply_inspect(a);
  EXPECT_EQ(p.nnz(), a.nnz() - 50);
  EXPECT_NE(p.explain().find("not canonical"), std::string::npos) << p.explain();
  EXPECT_NE(p.explain().find("50 entries"), std::string::npos) << p.explain();
  const auto x = full_numbers<double>(60);
  EXPECT_EQ(product(p, x), product(canonical(a), x));
}

TEST(Plan, TakesMatricesOfAnyFormat) {
  const auto a = short_rows();
  const auto x = full_numbers<double>(300);
  EXPECT_EQ(product(multiply_inspect(convert<coo_matrix<double>>(a)), x), product(a, x));
  EXPECT_EQ(product(multiply_inspect(convert<dia_matrix<double>>(a)), x), product(a, x));
}

TEST(Plan, OutlivesItsMatrix) {
  auto a = short_rows();
  const auto x = full_numbers<double>(300);
  const auto expected = product(a, x);
  const auto p = multiply_inspect(a);
  for (double& v : a.values.data) v = 0;
  EXPECT_EQ(product(p, x), expected);
}

TEST(Plan, TellsThatItDoesNotHoldTheTranspose) {
  const auto p = multiply_inspect(short_rows(), {.transpose = true});
  const auto x = full_numbers<double>(300);
  std::vector<double> y(300);
  multiply(transposed(p), x, y);
  EXPECT_EQ(y, product(transpose(short_rows()), x));
  EXPECT_EQ(code_of([&] { multiply(conjugate_transposed(p), x, y); }), errc::invalid_argument);
  const auto plain = multiply_inspect(short_rows());
  EXPECT_EQ(code_of([&] { multiply(transposed(plain), x, y); }), errc::invalid_argument);
}

TEST(Plan, RefusesVectorsOfAnotherSizeInBothLayouts) {
  std::vector<double> right(300);
  std::vector<double> wrong(299);
  for (const plan_layout layout : {plan_layout::csr, plan_layout::sell}) {
    const auto p = multiply_inspect(short_rows(), {.layout = layout});
    EXPECT_EQ(code_of([&] { multiply(p, wrong, right); }), errc::invalid_argument);
    EXPECT_EQ(code_of([&] { multiply(p, right, wrong); }), errc::invalid_argument);
    EXPECT_EQ(code_of([&] { multiply(p, right, right); }), errc::invalid_argument);
  }
}

TEST(Plan, KeepsTheCopiesOfAPlanWhoseValuesChange) {
  for (const plan_layout layout : {plan_layout::csr, plan_layout::sell}) {
    auto a = short_rows();
    const auto x = full_numbers<double>(300);
    const auto before = product(a, x);
    auto p = multiply_inspect(a, {.layout = layout});
    const auto copy = p;
    const auto values = full_numbers<double>(a.nnz(), 5);
    update_values(p, values);
    a.values = values_array<double>(buffer<double>(std::span<const double>(values)));
    EXPECT_EQ(product(p, x), product(a, x));
    EXPECT_EQ(product(copy, x), before);
  }
}

TEST(Plan, UpdatesThePlanItselfWhenNoCopyIsAround) {
  auto p = multiply_inspect(short_rows());
  const auto* held = p.internals().get();
  update_values(p, full_numbers<double>(short_rows().nnz(), 6));
  EXPECT_EQ(p.internals().get(), held);
}

TEST(Plan, UpdatesValuesInTheOrderOfTheMatrixItWasGiven) {
  auto a = disorder();
  auto p = multiply_inspect(a, {.transpose = true});
  const auto values = full_numbers<double>(a.nnz(), 7);
  update_values(p, values);
  a.values = values_array<double>(buffer<double>(std::span<const double>(values)));
  const auto x = full_numbers<double>(60);
  EXPECT_EQ(product(p, x), product(canonical(a), x));
  const auto z = full_numbers<double>(50);
  std::vector<double> y(60);
  multiply(transposed(p), z, y);
  EXPECT_EQ(y, product(transpose(canonical(a)), z));
  EXPECT_EQ(code_of([&] { update_values(p, std::span(values).first(3)); }), errc::invalid_argument);
}

TEST(Plan, GivesAnIsoMatrixDifferentValues) {
  auto a =
      from_rows<double, std::int32_t>(80, 80, entries::reals, [](auto i) { return random_columns(i, 4, 80, 4); }, true);
  const auto x = full_numbers<double>(80);
  auto p = multiply_inspect(a);
  EXPECT_EQ(product(p, x), product(a, x));
  const auto values = full_numbers<double>(a.nnz(), 8);
  update_values(p, values);
  a.values = values_array<double>(buffer<double>(std::span<const double>(values)));
  EXPECT_EQ(product(p, x), product(a, x));
}

TEST(Plan, SharesAWorkspaceWithOtherPlans) {
  const auto a = short_rows();
  const auto b = long_rows();
  const auto p = multiply_inspect(a);
  const auto q = multiply_inspect(b, {.layout = plan_layout::sell});
  const auto x = full_numbers<double>(900);
  const std::vector<double> part(x.begin(), x.begin() + 300);
  workspace memory;
  for (int round = 0; round < 2; ++round) {
    std::vector<double> y(300);
    multiply(p, part, y, memory);
    EXPECT_EQ(y, product(a, part));
    std::vector<double> z(20);
    multiply(q, x, z, memory);
    EXPECT_EQ(z, product(b, x));
  }
  const std::byte* before = memory.bytes(64).data();
  EXPECT_EQ(memory.bytes(32).data(), before) << "a workspace that is large enough does not move";
}

TEST(Plan, RefusesInstructionsThatDoNotRunHere) {
  if (supported_isas().size() == 3) GTEST_SKIP() << "this processor runs all of them";
  EXPECT_EQ(code_of([] { static_cast<void>(multiply_inspect(short_rows(), {.isa = isa::avx512})); }),
            errc::unsupported);
}

}  // namespace
}  // namespace lacis::test

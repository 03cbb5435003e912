// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Types that are named with fwd.hpp alone, and plans made by their name.
#include <lacis/fwd.hpp>

namespace lacis::test {
namespace {

// Declared before any other header is read.
std::int64_t rows_of(const csr_matrix<double>& a, const csc_view<float, std::int64_t>& b);
int threads_of(const plan<double>& p, const plan_options& options);
bool has_converged(const solve_report& report, const linear_operator<double>* a);

}  // namespace
}  // namespace lacis::test

#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/lacis.hpp>
#include <lacis/plan.hpp>

namespace lacis::test {
namespace {

std::int64_t rows_of(const csr_matrix<double>& a, const csc_view<float, std::int64_t>& b) { return a.rows + b.rows; }
int threads_of(const plan<double>& p, const plan_options& options) { return p.rows() > 0 ? options.threads : 0; }
bool has_converged(const solve_report& report, const linear_operator<double>* a) {
  return report.converged() && a == nullptr;
}

TEST(Names, OfForwardDeclarationsAreThoseOfTheDefinitions) {
  const auto a = identity<double>(3);
  EXPECT_EQ(rows_of(a, {}), 3);
  EXPECT_EQ(threads_of(plan(a), {.threads = 2}), 2);
  EXPECT_FALSE(has_converged({}, nullptr));
}

TEST(PlanByName, IsThePlanOfMultiplyInspect) {
  const auto a = generate<double>("@poisson2d:20");
  const plan p(a);
  const plan q(a.view(), {.threads = 2, .layout = plan_layout::csr});
  const plan of_columns(convert<csc_matrix<double>>(a));
  const plan copy(p);
  static_assert(std::is_same_v<decltype(p), decltype(q)>);
  static_assert(std::is_same_v<decltype(p), const plan<double>>);
  static_assert(std::is_same_v<decltype(of_columns), decltype(copy)>);
  static_assert(
      std::is_same_v<decltype(plan(generate<float, std::int64_t>("@poisson2d:2"))), plan<float, std::int64_t>>);
  EXPECT_EQ(q.layout(), "csr");
  EXPECT_EQ(copy.internals(), p.internals());

  std::vector<double> x(static_cast<std::size_t>(a.cols)), expected(x.size()), y(x.size());
  std::iota(x.begin(), x.end(), 1.0);
  multiply(multiply_inspect(a), x, expected);
  for (const auto* each : {&p, &q, &of_columns, &copy}) {
    multiply(*each, x, y);
    EXPECT_EQ(y, expected) << each->layout();
  }
}

}  // namespace
}  // namespace lacis::test

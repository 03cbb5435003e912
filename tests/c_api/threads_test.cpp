// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Through lacis.h a number of threads is a limit.
#include <gtest/gtest.h>
#include <vector>

#include <lacis/generate.hpp>

#include "base/parallel.hpp"
#include "c_api/views.hpp"

namespace lacis::test {
namespace {

/// How many regions of several threads everything that takes a number of threads starts, where it may take four.
std::int64_t regions_of(const char* spec) {
  const auto a = generate<double, std::int32_t>(spec);
  const lacis_view view = c_view(a);
  const std::vector<double> x(static_cast<std::size_t>(a.cols), 1.0);
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  const std::int64_t before = detail::regions_started();
  lacis_product_options product = LACIS_INIT(lacis_product_options);
  product.threads = 4;
  EXPECT_EQ(lacis_multiply(&view, LACIS_FLOAT64, x.data(), y.data(), &product), LACIS_OK);
  lacis_matrix* square = nullptr;
  EXPECT_EQ(lacis_spgemm(&view, &view, 4, 0, &square), LACIS_OK);
  const owned<lacis_matrix> keep_square(square);
  lacis_plan_options plan_options = LACIS_INIT(lacis_plan_options);
  plan_options.threads = 4;
  lacis_plan* plan = nullptr;
  EXPECT_EQ(lacis_plan_make(&view, &plan_options, &plan), LACIS_OK);
  const owned<lacis_plan> keep_plan(plan);
  EXPECT_EQ(lacis_plan_multiply(plan, LACIS_FLOAT64, x.data(), y.data(), nullptr), LACIS_OK);
  lacis_operator* ilu0 = nullptr;
  EXPECT_EQ(lacis_preconditioner(&view, "ilu0", 4, &ilu0), LACIS_OK);
  const owned<lacis_operator> keep_ilu0(ilu0);
  EXPECT_EQ(lacis_operator_apply(ilu0, 0, x.data(), y.data()), LACIS_OK);
  lacis_solve_options options = LACIS_INIT(lacis_solve_options);
  options.threads = 4;
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  EXPECT_EQ(lacis_solve(&view, "cg", x.data(), y.data(), &options, &report), LACIS_OK);
  return detail::regions_started() - before;
}

TEST(CApi, ThreadsAreALimitAndSmallWorkTakesOne) {
  EXPECT_EQ(regions_of("@poisson2d:4"), 0);
  EXPECT_GT(regions_of("@poisson2d:150"), 0);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Small products and solutions run on the calling thread and wake no other.
#include <gtest/gtest.h>
#include <omp.h>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/plan.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/vector.hpp>

#include "base/parallel.hpp"

namespace lacis::test {
namespace {

/// How many regions of several threads `work` starts, where four threads are there for it.
template <class Work> std::int64_t regions_of(Work&& work) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(4);
  const std::int64_t begin = detail::regions_started();
  work();
  const std::int64_t regions = detail::regions_started() - begin;
  omp_set_num_threads(before);
  return regions;
}

struct Small : testing::Test {
  csr_matrix<double> a = generate<double, std::int32_t>("@poisson2d:40");  // 1600 rows, 7840 entries
  std::vector<double> x = std::vector<double>(static_cast<std::size_t>(a.cols), 1.0);
  std::vector<double> y = std::vector<double>(static_cast<std::size_t>(a.rows), 1.0);
};

TEST_F(Small, ProductsWakeNoThread) {
  for (const auto layout : plan_layouts) {
    const auto p = multiply_inspect(a, {.layout = layout});
    workspace memory;
    EXPECT_EQ(regions_of([&] { multiply(p, x, y); }), 0) << name_of(layout);
    EXPECT_EQ(regions_of([&] { multiply(2.0, p, x, 0.5, y, memory); }), 0) << name_of(layout);
  }
  EXPECT_EQ(regions_of([&] { multiply(a, x, y); }), 0);
}

TEST_F(Small, VectorOperationsWakeNoThread) {
  EXPECT_EQ(regions_of([&] {
              static_cast<void>(dot(x, y));
              static_cast<void>(norm(x));
              axpy(2.0, x, y);
              scale(0.5, y);
            }),
            0);
}

TEST_F(Small, SolversWakeNoThread) {
  const auto p = multiply_inspect(a);
  const auto m = make_preconditioner(a);
  for (const auto method : {solve_method::cg, solve_method::minres, solve_method::bicgstab, solve_method::gmres}) {
    std::vector<double> solution(x.size());
    EXPECT_EQ(regions_of([&] { EXPECT_TRUE(solve(method, p, x, solution, {.preconditioner = m}).converged()); }), 0)
        << name_of(method);
  }
}

TEST(Large, ProductsWakeThreadsInProportion) {
  const auto a = generate<double, std::int32_t>("@poisson2d:100");  // 10,000 rows, 49,600 entries: seven threads' work
  const std::vector<double> x(static_cast<std::size_t>(a.cols), 1.0);
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  EXPECT_EQ(regions_of([&] { multiply(a, x, y); }), 1);
}

}  // namespace
}  // namespace lacis::test

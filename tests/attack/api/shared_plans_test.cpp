// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What takes a const plan, operator or preconditioner may be called by several threads at a time.
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/plan.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/triangular.hpp>

namespace lacis::test {
namespace {

/// work(thread) on some threads, at the same time.
template <class Work> void together(Work&& work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&work, t] { work(t); });
  for (auto& thread : threads) thread.join();
}

TEST(SharedPlans, SolveTriangularSystemsAtTheSameTime) {
  const auto a = generate<double>("@poisson2d:40");
  for (const auto schedule : {triangular_schedule::serial, triangular_schedule::levels, triangular_schedule::sync_free,
                              triangular_schedule::wavefront}) {
    const auto plan = triangular_inspect(a, {.threads = 2, .schedule = schedule});
    const auto solution = [&](int t, int round, workspace* memory) {
      std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0 + t + 10 * round);
      std::vector<double> x(b.size());
      memory != nullptr ? triangular_solve(plan, b, x, *memory) : triangular_solve(plan, b, x);
      return x;
    };
    std::vector<std::vector<double>> expected;
    for (int t = 0; t < 4; ++t) expected.push_back(solution(t, 0, nullptr));
    std::vector<int> wrong(4);
    together([&](int t) {
      workspace memory;
      for (int round = 0; round < 25; ++round)
        if (solution(t, 0, round % 2 == 0 ? &memory : nullptr) != expected[static_cast<std::size_t>(t)])
          ++wrong[static_cast<std::size_t>(t)];
    });
    EXPECT_EQ(wrong, std::vector<int>(4)) << static_cast<int>(schedule);
  }
}

TEST(SharedPlans, RankPagesAtTheSameTime) {
  const auto plan = pagerank_inspect(generate<double>("@rmat:10"), 2);
  const auto ranks = [&](int t) {
    const auto result = pagerank(plan, {.damping = 0.5 + 0.1 * t, .max_iterations = 20});
    return std::vector<double>(result.ranks.begin(), result.ranks.end());
  };
  std::vector<std::vector<double>> expected;
  for (int t = 0; t < 4; ++t) expected.push_back(ranks(t));
  std::vector<int> wrong(4);
  together([&](int t) {
    for (int round = 0; round < 5; ++round)
      if (ranks(t) != expected[static_cast<std::size_t>(t)]) ++wrong[static_cast<std::size_t>(t)];
  });
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(SharedPlans, MultiplyAtTheSameTimeInEveryLayout) {
  const auto a = generate<double>("@poisson2d:60");
  for (const auto layout : plan_layouts) {
    const auto plan = multiply_inspect(a, {.threads = 2, .layout = layout});
    const auto product = [&](int t, workspace* memory) {
      std::vector<double> x(static_cast<std::size_t>(a.cols));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>((i * 7 + static_cast<std::size_t>(t)) % 11);
      std::vector<double> y(static_cast<std::size_t>(a.rows));
      memory != nullptr ? multiply(plan, x, y, *memory) : multiply(plan, x, y);
      return y;
    };
    std::vector<int> wrong(4);
    together([&](int t) {
      workspace memory;
      const auto expected = product(t, nullptr);
      for (int round = 0; round < 25; ++round)
        if (product(t, round % 2 == 0 ? &memory : nullptr) != expected) ++wrong[static_cast<std::size_t>(t)];
    });
    EXPECT_EQ(wrong, std::vector<int>(4)) << name_of(layout);
  }
}

TEST(SharedPlans, ApplyOperatorsAtTheSameTimeInEveryLayout) {
  const auto a = generate<double>("@poisson2d:60");
  for (const auto layout : plan_layouts) {
    const auto op = make_operator(multiply_inspect(a, {.threads = 2, .layout = layout}));
    const auto product = [&](int t) {
      auto& space = op->space();
      const auto x = space.zeros(a.cols);
      const auto y = space.zeros(a.rows);
      std::vector<double> host(static_cast<std::size_t>(a.cols), 1.0 + t);
      space.from_host(host, x);
      const double of_both = op->apply_and_dot(x, y);
      op->apply(x, y);
      space.to_host(y, host);
      host.push_back(of_both);
      return host;
    };
    std::vector<std::vector<double>> expected;
    for (int t = 0; t < 4; ++t) expected.push_back(product(t));
    std::vector<int> wrong(4);
    together([&](int t) {
      for (int round = 0; round < 25; ++round)
        if (product(t) != expected[static_cast<std::size_t>(t)]) ++wrong[static_cast<std::size_t>(t)];
    });
    EXPECT_EQ(wrong, std::vector<int>(4)) << name_of(layout);
  }
}

TEST(SharedPlans, SolveWithOnePreconditionerAtTheSameTime) {
  const auto a = generate<double>("@poisson2d:30");
  const auto plan = multiply_inspect(a, {.threads = 2});
  for (std::size_t i = 0; i < preconditioner_kinds; ++i) {
    const auto kind = static_cast<preconditioner_kind>(i);
    const auto m = make_preconditioner(a, {.kind = kind, .threads = 2});
    const auto solution = [&](int t) {
      std::vector<double> b(static_cast<std::size_t>(a.rows));
      for (std::size_t k = 0; k < b.size(); ++k) b[k] = static_cast<double>((k * 7 + static_cast<std::size_t>(t)) % 11);
      std::vector<double> x(b.size());
      EXPECT_TRUE(cg(plan, b, x, {.preconditioner = m}).converged());
      return x;
    };
    std::vector<std::vector<double>> expected;
    for (int t = 0; t < 4; ++t) expected.push_back(solution(t));
    std::vector<int> wrong(4);
    together([&](int t) {
      for (int round = 0; round < 5; ++round)
        if (solution(t) != expected[static_cast<std::size_t>(t)]) ++wrong[static_cast<std::size_t>(t)];
    });
    EXPECT_EQ(wrong, std::vector<int>(4)) << name_of(kind);
  }
}

}  // namespace
}  // namespace lacis::test

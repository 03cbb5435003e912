// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Searches for eigenvalues that end early, and those that are refused.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>
#include <lacis/precondition.hpp>

#include "solve/spectra.hpp"
#include "solve/systems.hpp"

namespace lacis::test {
namespace {

TEST(Eigs, ASearchInTheWholeSpaceCanBeStoppedAndBounded) {
  const auto a = laplacian("@poisson2d:12");
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    auto options = with<double>(eigen_part::smallest, method);
    options.vectors = 144;
    const auto expected = eigs(multiply_inspect(a), 3, options);
    ASSERT_TRUE(expected.converged()) << expected.reason;
    EXPECT_EQ(expected.history.size(), static_cast<std::size_t>(expected.iterations));
    options.max_iterations = 2;
    const auto bounded = eigs(multiply_inspect(a), 3, options);
    EXPECT_EQ(bounded.outcome, solve_outcome::max_iterations);
    EXPECT_EQ(bounded.iterations, 2);
    EXPECT_EQ(bounded.values.size(), 3U);
    options.max_iterations = expected.iterations;
    EXPECT_EQ(eigs(multiply_inspect(a), 3, options).hash, expected.hash);
    options.max_iterations = 0;
    std::int64_t calls = 0;
    options.monitor = [&](const eigen_progress&) { return ++calls < 4; };
    const auto stopped = eigs(multiply_inspect(a), 3, options);
    EXPECT_EQ(stopped.outcome, solve_outcome::stopped);
    EXPECT_EQ(calls, 4);
    EXPECT_LT(stopped.iterations, expected.iterations);
    options.monitor = [](const eigen_progress&) -> bool { throw std::runtime_error("enough"); };
    EXPECT_THROW(static_cast<void>(eigs(multiply_inspect(a), 3, options)), std::runtime_error);
  }
}

TEST(Eigs, ALongStepCanBeStopped) {
  // The projected matrix of so large a basis takes longer than a step.
  auto options = with<double>(eigen_part::smallest, eigen_method::lanczos);
  options.vectors = 420;
  std::int64_t calls = 0;
  std::int64_t iteration = 0;
  options.monitor = [&](const eigen_progress& now) {
    calls = now.iteration == iteration ? calls + 1 : 0;
    iteration = now.iteration;
    return calls < 2;
  };
  const auto stopped = eigs(multiply_inspect(laplacian("@poisson2d:22")), 3, options);
  EXPECT_EQ(stopped.outcome, solve_outcome::stopped);
  EXPECT_EQ(stopped.values.size(), 3U);
}

TEST(Eigs, ASearchInTheWholeSpaceHasNoStates) {
  auto options = with<double>(eigen_part::smallest, eigen_method::lanczos);
  options.vectors = 400;
  options.checkpoint_every = 1;
  const auto folder = std::filesystem::temp_directory_path() / "lacis_eigs_whole";
  options.checkpoint = folder.string();
  EXPECT_TRUE(eigs(multiply_inspect(laplacian("@poisson2d:12")), 3, options).converged());
  std::filesystem::remove_all(folder);
}

TEST(Eigs, WhatCannotBeIsRefused) {
  const auto plan = multiply_inspect(line<double>(80));
  const auto refused = [&](std::int64_t pairs, const eigen_options<double>& options) {
    try {
      static_cast<void>(eigs(plan, pairs, options));
      return false;
    } catch (const error& problem) {
      return problem.code() == errc::invalid_argument;
    }
  };
  EXPECT_TRUE(refused(0, {}));
  EXPECT_TRUE(refused(81, {}));
  EXPECT_TRUE(refused(-1, {}));
  EXPECT_TRUE(refused(2, with<double>(eigen_part::both, eigen_method::lobpcg)));
  EXPECT_TRUE(refused(2, with<double>(eigen_part::smallest, eigen_method::lanczos, -1)));
  auto options = with<double>(eigen_part::smallest, eigen_method::lanczos);
  const auto b = make_operator(plan);
  options.b = b;
  EXPECT_TRUE(refused(2, options));
  options = with<double>(eigen_part::smallest, eigen_method::lanczos);
  options.vectors = 3;
  EXPECT_TRUE(refused(2, options));
  const auto rectangular = make_operator<double>(3, 4, [](std::span<const double>, std::span<double>) {});
  EXPECT_THROW(static_cast<void>(eigs(*rectangular, 1)), error);
}

TEST(Eigs, AMatrixThatIsNotHermitianIsRefused) {
  for (const std::int64_t n : {20, 200}) {
    auto a = line<double>(n);
    a.values.data[a.row_offsets[10] + 2] = -7;
    for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg})
      EXPECT_THROW(static_cast<void>(eigs(multiply_inspect(a), 2, with<double>(eigen_part::largest, method))), error)
          << n << ' ' << name_of(method);
  }
}

TEST(Eigs, WhatIsNotFiniteBreaksDown) {
  for (const std::int64_t n : {20, 200}) {
    auto a = line<double>(n);
    a.values.data[a.row_offsets[10] + 1] = std::numeric_limits<double>::quiet_NaN();
    for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
      const auto found = eigs(multiply_inspect(a), 2, with<double>(eigen_part::largest, method));
      EXPECT_EQ(found.outcome, solve_outcome::broke_down) << n << ' ' << name_of(method);
      for (const bool one : found.is_converged) EXPECT_FALSE(one);
    }
  }
}

}  // namespace
}  // namespace lacis::test

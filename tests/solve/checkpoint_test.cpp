// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Solvers that are stopped anywhere go on to the same bits; what is on disk of another system or torn is not used.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include <lacis/hash.hpp>

#include "solve/systems.hpp"

namespace lacis::test {
namespace {

struct Checkpoint : testing::Test {
  std::filesystem::path directory =
      std::filesystem::temp_directory_path() /
      ("lacis_checkpoint_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  void SetUp() override { std::filesystem::remove_all(directory); }
  void TearDown() override { std::filesystem::remove_all(directory); }

  solve_report run(solve_method method, const csr_matrix<double>& a, std::vector<double>& x, std::int64_t stop_after,
                   std::int64_t every = 3) {
    const auto b = right_side<double>(a.rows);
    const auto op = make_operator(multiply_inspect(a, {.transpose = true}));
    x.assign(static_cast<std::size_t>(a.cols), 0.0);
    solve_options options{.restart = 8, .checkpoint = directory.string(), .checkpoint_every = every};
    options.monitor = [&](const solve_progress& now) { return now.iteration != stop_after; };
    return solve<double>(method, *op, b, x, options);
  }
};

TEST_F(Checkpoint, EveryMethodGoesOnToTheSameBits) {
  const auto a = laplacian("@poisson2d:17");
  for (std::size_t i = 0; i < solve_methods; ++i) {
    const auto method = static_cast<solve_method>(i);
    std::vector<double> expected;
    const auto whole = run(method, a, expected, -1);
    ASSERT_TRUE(whole.converged()) << name_of(method);
    std::filesystem::remove_all(directory);
    for (const std::int64_t stop : {4, 7, 11, 20}) {
      std::vector<double> x;
      const auto first = run(method, a, x, stop);
      EXPECT_EQ(first.outcome, solve_outcome::stopped);
      const auto second = run(method, a, x, -1);
      EXPECT_EQ(second.resumed_at, stop / 3 * 3) << name_of(method);
      EXPECT_EQ(solution_hash(x), solution_hash(expected)) << name_of(method) << " stopped after " << stop;
      EXPECT_EQ(second.history, whole.history) << name_of(method);
    }
  }
}

TEST_F(Checkpoint, OfAnotherSystemIsNotUsed) {
  std::vector<double> x;
  static_cast<void>(run(solve_method::cg, laplacian("@poisson2d:17"), x, 9));
  EXPECT_EQ(run(solve_method::cg, shifted(laplacian("@poisson2d:17"), 1), x, -1).resumed_at, 0);
  static_cast<void>(run(solve_method::cg, laplacian("@poisson2d:17"), x, 9));
  EXPECT_EQ(run(solve_method::minres, laplacian("@poisson2d:17"), x, -1).resumed_at, 0);
}

TEST_F(Checkpoint, ThatIsTornIsNotUsedAndTheOneBeforeIs) {
  const auto a = laplacian("@poisson2d:17");
  std::vector<double> x;
  static_cast<void>(run(solve_method::cg, a, x, 9));
  // Saved after 3, 6 and 9: the third is in the file of the first.
  const auto newest = directory / "state-1.lacis";
  const auto size = std::filesystem::file_size(newest);
  {
    std::fstream file(newest, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(size / 2));
    file.put('!');
  }
  EXPECT_EQ(run(solve_method::cg, a, x, 7).resumed_at, 6);
  std::filesystem::resize_file(directory / "state-0.lacis", 40);
  std::filesystem::resize_file(directory / "state-1.lacis", size - 1);
  EXPECT_EQ(run(solve_method::cg, a, x, -1).resumed_at, 0);
}

TEST_F(Checkpoint, IsGoneWhenTheSystemIsSolved) {
  std::vector<double> x;
  const auto a = laplacian("@poisson2d:17");
  EXPECT_TRUE(run(solve_method::cg, a, x, -1).converged());
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

}  // namespace
}  // namespace lacis::test

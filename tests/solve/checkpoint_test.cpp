// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Solvers that are stopped anywhere go on to the same bits; what is on disk of another system or torn is not used.
#include "solve/checkpoint.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include <lacis/hash.hpp>

#include "solve/systems.hpp"
#include "support/errors.hpp"

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

/// A matrix of the same size with the same product with b, by which a state once was told from others.
TEST_F(Checkpoint, OfAnotherMatrixWithTheSameProductIsNotUsed) {
  const auto a = laplacian("@poisson2d:17");
  const auto b = right_side<double>(a.rows);
  // Zero times b, in a row with two entries: other values, the same A b.
  auto other = a;
  const std::int64_t first = other.row_offsets[0];
  const auto left = static_cast<std::size_t>(other.columns[first]);
  const auto right = static_cast<std::size_t>(other.columns[first + 1]);
  std::vector<double> same = b;
  same[left] = same[right] = 1;
  other.values.data[first] += 1;
  other.values.data[first + 1] -= 1;
  const auto run_with = [&](const csr_matrix<double>& matrix, std::int64_t stop) {
    std::vector<double> x(b.size(), 0.0);
    solve_options options{.restart = 8, .checkpoint = directory.string(), .checkpoint_every = 3};
    options.monitor = [&](const solve_progress& now) { return now.iteration != stop; };
    return solve<double>(solve_method::gmres, *make_operator(multiply_inspect(matrix)), same, x, options);
  };
  EXPECT_EQ(run_with(a, 9).outcome, solve_outcome::stopped);
  EXPECT_EQ(run_with(other, 4).resumed_at, 0);
}

/// Every byte of a state counts, those of its header too.
TEST_F(Checkpoint, WithAnyByteChangedIsNotUsed) {
  const auto a = laplacian("@poisson2d:5");
  for (const solve_method method : {solve_method::cg, solve_method::gmres}) {
    std::filesystem::remove_all(directory);
    std::vector<double> x;
    static_cast<void>(run(method, a, x, 4));
    EXPECT_EQ(run(method, a, x, 4).resumed_at, 3);
    const auto file = directory / "state-1.lacis";
    std::ifstream stream(file, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(stream)), {});
    ASSERT_GT(whole.size(), 64U);
    for (std::size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 37) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0x10);
      std::filesystem::remove_all(directory);
      std::filesystem::create_directories(directory);
      std::ofstream(file, std::ios::binary) << changed;
      EXPECT_EQ(run(method, a, x, 2).resumed_at, 0) << name_of(method) << ", byte " << at;
    }
  }
}

/// A state that is made up, with a sum that fits, is held against what the method can have.
TEST_F(Checkpoint, WithCountsThatNoMethodHasIsNotUsed) {
  const auto a = laplacian("@poisson2d:5");
  std::vector<double> x;
  static_cast<void>(run(solve_method::gmres, a, x, 3));
  const auto b = right_side<double>(a.rows);
  const auto op = make_operator(multiply_inspect(a, {.transpose = true}));
  std::vector<double> zero(b.size(), 0.0);
  const solve_options options{.restart = 8, .checkpoint = directory.string()};
  const std::uint64_t system = solve<double>(solve_method::gmres, *op, b, zero, options).system;
  for (const double count : {-1.0, 8.0, 1e9, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    solver::checkpoint states(std::make_unique<solver::local_state_files>(directory), system);
    solver::solver_state made_up{3, {1, 1, 1}, {}, {}};
    const double closest = 1;
    made_up.numbers.append(reinterpret_cast<const char*>(&closest), 8).append(reinterpret_cast<const char*>(&count), 8);
    made_up.vectors.push_back({std::string(b.size() * 8, '\0'), 0, static_cast<std::int64_t>(b.size() * 8)});
    states.save(made_up);
    x.assign(b.size(), 0.0);
    const auto report = solve<double>(solve_method::gmres, *op, b, x, options);
    EXPECT_EQ(report.resumed_at, 0) << count;
    EXPECT_EQ(solution_hash(x), solution_hash(zero)) << count;
  }
}

TEST_F(Checkpoint, StaysUntilItsOwnerRemovesIt) {
  const auto a = laplacian("@poisson2d:17");
  const auto b = right_side<double>(a.rows);
  std::vector<double> x(b.size(), 0.0);
  const auto op = make_operator(multiply_inspect(a));
  solve_options options{.checkpoint = directory.string(), .checkpoint_every = 5, .keep_checkpoint = true};
  const auto report = solve<double>(solve_method::cg, *op, b, x, options);
  ASSERT_TRUE(report.converged());
  EXPECT_FALSE(std::filesystem::is_empty(directory));
  remove_checkpoint(directory.string(), report.system + 1);
  EXPECT_FALSE(std::filesystem::is_empty(directory)) << "of another system";
  remove_checkpoint(directory.string(), report.system);
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

TEST_F(Checkpoint, EveryZeroIterationsIsAnError) {
  const auto a = laplacian("@poisson2d:5");
  std::vector<double> x;
  expect_error(errc::invalid_argument, "at least 1", [&] { static_cast<void>(run(solve_method::cg, a, x, -1, 0)); });
}

TEST_F(Checkpoint, IsGoneWhenTheSystemIsSolved) {
  std::vector<double> x;
  const auto a = laplacian("@poisson2d:17");
  EXPECT_TRUE(run(solve_method::cg, a, x, -1).converged());
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

}  // namespace
}  // namespace lacis::test

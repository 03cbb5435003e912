// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Searches for eigenvalues that are stopped anywhere go on to the same bits; states of other problems are not used.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include <lacis/eigs.hpp>
#include <lacis/precondition.hpp>

#include "solve/checkpoint.hpp"
#include "solve/spectra.hpp"
#include "solve/systems.hpp"

namespace lacis::test {
namespace {

struct EigenStates : testing::Test {
  std::filesystem::path directory =
      std::filesystem::temp_directory_path() /
      ("lacis_eigen_states_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  void SetUp() override { std::filesystem::remove_all(directory); }
  void TearDown() override { std::filesystem::remove_all(directory); }

  template <class T> eigen_options<T> options(eigen_method method, std::int64_t stop_after = -1) {
    eigen_options<T> some;
    some.method = method;
    some.tolerance = 1e-4;
    some.checkpoint = directory.string();
    some.checkpoint_every = 5;
    some.monitor = [stop_after](const eigen_progress& now) { return now.iteration != stop_after; };
    return some;
  }
  [[nodiscard]] bool has_states() const {
    return std::filesystem::exists(directory / "state-0.lacis") || std::filesystem::exists(directory / "state-1.lacis");
  }
};

/// Stopped at each of the places, the search ends as the one that was not.
template <class T, class Find> void expect_same_end(EigenStates& test, eigen_method method, Find&& find) {
  const eigen_result<T> whole = find(test.options<T>(method));
  ASSERT_TRUE(whole.converged()) << name_of(method) << ": " << whole.reason;
  EXPECT_FALSE(test.has_states());
  EXPECT_EQ(whole.history.size(), static_cast<std::size_t>(whole.iterations));
  for (const std::int64_t stop : {std::int64_t{1}, std::int64_t{5}, std::int64_t{12}, whole.iterations / 2,
                                  whole.iterations - 6, whole.iterations - 1}) {
    const eigen_result<T> first = find(test.options<T>(method, stop));
    EXPECT_EQ(first.outcome, solve_outcome::stopped);
    const eigen_result<T> second = find(test.options<T>(method));
    EXPECT_EQ(second.resumed_at, (stop - 1) / 5 * 5) << name_of(method);
    EXPECT_EQ(second.hash, whole.hash) << name_of(method) << " stopped after " << stop << " of " << whole.iterations;
    EXPECT_EQ(second.values, whole.values);
    EXPECT_EQ(second.residuals, whole.residuals);
    EXPECT_EQ(second.history, whole.history);
    EXPECT_EQ(second.iterations, whole.iterations);
    EXPECT_EQ(second.products, whole.products);
    EXPECT_FALSE(test.has_states());
  }
}

TEST_F(EigenStates, EveryMethodGoesOnToTheSameBits) {
  const auto a = laplacian("@poisson2d:17");
  const auto plan = multiply_inspect(a);
  const auto m = make_preconditioner(a, {.kind = preconditioner_kind::ssor});
  auto weights = a;  // B: positive definite
  for (std::int64_t k = 0; k < weights.nnz(); ++k) weights.values.data[k] = weights.values.data[k] > 0 ? 9 : 1;
  const auto b = make_operator(multiply_inspect(weights));
  expect_same_end<double>(*this, eigen_method::lanczos, [&](auto options) {
    options.part = eigen_part::both;
    return eigs(plan, 4, options);
  });
  expect_same_end<double>(*this, eigen_method::lobpcg, [&](const auto& options) { return eigs(plan, 4, options); });
  expect_same_end<double>(*this, eigen_method::lobpcg, [&](auto options) {
    options.preconditioner = m;
    options.b = b;
    options.tolerance = 1e-7;
    return eigs(plan, 3, options);
  });
  const auto complex_plan = multiply_inspect(generate<std::complex<float>>("@poisson2d:17"));
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg})
    expect_same_end<std::complex<float>>(*this, method, [&](auto options) {
      options.part = eigen_part::largest;
      options.tolerance = 1e-3;
      return eigs(complex_plan, 3, options);
    });
}

TEST_F(EigenStates, OfABasisThatHasGrownGoOnToTheSameBits) {
  const auto plan = multiply_inspect(line<double>(300));
  expect_same_end<double>(*this, eigen_method::lanczos, [&](auto options) {
    options.tolerance = 1e-12;
    const auto found = eigs(plan, 3, options);
    if (found.converged()) {
      EXPECT_GT(found.iterations, 32 * 5) << "the basis has not grown";
    }
    return found;
  });
}

TEST_F(EigenStates, OfAnotherProblemAreNotUsed) {
  const auto plan = multiply_inspect(laplacian("@poisson2d:17"));
  const auto m = make_preconditioner(laplacian("@poisson2d:17"), {.kind = preconditioner_kind::jacobi});
  const std::vector<double> numbers = right_side<double>(289);
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    const auto expect_start = [&](std::int64_t expected, const auto& other_plan, std::int64_t pairs, auto&& change) {
      std::filesystem::remove_all(directory);
      static_cast<void>(eigs(plan, 3, options<double>(method, 11)));
      EXPECT_TRUE(has_states());
      auto other = options<double>(method, 12);
      change(other);
      EXPECT_EQ(eigs(other_plan, pairs, other).resumed_at, expected) << name_of(method);
    };
    expect_start(10, plan, 3, [](auto&) {});
    expect_start(10, plan, 3, [](auto& other) { other.tolerance = 1e-9; });
    expect_start(0, plan, 4, [](auto&) {});
    expect_start(0, plan, 3, [](auto& other) { other.part = eigen_part::largest; });
    expect_start(0, plan, 3, [](auto& other) { other.vectors = 9; });
    expect_start(0, plan, 3, [&](auto& other) { other.start = {numbers.data(), 289, 1, 1, 289}; });
    expect_start(0, multiply_inspect(shifted(laplacian("@poisson2d:17"), 1)), 3, [](auto&) {});
    expect_start(0, plan, 3, [](auto& other) {
      other.method = *other.method == eigen_method::lanczos ? eigen_method::lobpcg : eigen_method::lanczos;
    });
    if (method == eigen_method::lobpcg) expect_start(0, plan, 3, [&](auto& other) { other.preconditioner = m; });
  }
}

TEST_F(EigenStates, ThatAreTornOrMadeUpAreNotUsed) {
  const auto plan = multiply_inspect(laplacian("@poisson2d:17"));
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    std::filesystem::remove_all(directory);
    const auto expected = eigs(plan, 3, options<double>(method));
    const auto first = eigs(plan, 3, options<double>(method, 6));
    ASSERT_EQ(first.outcome, solve_outcome::stopped);
    const auto file = directory / "state-1.lacis";
    const auto size = std::filesystem::file_size(file);
    for (std::size_t at = 0; at < size; at += size / 13) {
      std::filesystem::remove_all(directory);
      static_cast<void>(eigs(plan, 3, options<double>(method, 6)));
      {
        std::fstream changed(file, std::ios::in | std::ios::out | std::ios::binary);
        changed.seekg(static_cast<std::streamoff>(at));
        const char old = static_cast<char>(changed.get());
        changed.seekp(static_cast<std::streamoff>(at));
        changed.put(static_cast<char>(old ^ 4));
      }
      EXPECT_EQ(eigs(plan, 3, options<double>(method, 7)).resumed_at, 0) << at;
    }
    // Whole files of the right problem whose content is not a state.
    for (const double number : {-1.0, 1e9, 0x1p60, 0.5, std::numeric_limits<double>::quiet_NaN()}) {
      std::filesystem::remove_all(directory);
      solver::solver_state made{3, {1, 1, 1}, {}, {}};
      for (int k = 0; k < 900; ++k) made.numbers.append(reinterpret_cast<const char*>(&number), sizeof(number));
      solver::checkpoint(std::make_unique<solver::local_state_files>(directory), first.system).save(made);
      const auto found = eigs(plan, 3, options<double>(method));
      EXPECT_EQ(found.resumed_at, 0);
      EXPECT_EQ(found.hash, expected.hash) << "what was read has left traces";
      EXPECT_EQ(found.products, expected.products);
    }
  }
}

TEST_F(EigenStates, StayWhenTheCallerAsksForIt) {
  const auto plan = multiply_inspect(laplacian("@poisson2d:17"));
  auto some = options<double>(eigen_method::lobpcg);
  some.keep_checkpoint = true;
  const auto found = eigs(plan, 3, some);
  EXPECT_TRUE(found.converged());
  EXPECT_TRUE(has_states());
  const auto again = eigs(plan, 3, some);
  EXPECT_EQ(again.hash, found.hash);
  EXPECT_EQ(again.resumed_at, found.iterations / 5 * 5);
  remove_checkpoint(directory.string(), found.system);
  EXPECT_FALSE(has_states());
  some.checkpoint_every = 0;
  EXPECT_THROW(static_cast<void>(eigs(plan, 3, some)), error);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Batches through lacis.h: every vector and every report has the bits of a single call.
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "c_api/views.hpp"
#include "solve/batch_systems.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

/// The arrays of a batch for lacis.h, with every width of offsets and columns.
template <class T> struct batch_views {
  explicit batch_views(const batch<T>& all)
      : wide_columns(all.pattern.columns.begin(), all.pattern.columns.end()), narrow(all.pattern) {
    narrow.view.values = all.values.data();
    lacis_view wide = c_view(all.pattern);
    wide.values = all.values.data();
    lacis_view widest = wide;
    widest.index_bits = 64;
    widest.indices = wide_columns.data();
    lacis_view mixed = narrow.view;
    mixed.index_bits = 64;
    mixed.indices = wide_columns.data();
    views = {narrow.view, wide, widest, mixed};
  }
  std::vector<std::int64_t> wide_columns;
  narrow_c_view<T, std::int32_t> narrow;
  std::vector<lacis_view> views;
};

struct found_systems {
  explicit found_systems(std::int64_t systems)
      : outcomes(static_cast<std::size_t>(systems), -1),
        iterations(outcomes.size(), -1),
        residuals(outcomes.size(), -1),
        true_residuals(outcomes.size(), -1) {
    report.outcomes = outcomes.data();
    report.iterations = iterations.data();
    report.residuals = residuals.data();
    report.true_residuals = true_residuals.data();
  }
  std::vector<std::int32_t> outcomes;
  std::vector<std::int64_t> iterations;
  std::vector<double> residuals;
  std::vector<double> true_residuals;
  lacis_batch_report report = LACIS_INIT(lacis_batch_report);
};

/// System s alone, by lacis_solve_operator. What its numbers make that refuse is a breakdown with x = 0.
template <class T>
lacis_solve_report single(const batch<T>& all, std::int64_t s, const char* method, const lacis_batch_options& given,
                          std::vector<T>& x) {
  lacis_view one = c_view(all.pattern);
  one.values = all.matrix(s).values.data.data();
  lacis_solve_options options = LACIS_INIT(lacis_solve_options);
  options.tolerance = given.tolerance;
  options.max_iterations = given.max_iterations;
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  lacis_plan* plan = nullptr;
  lacis_operator* a = nullptr;
  lacis_operator* m = nullptr;
  EXPECT_EQ(lacis_plan_make(&one, nullptr, &plan), LACIS_OK);
  const owned<lacis_plan> plan_keeper(plan);
  EXPECT_EQ(lacis_operator_from_plan(plan, &a), LACIS_OK);
  const owned<lacis_operator> a_keeper(a);
  const bool prepared =
      given.preconditioner == nullptr || lacis_preconditioner(&one, given.preconditioner, 1, &m) == LACIS_OK;
  const owned<lacis_operator> m_keeper(m);
  x = all.start(s);
  if (prepared && lacis_solve_operator(a, method, all.right_side(s).data(), x.data(), m, &options, &report) == LACIS_OK)
    return report;
  std::fill(x.begin(), x.end(), T(0));
  report.outcome = LACIS_SOLVE_BROKE_DOWN;
  report.true_residual = 1;
  std::strcpy(report.reason, lacis_last_error());
  return report;
}

template <class T> class CApiBatch : public testing::Test {};
using real_types = testing::Types<float, double>;
TYPED_TEST_SUITE(CApiBatch, real_types);

TYPED_TEST(CApiBatch, HasTheBitsOfSingleSolutions) {
  using T = TypeParam;
  std::int64_t solved = 0;
  std::int64_t unsolved = 0;
  std::uint64_t seed = 40;
  for (const std::int64_t n : {1, 5, 33, 70})
    for (const char* method : {"cg", "bicgstab"})
      for (const char* preconditioner : {static_cast<const char*>(nullptr), "jacobi"}) {
        ++seed;
        const auto all = random_batch<T>(n, 19, seed, seed % 2 == 0, true);
        lacis_batch_options options = LACIS_INIT(lacis_batch_options);
        options.tolerance = 1e-4;
        options.max_iterations = seed % 3 == 0 ? 4 : 0;
        options.preconditioner = preconditioner;
        const batch_views<T> views(all);
        const lacis_view& view = views.views[seed % views.views.size()];
        options.threads = 1 + static_cast<int>(seed % 2);
        auto x = all.x;
        found_systems found(all.systems);
        ASSERT_EQ(lacis_solve_batch(&view, all.systems, method, all.b.data(), x.data(), &options, &found.report),
                  LACIS_OK)
            << lacis_last_error();
        std::int64_t first = -1;
        for (std::int64_t s = 0; s < all.systems; ++s) {
          SCOPED_TRACE(testing::Message() << method << ", " << n << " rows, system " << s);
          std::vector<T> expected;
          const lacis_solve_report one = single(all, s, method, options, expected);
          const auto k = static_cast<std::size_t>(s);
          ASSERT_EQ(found.outcomes[k], one.outcome) << one.reason;
          ASSERT_EQ(found.iterations[k], one.iterations);
          ASSERT_TRUE(same_number(found.residuals[k], one.residual));
          ASSERT_TRUE(same_number(found.true_residuals[k], one.true_residual));
          ASSERT_TRUE(same_bits<T>(all.part(x, s), expected));
          if (one.outcome == LACIS_SOLVE_CONVERGED) {
            ++solved;
          } else {
            ++unsolved;
            if (first < 0) {
              first = s;
              EXPECT_EQ(std::string(found.report.reason).find(one.reason), 0U) << found.report.reason;
            }
          }
        }
        EXPECT_EQ(found.report.first_unsolved, first);
        EXPECT_EQ(found.report.unsolved, std::count_if(found.outcomes.begin(), found.outcomes.end(),
                                                       [](int outcome) { return outcome != LACIS_SOLVE_CONVERGED; }));
        EXPECT_EQ(found.report.reason[0] == '\0', first < 0);
        EXPECT_GT(found.report.seconds, 0);
      }
  EXPECT_GT(solved, 50);
  EXPECT_GT(unsolved, 50);
}

TYPED_TEST(CApiBatch, OfFactorsHasTheBitsOfBatchesOfOne) {
  using T = TypeParam;
  const auto all = random_batch<T>(20, 21, 6, true, true);
  const batch_views<T> views(all);
  for (const char* method : {"band-lu", "band-cholesky"}) {
    std::vector<T> x(all.x.size());
    found_systems found(all.systems);
    ASSERT_EQ(lacis_solve_batch(&views.views[0], all.systems, method, all.b.data(), x.data(), nullptr, &found.report),
              LACIS_OK)
        << lacis_last_error();
    for (std::int64_t s = 0; s < all.systems; ++s) {
      lacis_view one = views.views[1];
      one.values = all.matrix(s).values.data.data();
      std::vector<T> expected(20);
      lacis_batch_report report = LACIS_INIT(lacis_batch_report);  // no arrays: the totals alone
      ASSERT_EQ(lacis_solve_batch(&one, 1, method, all.right_side(s).data(), expected.data(), nullptr, &report),
                LACIS_OK);
      EXPECT_EQ(report.unsolved, found.outcomes[static_cast<std::size_t>(s)] == LACIS_SOLVE_CONVERGED ? 0 : 1);
      EXPECT_TRUE(same_bits<T>(all.part(x, s), expected)) << method << " " << s;
    }
  }
}

template <class T> class CApiBatchOf : public testing::Test {};
using value_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CApiBatchOf, value_types);

TYPED_TEST(CApiBatchOf, MultipliesWithTheBitsOfSingleProducts) {
  using T = TypeParam;
  constexpr std::int64_t systems = 9;
  const auto check = [&](const auto& a) {
    const auto values = full_numbers<T>(a.nnz() * systems, 3);
    const auto x = full_numbers<T>(a.cols * systems, 4);
    const narrow_c_view<T, typename std::remove_cvref_t<decltype(a)>::index_type> narrow(a);
    for (lacis_view view : {c_view(a), narrow.view}) {
      view.values = values.data();
      std::vector<T> y(static_cast<std::size_t>(a.rows * systems), T(7));
      ASSERT_EQ(lacis_multiply_batch(&view, systems, x.data(), y.data(), 2), LACIS_OK) << lacis_last_error();
      std::vector<T> expected(y.size());
      for (std::int64_t s = 0; s < systems; ++s) {
        view.values = values.data() + s * a.nnz();
        ASSERT_EQ(
            lacis_multiply(&view, c_api::type_of<T>, x.data() + s * a.cols, expected.data() + s * a.rows, nullptr),
            LACIS_OK);
      }
      EXPECT_EQ(std::memcmp(y.data(), expected.data(), y.size() * sizeof(T)), 0);
    }
  };
  const auto columns = [](auto i) { return random_columns(i, i % 17, 30, 3); };
  check(from_rows<T, std::int32_t>(40, 30, entries::reals, columns));
  check(from_rows<T, std::int64_t>(40, 30, entries::reals, columns));
}

TEST(CApiBatchMisuse, IsRefused) {
  const auto all = random_batch<double>(6, 3, 2, true, true);
  const batch_views<double> views(all);
  const lacis_view view = views.views[0];
  auto x = all.x;
  lacis_batch_report report = LACIS_INIT(lacis_batch_report);
  const auto solve = [&](const lacis_view& a, std::int64_t systems, const char* method,
                         const lacis_batch_options* options = nullptr) {
    return lacis_solve_batch(&a, systems, method, all.b.data(), x.data(), options, &report);
  };
  const auto said = [](const char* part) { return std::string(lacis_last_error()).find(part) != std::string::npos; };
  EXPECT_EQ(solve(view, -1, "cg"), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(solve(view, std::int64_t{1} << 62, "cg"), LACIS_OVERFLOW);
  EXPECT_EQ(solve(view, 3, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(solve(view, 3, "gmres"), LACIS_INVALID_ARGUMENT);
  EXPECT_TRUE(said("cg, bicgstab, band-lu, band-cholesky")) << lacis_last_error();
  lacis_batch_options options = LACIS_INIT(lacis_batch_options);
  options.preconditioner = "ilu0";
  EXPECT_EQ(solve(view, 3, "cg", &options), LACIS_INVALID_ARGUMENT);
  EXPECT_TRUE(said("none, jacobi")) << lacis_last_error();
  options.preconditioner = "none";
  EXPECT_EQ(solve(view, 3, "band-lu", &options), LACIS_OK) << lacis_last_error();
  options.preconditioner = "jacobi";
  EXPECT_EQ(solve(view, 3, "band-lu", &options), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_solve_batch(&view, 3, "cg", all.b.data(), x.data(), nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_solve_batch(&view, 3, "cg", nullptr, x.data(), nullptr, &report), LACIS_INVALID_ARGUMENT);
  EXPECT_TRUE(said("b is NULL"));
  EXPECT_EQ(lacis_solve_batch(&view, 3, "cg", all.b.data(), nullptr, nullptr, &report), LACIS_INVALID_ARGUMENT);
  EXPECT_TRUE(said("x is NULL"));
  EXPECT_EQ(lacis_multiply_batch(nullptr, 3, all.b.data(), x.data(), 0), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_multiply_batch(&view, 3, all.b.data(), nullptr, 0), LACIS_INVALID_ARGUMENT);
  EXPECT_TRUE(said("y is NULL"));

  const auto refused = [&](auto change, lacis_status expected) {
    lacis_view changed = view;
    change(changed);
    EXPECT_EQ(solve(changed, 3, "cg"), expected) << lacis_last_error();
    EXPECT_EQ(lacis_multiply_batch(&changed, 3, all.b.data(), x.data(), 0), expected);
  };
  refused([](lacis_view& a) { a.format = LACIS_CSC; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.iso = 1; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.type = static_cast<lacis_type>(9); }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { --a.nnz; }, LACIS_INVALID_MATRIX);
  std::vector<std::int32_t> reversed(all.pattern.columns.begin(), all.pattern.columns.end());
  std::reverse(reversed.begin(), reversed.end());
  refused([&](lacis_view& a) { a.indices = reversed.data(); }, LACIS_INVALID_MATRIX);
  lacis_view complex = view;
  complex.type = LACIS_COMPLEX64;  // elements of the same size
  EXPECT_EQ(solve(complex, 3, "cg"), LACIS_UNSUPPORTED);
}

TEST(CApiBatchMisuse, NothingIsSolvedAtOnce) {
  const auto all = random_batch<double>(6, 3, 2, true, true);
  const batch_views<double> views(all);
  lacis_batch_report report = LACIS_INIT(lacis_batch_report);
  EXPECT_EQ(lacis_solve_batch(&views.views[0], 0, "cg", nullptr, nullptr, nullptr, &report), LACIS_OK);
  EXPECT_EQ(report.unsolved, 0);
  EXPECT_EQ(report.first_unsolved, -1);
  EXPECT_EQ(lacis_multiply_batch(&views.views[0], 0, nullptr, nullptr, 0), LACIS_OK);
  lacis_view empty = views.views[0];
  const std::int32_t offset = 0;
  empty.rows = empty.cols = empty.nnz = 0;
  empty.offsets = &offset;
  found_systems found(3);
  EXPECT_EQ(lacis_solve_batch(&empty, 3, "cg", nullptr, nullptr, nullptr, &found.report), LACIS_OK);
  EXPECT_EQ(found.outcomes, std::vector<std::int32_t>(3, LACIS_SOLVE_CONVERGED));
  EXPECT_EQ(found.report.unsolved, 0);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners: exact where the arithmetic is, the same bits on every number of threads, values that follow.
#include <gtest/gtest.h>
#include <map>

#include <lacis/hash.hpp>
#include <lacis/powers.hpp>
#include <lacis/precondition.hpp>
#include <lacis/spgemm.hpp>

#include "solve/precondition/factor.hpp"
#include "solve/precondition/fused_steps.hpp"
#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

std::vector<double> applied(const preconditioner<double>& m, const std::vector<double>& r) {
  auto& space = m.space();
  const auto there = space.zeros(m.cols());
  const auto z = space.zeros(m.rows());
  space.from_host(r, there);
  m.apply(there, z);
  std::vector<double> host(r.size());
  space.to_host(z, host);
  return host;
}

/// Lower and upper triangles of integers on a band; the product has no entry outside of the band, so the
/// incomplete factors are the factors.
csr_matrix<double> whole_triangle(std::int64_t n, std::int64_t reach, bool upper, double diagonal) {
  auto t = from_rows<double, std::int32_t>(n, n, entries::integers, [&](std::int64_t i) {
    std::vector<std::int64_t> columns;
    for (std::int64_t j = std::max<std::int64_t>(0, i - (upper ? 0 : reach));
         j < std::min(n, i + (upper ? reach : 0) + 1); ++j)
      columns.push_back(j);
    return columns;
  });
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = t.row_offsets[i]; k < t.row_offsets[i + 1]; ++k)
      t.values.data[k] = t.columns[k] == i ? diagonal : static_cast<double>((i + 2 * t.columns[k]) % 3 - 1);
  return t;
}

TEST(Precondition, FactorsOfWholeNumbersAreExact) {
  const auto l = whole_triangle(500, 3, false, 1);
  const auto u = whole_triangle(500, 3, true, 4);
  auto a = multiply(l, u);
  solver::factor_ilu0(a, solver::order_of(a.view(), solver::factor_kind::ilu0, 2));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const std::int64_t j = a.columns[k];
      const auto& from = j < i ? l : u;
      double expected = 0;
      for (std::int64_t e = from.row_offsets[i]; e < from.row_offsets[i + 1]; ++e)
        if (from.columns[e] == j) expected = from.values[e];
      EXPECT_EQ(a.values[k], expected) << i << ' ' << j;
    }
  // Rows of which order_of writes the matches down, and rows with too many, or too long, for that.
  for (const std::int64_t reach : {3, 150, 300})
    for (const int threads : {1, 2, 3, 8}) {
      const auto c = whole_triangle(500, reach, false, 8);
      auto lower = tril(multiply(c, transpose(c)));
      EXPECT_EQ(solver::factor_ic0(lower, solver::order_of(lower.view(), solver::factor_kind::ic0, threads)), -1);
      EXPECT_EQ(solution_hash(lower.values.data), solution_hash(c.values.data)) << reach << ' ' << threads;
    }
}

TEST(Precondition, AnOrderIsForOneMatrix) {
  auto a = dominant<double>(40, 4);
  auto other = dominant<double>(50, 4);
  EXPECT_EQ(code_of([&] { solver::factor_ilu0(other, solver::order_of(a.view(), solver::factor_kind::ilu0, 1)); }),
            errc::invalid_argument);
}

/// ILU(0) as the textbook has it, on a map of entries.
csr_matrix<double> textbook_ilu0(csr_matrix<double> a) {
  std::vector<std::map<std::int64_t, double>> rows(static_cast<std::size_t>(a.rows));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      rows[static_cast<std::size_t>(i)][a.columns[k]] = a.values[k];
  for (std::size_t i = 1; i < rows.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      if (!rows[i].contains(static_cast<std::int64_t>(k))) continue;
      double& factor = rows[i][static_cast<std::int64_t>(k)];
      factor = factor / rows[k].at(static_cast<std::int64_t>(k));
      for (auto& [j, value] : rows[i])
        if (j > static_cast<std::int64_t>(k) && rows[k].contains(j)) {
          const volatile double product = factor * rows[k].at(j);
          value = value - product;
        }
    }
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      a.values.data[k] = rows[static_cast<std::size_t>(i)].at(a.columns[k]);
  return a;
}

TEST(Precondition, IncompleteFactorsHaveTheBitsOfTheTextbookOnEveryNumberOfThreads) {
  for (const auto& a : {dominant<double>(400, 6), dominant<double>(300, 120), dominant<double>(400, 300),
                        shifted(laplacian("@poisson3d:9"), 0.3), shifted(laplacian("@stencil27:8"), 0.3)}) {
    const auto expected = textbook_ilu0(a);
    for (const int threads : {1, 2, 3, 8}) {
      csr_matrix<double> factors = a;
      solver::factor_ilu0(factors, solver::order_of(factors.view(), solver::factor_kind::ilu0, threads));
      EXPECT_EQ(solution_hash(factors.values.data), solution_hash(expected.values.data)) << threads;
    }
  }
}

TEST(Precondition, HasTheSameBitsOnEveryNumberOfThreads) {
  const auto a = laplacian("@poisson3d:18");
  const auto r = right_side<double>(a.rows);
  for (std::size_t kind = 0; kind < preconditioner_kinds; ++kind) {
    const auto one = make_preconditioner(a, {.kind = static_cast<preconditioner_kind>(kind), .threads = 1});
    const auto expected = applied(*one, r);
    for (const int threads : {2, 3, 7}) {
      const auto m = make_preconditioner(a, {.kind = static_cast<preconditioner_kind>(kind), .threads = threads});
      EXPECT_EQ(solution_hash(applied(*m, r)), solution_hash(expected)) << m->describe() << ' ' << threads;
    }
  }
}

TEST(Precondition, FollowsNewValues) {
  const auto a = laplacian("@poisson3d:9");
  const auto changed = shifted(a, 2.5);
  const auto r = right_side<double>(a.rows);
  for (std::size_t kind = 0; kind < preconditioner_kinds; ++kind) {
    const preconditioner_options options{.kind = static_cast<preconditioner_kind>(kind)};
    const auto m = make_preconditioner(a, options);
    m->update_values(changed.values.data);
    EXPECT_EQ(solution_hash(applied(*m, r)), solution_hash(applied(*make_preconditioner(changed, options), r)))
        << m->describe();
  }
}

TEST(Precondition, BlocksAreInverted) {
  const auto a = dominant<double>(103, 5);
  for (const int block : {1, 2, 5, 32}) {
    const auto m = make_preconditioner(a, {.kind = preconditioner_kind::block_jacobi, .block = block});
    std::vector<double> r(103, 0.0);
    // A times a vector that lives in one block, cut to the block, comes back as that vector.
    const std::int64_t first = 101 / block * block;
    const std::int64_t last = std::min<std::int64_t>(first + block, 103);
    for (std::int64_t i = first; i < last; ++i)
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        if (a.columns[k] >= first && a.columns[k] < last)
          r[static_cast<std::size_t>(i)] += a.values[k] * static_cast<double>(1 + a.columns[k] - first);
    const auto z = applied(*m, r);
    for (std::int64_t i = 0; i < 103; ++i)
      EXPECT_NEAR(z[static_cast<std::size_t>(i)], i >= first && i < last ? static_cast<double>(1 + i - first) : 0.0,
                  1e-12);
  }
}

TEST(Precondition, RaisesTheDiagonalWhereAPivotFails) {
  const auto a = shifted(laplacian("@poisson2d:12"), -1.5);  // indefinite
  const auto m = make_preconditioner(a, {.kind = preconditioner_kind::ic0});
  EXPECT_NE(m->describe().find("raised"), std::string::npos) << m->describe();
}

TEST(Precondition, RefusesWhatCannotBe) {
  auto a = laplacian("@poisson2d:5");
  const auto code = [&](const csr_matrix<double>& m, const preconditioner_options& options) {
    return code_of([&] { static_cast<void>(make_preconditioner(m, options)); });
  };
  EXPECT_EQ(code(extract(a, 0, 10, 0, 25), {}), errc::invalid_matrix);
  EXPECT_EQ(code(a, {.kind = preconditioner_kind::ssor, .relaxation = 2}), errc::invalid_argument);
  EXPECT_EQ(code(a, {.kind = preconditioner_kind::block_jacobi, .block = 33}), errc::invalid_argument);
  const auto none = triu(a, 1);
  EXPECT_EQ(code(none, {}), errc::invalid_matrix);
  EXPECT_EQ(code(none, {.kind = preconditioner_kind::ilu0}), errc::invalid_matrix);
  EXPECT_EQ(code(none, {.kind = preconditioner_kind::ic0}), errc::invalid_matrix);
}

solver::polynomial<double>::all_steps fused_of(const plan<double>& plan, const std::vector<double>& inverse,
                                               std::int64_t cache) {
  return solver::fused_steps<double, std::int32_t>(plan, inverse, cache);
}

TEST(Precondition, ChebyshevHasTheSameBitsWhereStepsShareAReadingOfTheMatrix) {
  // A grid whose values differ, times a diagonal: rows of D^-1 A have different numbers too.
  auto a = generate<double>("@poisson3d:24");
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const auto pair = static_cast<double>((i + a.columns[k]) % 17);
      a.values.data[k] *= a.columns[k] == i ? 2 + static_cast<double>(i % 5) / 7 : 1 + pair / 19;
    }
  std::vector<double> inverse;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i) inverse.push_back(1 / a.values[k]);
  const auto jacobi = make_preconditioner(a);
  for (const int threads : {1, 2}) {
    const auto plan = multiply_inspect(a, {.threads = threads, .layout = plan_layout::stencil});
    const auto op = make_operator(plan);
    constexpr std::int64_t cache = 128 << 10;
    ASSERT_TRUE(detail::explain_powers(plan, 5, cache).starts_with("5 products read the matrix once"))
        << detail::explain_powers(plan, 5, cache);
    const solver::polynomial<double> one_by_one(*op, *jacobi, 6);
    const solver::polynomial<double> fused(*op, *jacobi, 6, {}, fused_of(plan, inverse, cache));
    const auto x = full_numbers<double>(a.rows);
    auto& space = op->space();
    const auto there = space.zeros(a.rows), y = space.zeros(a.rows), z = space.zeros(a.rows);
    space.from_host(x, there);
    one_by_one.apply(there, y);
    fused.apply(there, z);
    EXPECT_EQ(space.hash(y), space.hash(z)) << threads << " threads";
  }
}

TEST(Precondition, ChebyshevTakesBoundsOfTheSpectrum) {
  const auto a = generate<double>("@poisson2d:12");
  const auto x = full_numbers<double>(a.rows);
  const auto with = [&](double smallest, double largest) {
    return make_preconditioner(a, {.kind = preconditioner_kind::chebyshev,
                                   .degree = 3,
                                   .smallest_eigenvalue = smallest,
                                   .largest_eigenvalue = largest});
  };
  EXPECT_EQ(with(0.25, 2)->describe(), "Chebyshev polynomial of degree 3 between 0.25 and 2");
  EXPECT_EQ(with(0, 3)->describe(), "Chebyshev polynomial of degree 3 between 0.1 and 3");
  // Of degree 1 it is D^-1 over the middle of the bounds.
  const auto first = make_preconditioner(
      a, {.kind = preconditioner_kind::chebyshev, .degree = 1, .smallest_eigenvalue = 1, .largest_eigenvalue = 3});
  const auto y = applied(*first, x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], x[i] / 4 / 2) << i;
  EXPECT_EQ(code_of([&] { static_cast<void>(with(2, 1)); }), errc::invalid_argument);
}

TEST(Precondition, MessagesSayThatRowsCountFromZero) {
  const auto refused = [](const csr_matrix<double>& a, preconditioner_kind kind, const char* words) {
    expect_error(errc::invalid_matrix, words, [&] { (void)make_preconditioner(a, {.kind = kind}); });
  };
  // Row 1 of three, the second one, has no diagonal entry; then one that is zero, and one that is negative.
  const auto with_middle = [](const std::vector<double>& values) {
    csr_matrix<double> a;
    a.rows = a.cols = 3;
    const auto count = static_cast<std::int64_t>(values.size());
    a.row_offsets = std::vector<std::int64_t>{0, 1, count - 1, count};
    a.columns = count == 3 ? std::vector<std::int32_t>{0, 0, 2} : std::vector<std::int32_t>{0, 0, 1, 2};
    a.values.data = std::vector<double>(values);
    return a;
  };
  const auto missing = with_middle({4, 1, 4});
  const auto zero = with_middle({4, 0, 0, 4});
  const auto negative = with_middle({4, 0, -1, 4});
  refused(missing, preconditioner_kind::ilu0, "ilu0: row 1, counted from 0, stores no diagonal entry");
  refused(missing, preconditioner_kind::ic0, "ic0: row 1, counted from 0, stores no diagonal entry");
  refused(missing, preconditioner_kind::jacobi, "jacobi: the diagonal entry of row 1, counted from 0, is missing");
  refused(missing, preconditioner_kind::ssor, "ssor: the diagonal entry of row 1, counted from 0, is missing");
  refused(missing, preconditioner_kind::amg, "amg: the diagonal entry of row 1, counted from 0, is missing");
  refused(zero, preconditioner_kind::ilu0, "ilu0: the pivot of row 1, counted from 0, is zero");
  refused(negative, preconditioner_kind::ic0, "ic0: the pivot of row 1, counted from 0, is not positive");
}

}  // namespace
}  // namespace lacis::test

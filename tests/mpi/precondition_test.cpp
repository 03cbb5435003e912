// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners that have the bits of one process, and those that are refused because they would not.
#include <algorithm>

#include <lacis/error.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>

#include "mpi/systems.hpp"

namespace lacis::test {
namespace {

/// Conjugate gradients of all processes go as those of one.
void expect_solution_of_one(const csr_matrix<double>& a, const preconditioner<double>& inverse_of_one,
                            const distributed_csr<double>& mine, const preconditioner<double>& inverse,
                            const distributed_matrix<double>& product) {
  const auto b = numbers<double>(a.rows, 5);
  std::vector<double> x(b.size(), 0);
  const auto expected = solve<double>(solve_method::cg, *make_operator(multiply_inspect(a)), b, x, {}, &inverse_of_one);
  std::vector<double> part(static_cast<std::size_t>(product.cols()), 0);
  const auto found = solve<double>(solve_method::cg, product, part_of(b, mine.own_rows()), part, {}, &inverse);
  EXPECT_TRUE(found.converged());
  EXPECT_EQ(found.history, expected.history);
  expect_same(part, x, mine.own_cols());
}

TEST(SpreadPrecondition, BitsDoNotDependOnTheProcesses) {
  const auto a = solvable("@mesh3d:27");
  const auto mine = spread(a);
  const distributed_matrix<double> product(mine);
  for (std::size_t i = 0; i < preconditioner_kinds; ++i) {
    const auto kind = static_cast<preconditioner_kind>(i);
    if (traits_of(kind).on_ranks != rank_work::own_rows && kind != preconditioner_kind::chebyshev) continue;
    SCOPED_TRACE(name_of(kind));
    const auto expected_inverse = make_preconditioner(a, {.kind = kind});
    const auto inverse = make_distributed_preconditioner(mine, product, {.kind = kind});
    expect_solution_of_one(a, *expected_inverse, mine, *inverse, product);
  }
}

/// Entries whose row and column are in one part.
csr_matrix<double> inside(const csr_matrix<double>& a, const std::vector<std::int64_t>& parts) {
  csr_matrix<double> kept{a.rows, a.cols, buffer<std::int64_t>(a.rows + 1), {}, {}};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  const auto part_of_row = [&](std::int64_t row) { return std::upper_bound(parts.begin(), parts.end(), row); };
  kept.row_offsets[0] = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
      if (part_of_row(a.columns[e]) == part_of_row(i)) {
        columns.push_back(a.columns[e]);
        values.push_back(a.values[e]);
      }
    kept.row_offsets[i + 1] = static_cast<std::int64_t>(columns.size());
  }
  kept.columns = buffer<std::int32_t>(std::span<const std::int32_t>(columns));
  kept.values = values_array<double>(buffer<double>(std::span<const double>(values)));
  return kept;
}

TEST(SpreadPrecondition, FactorsInsideStoredParts) {
  const auto a = solvable("@mesh3d:27");
  const std::vector<std::int64_t> parts = {0, 4096, 4 * 4096, a.rows};
  const auto mine = spread(a, {.parts = parts});
  const distributed_matrix<double> product(mine);
  for (const auto kind : {preconditioner_kind::ilu0, preconditioner_kind::ic0}) {
    SCOPED_TRACE(name_of(kind));
    const auto expected_inverse = make_preconditioner(inside(a, parts), {.kind = kind});
    const auto inverse = make_distributed_preconditioner(mine, product, {.kind = kind});
    expect_solution_of_one(a, *expected_inverse, mine, *inverse, product);
  }
}

TEST(SpreadPrecondition, RefusesWhatDependsOnTheProcesses) {
  const auto mine = spread(solvable("@mesh3d:27"));
  const distributed_matrix<double> product(mine);
  for (const preconditioner_options& options :
       {preconditioner_options{.kind = preconditioner_kind::ilu0},
        preconditioner_options{.kind = preconditioner_kind::ssor},
        preconditioner_options{.kind = preconditioner_kind::block_jacobi, .block = 3}})
    EXPECT_THROW(static_cast<void>(make_distributed_preconditioner(mine, product, options)), error);
}

TEST(SpreadPrecondition, RefusesNewValuesAndStaysAsItWas) {
  const auto a = solvable("@mesh3d:21");
  const auto mine = spread(a);
  const distributed_matrix<double> product(mine);
  for (const auto kind : {preconditioner_kind::jacobi, preconditioner_kind::chebyshev, preconditioner_kind::amg}) {
    SCOPED_TRACE(name_of(kind));
    const auto inverse = make_distributed_preconditioner(mine, product, {.kind = kind});
    try {
      inverse->update_values(mine.local.values.data);
      FAIL() << "nothing was thrown";
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::unsupported);
      EXPECT_NE(std::string(problem.what()).find("make another one"), std::string::npos) << problem.what();
    }
    expect_solution_of_one(a, *make_preconditioner(a, {.kind = kind}), mine, *inverse, product);
  }
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Multigrid of lacis on one system: bench_multigrid_lacis PATH. Prints a line of JSON.
#include <lacis/lacis.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>

#include "system.hpp"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const bench::linear_system s(arguments[1]);
  const auto entries = static_cast<std::int64_t>(s.columns.size());
  lacis::csr_matrix<double> a{s.rows, s.rows, lacis::buffer<std::int64_t>(s.rows + 1), lacis::buffer<int>(entries),
                              lacis::values_array<double>(entries)};
  std::copy(s.offsets.begin(), s.offsets.end(), a.row_offsets.begin());
  std::copy(s.columns.begin(), s.columns.end(), a.columns.begin());
  std::copy(s.values.begin(), s.values.end(), a.values.data.begin());

  lacis::preconditioner_options options{.kind = lacis::preconditioner_kind::amg};
  options.multigrid.block = s.block;
  std::vector<double> space(s.space.size());  // vector by vector
  for (std::size_t k = 0; k < space.size(); ++k) {
    const auto width = static_cast<std::size_t>(s.vectors);
    space[k % width * static_cast<std::size_t>(s.rows) + k / width] = s.space[k];
  }
  options.multigrid.near_null_space = space;

  bench::stopwatch clock;
  const auto m = lacis::make_preconditioner(a, options);
  const auto plan = lacis::multiply_inspect(a, {.expected_uses = 20, .borrow = true});
  const double setup = clock.lap();
  std::vector<double> x(static_cast<std::size_t>(s.rows), 0.0);
  const lacis::method_options<double> how{.tolerance = 1e-8, .max_iterations = 2000, .preconditioner = m.get()};
  clock.lap();
  const auto report = s.symmetric ? lacis::cg(plan, s.right_side, x, how) : lacis::bicgstab(plan, s.right_side, x, how);
  const double solve = clock.lap();
  m->update_values(a.values.data);
  clock.lap();
  m->update_values(a.values.data);
  const double update = clock.lap();
  std::printf(
      "{\"setup\": %.4f, \"solve\": %.4f, \"iterations\": %lld, \"residual\": %.2e, \"complexity\": %.3f, \"update\": "
      "%.4f}\n",
      setup, solve, static_cast<long long>(report.iterations), s.residual(x), m->hierarchy()->operator_complexity,
      update);
}

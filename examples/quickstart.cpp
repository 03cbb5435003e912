// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The example of docs/guide/overview.md: assemble a matrix from several threads, convert it, write it, read it back,
// multiply and solve with it.
#include <iostream>
#include <vector>

#include <lacis/lacis.hpp>

int main() {
  lacis::builder<double> entries(1000, 1000);
#pragma omp parallel
  {
    auto put = entries.inserter();  // one per thread
#pragma omp for
    for (int i = 0; i < 1000; ++i) {
      put(i, i, 2.0);
      if (i > 0) put(i, i - 1, -1.0);
      if (i < 999) put(i, i + 1, -1.0);
    }
  }
  const auto a = entries.build();  // sorted, duplicates summed, the same bits for any number of threads
  const auto sell = lacis::convert<lacis::sell_matrix<double>>(a, {.slice_height = 8, .sort_window = 64});
  lacis::require_valid(sell);  // throws lacis::error naming the first broken invariant and its row
  lacis::write("laplace.mtx.gz", a);
  const auto again = lacis::read<double>("laplace.mtx.gz");
  std::cout << again.rows << " x " << again.cols << ", " << again.nnz()
            << " entries, sell: " << lacis::storage_bytes(a, lacis::matrix_format::sell) << " bytes\n";

  const std::vector<double> x(1000, 0.1);
  std::vector<double> y(1000), z(1000);
  lacis::multiply(again, x, y);                     // any format, no preparation
  const auto plan = lacis::multiply_inspect(sell);  // for many products: chooses a layout and explains it
  lacis::workspace memory;                          // one per calling thread; the plan can be shared
  lacis::multiply(plan, x, z, memory);
  std::cout << plan.explain() << '\n' << (y == z ? "the same bits" : "never printed") << '\n';

  std::vector<double> solution(1000);
  const auto report = lacis::solve(again, y, solution);  // chooses a method; cg(plan, y, solution) names it
  std::cout << report.attempts.back().choice.why << ": " << report.result().reason << '\n';
  return report.result().converged() ? 0 : 1;
}

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The program of docs/guide/ten-minutes.md: a product, a plan, a solution.
#include <iostream>
#include <vector>

#include <lacis/lacis.hpp>

int main() {
  const auto a = lacis::generate<double>("@poisson2d:300");  // or lacis::read<double>("A.mtx")
  const std::vector<double> x(static_cast<std::size_t>(a.cols), 1.0);
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  lacis::multiply(a, x, y);  // in any format, without preparation

  const auto plan = lacis::multiply_inspect(a);  // for many products
  lacis::multiply(plan, x, y);
  std::cout << plan.explain() << '\n';

  std::vector<double> solution(static_cast<std::size_t>(a.cols));
  const auto report = lacis::solve(a, y, solution);  // chooses a method, checks the true residual
  std::cout << report.result().reason << '\n';
  return report.result().converged() ? 0 : 1;
}

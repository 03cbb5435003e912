// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The program of README.md: solves the system in a file.
#include <iostream>
#include <vector>

#include <lacis/lacis.hpp>

int main() {
  const auto a = lacis::read<double>("A.mtx");  // Matrix Market, .npz, edge list, METIS; .gz and .zst too
  const std::vector<double> b(a.rows, 1.0);
  std::vector<double> x(a.cols);
  const auto report = lacis::solve(a, b, x);  // chooses a method and a preconditioner, checks the true residual
  std::cout << report.attempts.back().choice.why << '\n' << report.result().reason << '\n' << x[0] << '\n';
}

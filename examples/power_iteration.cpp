// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Many products with one matrix: a plan, inspected once. The largest eigenvalue of a grid by the power method, against
// its formula.
#include <cmath>
#include <iostream>
#include <numbers>
#include <vector>

#include <lacis/lacis.hpp>

int main() {
  const std::size_t side = 30;
  const auto a = lacis::generate<double>("@poisson2d:30");
  const auto plan = lacis::multiply_inspect(a, {.expected_uses = 3000});
  std::cout << plan.explain() << '\n';

  std::vector<double> x(static_cast<std::size_t>(a.cols)), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = (i % side + i / side) % 2 == 0 ? 1.0 : -0.9;
  lacis::workspace memory;  // one per calling thread: then no product allocates
  double value = 0;
  for (int step = 0; step < 3000; ++step) {
    lacis::multiply(plan, x, y, memory);
    value = lacis::dot(x, y) / lacis::dot(x, x);
    const double length = lacis::norm(y);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] / length;
  }
  const double sine = std::sin(std::numbers::pi * 30 / (2.0 * 31));
  const double expected = 8 * sine * sine;
  std::cout << "largest eigenvalue " << value << ", formula " << expected << '\n';
  return std::abs(value - expected) < 1e-4 * expected ? 0 : 1;
}

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reordering: a mesh whose points come in any order is solved in a better one, and the solution is brought back.
#include <iostream>
#include <vector>

#include <lacis/lacis.hpp>

int main() {
  const auto a = lacis::generate<double>("@mesh3d:10,shuffled");
  const auto order = lacis::reorder(a, lacis::reordering::rcm);  // element k: the old number of row k
  const auto better = lacis::permute(a, order, order);
  const auto before = lacis::find_facts(a).upper_bandwidth, after = lacis::find_facts(better).upper_bandwidth;
  std::cout << "bandwidth " << before << ", reordered " << after << '\n';

  const auto rows = static_cast<std::size_t>(a.rows);
  std::vector<double> truth(rows), b(rows), moved(rows), found(rows), x(rows);
  for (std::size_t i = 0; i < rows; ++i) truth[i] = static_cast<double>(i % 7);
  lacis::multiply(a, truth, b);
  for (std::size_t k = 0; k < rows; ++k) moved[k] = b[static_cast<std::size_t>(order[k])];
  const auto report = lacis::solve(better, moved, found);
  for (std::size_t k = 0; k < rows; ++k) x[static_cast<std::size_t>(order[k])] = found[k];

  lacis::multiply(a, x, moved);  // the residual in the old order
  double wrong = 0, length = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    wrong += (moved[i] - b[i]) * (moved[i] - b[i]);
    length += b[i] * b[i];
  }
  std::cout << report.result().reason << '\n';
  return after < before && report.result().converged() && wrong <= 1e-14 * length ? 0 : 1;
}

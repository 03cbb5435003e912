// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of higher multiplicity, and close ones: Lanczos finishes, and none is missing.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <lacis/eigs.hpp>

#include "solve/spectra.hpp"
#include "summation/hash.hpp"

namespace lacis::test {
namespace {

using edges = std::vector<std::pair<int, int>>;

/// The Laplacian of an undirected graph: degrees on the diagonal, -1 for an edge.
csr_matrix<double> laplacian_of(std::int64_t n, const edges& all) {
  std::vector<std::vector<std::pair<int, double>>> rows(static_cast<std::size_t>(n));
  const auto row = [&](int i) -> auto& { return rows[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < n; ++i) row(i).emplace_back(i, 0.0);
  for (const auto& [i, j] : all) {
    row(i).emplace_back(j, -1.0);
    row(j).emplace_back(i, -1.0);
    row(i)[0].second += 1;
    row(j)[0].second += 1;
  }
  for (auto& one : rows) std::ranges::sort(one);
  return from_entries<double>(n, rows);
}

/// Several paths of n nodes.
csr_matrix<double> paths(int n, int parts) {
  edges all;
  for (int i = 0; i + 1 < n * parts; ++i)
    if ((i + 1) % n != 0) all.emplace_back(i, i + 1);
  return laplacian_of(std::int64_t{n} * parts, all);
}
/// Its eigenvalues, each as often as there are paths.
std::vector<double> values_of_paths(int n, int parts) {
  std::vector<double> all;
  for (int j = 0; j < n; ++j) {
    const double half = std::sin(std::numbers::pi * j / (2 * n));
    all.insert(all.end(), static_cast<std::size_t>(parts), 4 * half * half);
  }
  return all;
}

/// Parts of different sizes, each of random edges; several more parts where these leave nodes apart.
csr_matrix<double> random_graph(std::uint64_t seed) {
  std::uint64_t state = seed;
  const auto below = [&](std::uint64_t most) { return static_cast<int>((state = summation::mix(state + 1)) % most); };
  edges all;
  int first = 0;
  for (int part = 2 + below(4); part > 0; --part) {
    const int size = 15 + below(30);
    for (int edge = size + below(static_cast<std::uint64_t>(size)); edge > 0; --edge) {
      const int i = first + below(static_cast<std::uint64_t>(size));
      const int j = first + below(static_cast<std::uint64_t>(size));
      if (i != j && std::ranges::find(all, std::pair(std::min(i, j), std::max(i, j))) == all.end())
        all.emplace_back(std::min(i, j), std::max(i, j));
    }
    first += size;
  }
  return laplacian_of(first, all);
}

eigen_options<double> with(eigen_part part, double tolerance) {
  eigen_options<double> options;
  options.part = part;
  options.method = eigen_method::lanczos;
  options.tolerance = tolerance;
  return options;
}

/// The lowest or highest values of the pairs that were found. With a tolerance that cannot be attained, what can be is.
void expect_values(const eigen_result<double>& found, const std::vector<double>& ascending, const std::string& name,
                   eigen_part part = eigen_part::smallest, double tolerance = 1e-8) {
  EXPECT_TRUE(found.converged() || (tolerance == 0 && found.outcome == solve_outcome::stagnated))
      << name << ": " << found.reason;
  const std::size_t first = part == eigen_part::smallest ? 0 : ascending.size() - found.values.size();
  for (std::size_t k = 0; k < found.values.size(); ++k)
    EXPECT_NEAR(found.values[k], ascending[first + k], 1e-12) << name << ", " << k;
}

TEST(EigsCopies, LaplaciansOfSeveralPathsAreFinished) {
  for (const auto& [n, parts, pairs] : {std::tuple{120, 2, 3},
                                        {120, 2, 1},
                                        {150, 3, 4},
                                        {80, 3, 4},
                                        {60, 5, 6},
                                        {40, 12, 10},
                                        {20, 30, 15},
                                        {300, 6, 10}})
    for (const auto part : {eigen_part::smallest, eigen_part::largest})
      expect_values(eigs(multiply_inspect(paths(n, parts)), pairs, with(part, 1e-8)), values_of_paths(n, parts),
                    std::to_string(parts) + " paths of " + std::to_string(n), part);
}

TEST(EigsCopies, CloseEigenvaluesAreFinishedAtTheAttainableAccuracy) {
  for (const int n : {300, 500, 600, 800})
    expect_values(eigs(multiply_inspect(line<double>(n)), 3, with(eigen_part::smallest, 0)), line_values(n),
                  "a line of " + std::to_string(n), eigen_part::smallest, 0);
}

TEST(EigsCopies, NoComponentOfARandomGraphIsMissing) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const auto plan = multiply_inspect(random_graph(seed));
    auto dense = with(eigen_part::smallest, 1e-8);
    dense.vectors = plan.rows();
    const auto expected = eigs(plan, plan.rows() - 2, dense);
    ASSERT_TRUE(expected.converged()) << seed << ": " << expected.reason;
    for (const std::int64_t pairs : {1, 3, 6, 10})
      for (const double tolerance : {1e-8, 0.0})
        expect_values(eigs(plan, pairs, with(eigen_part::smallest, tolerance)), expected.values,
                      "graph " + std::to_string(seed), eigen_part::smallest, tolerance);
  }
}

}  // namespace
}  // namespace lacis::test

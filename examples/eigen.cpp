// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A program with matrices of Eigen whose products and solver are those of lacis; nothing is copied.
#include <Eigen/SparseCore>
#include <cstdio>
#include <vector>

#include <lacis/eigen.hpp>
#include <lacis/generate.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>
#include <lacis/solve.hpp>

int main() {
  constexpr int n = 1000;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 4.0);
    if (i > 0) entries.emplace_back(i, i - 1, -1.0);
    if (i + 1 < n) entries.emplace_back(i, i + 1, -1.0);
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> a(n, n);  // or by columns
  a.setFromTriplets(entries.begin(), entries.end());

  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
  Eigen::VectorXd b(n);
  lacis::multiply(lacis::view_of(a), ones, b);  // vectors of Eigen; nothing is copied
  std::printf("product: %s\n", b == a * ones ? "the bits of Eigen's" : "rounded in another order than Eigen's");

  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  const auto plan = lacis::multiply_inspect(lacis::view_of(a));
  const auto report = lacis::cg(plan, b, x, {.tolerance = 1e-12});
  std::printf("cg: %s; error %.1e\n", report.reason.c_str(), (x - ones).norm());

  Eigen::MatrixXd columns = Eigen::MatrixXd::Random(n, 4);
  Eigen::MatrixXd results(n, 4);
  lacis::multiply(plan, lacis::view_of(columns), lacis::writable_view_of(results));  // Eigen::MatrixXd
  std::printf("four columns: difference %.1e\n", (results - a * columns).norm());

  const auto mesh = lacis::generate<double>("@poisson2d:30");  // and back
  const lacis::eigen_matrix seen(mesh);                        // seen.map() is an Eigen::Map
  std::printf("trace of a matrix of lacis, by Eigen: %.0f\n", Eigen::MatrixXd(seen.map()).trace());
  return report.converged() ? 0 : 1;
}

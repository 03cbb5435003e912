// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients as the textbook has them (Saad, algorithm 6.18), with products through a plan: every run, on any
// number of threads and any processor, prints the same residuals to the last digit.
#include <cmath>
#include <cstdio>
#include <vector>

#include <lacis/lacis.hpp>

int main() {
  const auto A = lacis::generate<double, std::int32_t>("@poisson3d:40");
  const auto plan = lacis::multiply_inspect(A);
  const auto n = static_cast<std::size_t>(A.rows);

  const std::vector<double> ones(n, 1.0);
  std::vector<double> b(n), x(n, 0.0), r(n), p(n), q(n);
  lacis::multiply(plan, ones, b);  // so that x becomes ones

  r = b;  // r = b - A x, and x is zero
  p = r;
  double rho = lacis::dot(r, r);
  const double goal = 1e-20 * rho;
  int iteration = 0;
  while (rho > goal && iteration < 1000) {
    lacis::multiply(plan, p, q);  // q = A p
    const double alpha = rho / lacis::dot(p, q);
    lacis::axpy(alpha, p, x);   // x = x + alpha p
    lacis::axpy(-alpha, q, r);  // r = r - alpha q
    const double rho_new = lacis::dot(r, r);
    lacis::axpby(1.0, r, rho_new / rho, p);  // p = r + beta p
    rho = rho_new;
    if (++iteration % 20 == 0) std::printf("%4d  |r| = %.15e\n", iteration, std::sqrt(rho));
  }

  lacis::axpy(-1.0, ones, x);
  std::printf("%d iterations, error %.2e, bits %016llx\n", iteration, lacis::norm(x),
              static_cast<unsigned long long>(lacis::solution_hash(r)));

  // The library's own reads memory less often, checks the true residual and takes preconditioners.
  std::fill(x.begin(), x.end(), 0.0);
  const auto m = lacis::make_preconditioner(A, {.kind = lacis::preconditioner_kind::ic0});
  const auto report = lacis::cg(plan, b, x, {.tolerance = 1e-10, .preconditioner = m});
  std::printf("lacis::cg: %s\n", report.reason.c_str());
  return report.converged() ? 0 : 1;
}

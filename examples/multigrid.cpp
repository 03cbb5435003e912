// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Algebraic multigrid: the number of iterations hardly depends on the size of the grid.
#include <cstdio>
#include <string>
#include <vector>

#include <lacis/lacis.hpp>

int main() {
  std::printf("%10s  %12s  %14s  %s\n", "points", "plain cg", "with multigrid", "levels");
  for (const int width : {50, 100, 200}) {
    // Poisson's equation on a square of width x width points.
    const auto a = lacis::generate<double>("@poisson2d:" + std::to_string(width));
    const auto plan = lacis::multiply_inspect(a);
    const std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0);
    std::vector<double> x(b.size());
    const auto plain = lacis::cg(plan, b, x);

    const auto m = lacis::make_preconditioner(a, {.kind = lacis::preconditioner_kind::amg});
    std::vector<double> y(b.size());
    const auto with = lacis::cg(plan, b, y, {.preconditioner = m});
    if (!plain.converged() || !with.converged()) return 1;
    std::printf("%10lld  %12lld  %14lld  %zu\n", static_cast<long long>(a.rows),
                static_cast<long long>(plain.iterations), static_cast<long long>(with.iterations),
                m->hierarchy()->levels.size());
  }
}

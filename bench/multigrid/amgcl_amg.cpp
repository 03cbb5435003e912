// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// AMGCL's smoothed aggregation on one system: bench_multigrid_amgcl PATH [strength=0.08] [float=1]. Prints a line of
// JSON. Its headers are not part of lacis: configure with -DAMGCL_INCLUDE=DIRECTORY.
#include <amgcl/adapter/crs_tuple.hpp>
#include <amgcl/amg.hpp>
#include <amgcl/backend/builtin.hpp>
#include <amgcl/coarsening/smoothed_aggregation.hpp>
#include <amgcl/make_solver.hpp>
#include <amgcl/relaxation/spai0.hpp>
#include <amgcl/solver/bicgstab.hpp>
#include <amgcl/solver/cg.hpp>
#include <sstream>
#include <tuple>

#include "system.hpp"

namespace {

template <class Cycle, template <class, class> class Method> void run(const bench::linear_system& s, double strength) {
  using outer = amgcl::backend::builtin<double>;
  using solver =
      amgcl::make_solver<amgcl::amg<Cycle, amgcl::coarsening::smoothed_aggregation, amgcl::relaxation::spai0>,
                         Method<outer, amgcl::solver::detail::default_inner_product>>;
  typename solver::params how;
  how.solver.tol = 1e-8;
  how.solver.maxiter = 2000;
  how.precond.coarsening.aggr.eps_strong = static_cast<float>(strength);
  if (s.vectors == 0) how.precond.coarsening.aggr.block_size = static_cast<unsigned>(s.block);
  how.precond.coarsening.nullspace.cols = s.vectors;
  how.precond.coarsening.nullspace.B = s.space;
  std::vector<double> x(static_cast<std::size_t>(s.rows), 0.0);
  // The method multiplies with this matrix: that of the cycle may be rounded to single precision.
  const typename outer::matrix a(std::tie(s.rows, s.offsets, s.columns, s.values));
  bench::stopwatch clock;
  solver solve(std::tie(s.rows, s.offsets, s.columns, s.values), how);
  const double setup = clock.lap();
  const auto [iterations, error] = solve(a, s.right_side, x);
  const double seconds = clock.lap();
  static_cast<void>(error);
  std::ostringstream text;
  text << solve.precond();
  const std::string told = text.str();
  const double complexity = std::stod(told.substr(told.find("Operator complexity:") + 20));
  std::printf("{\"setup\": %.4f, \"solve\": %.4f, \"iterations\": %zu, \"residual\": %.2e, \"complexity\": %.3f}\n",
              setup, seconds, iterations, s.residual(x), complexity);
}

template <class Cycle> void run(const bench::linear_system& s, double strength) {
  if (s.symmetric)
    run<Cycle, amgcl::solver::cg>(s, strength);
  else
    run<Cycle, amgcl::solver::bicgstab>(s, strength);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const bench::linear_system s(arguments[1]);
  const double strength = bench::setting(count, arguments, "strength", 0.08);
  if (bench::setting(count, arguments, "float", 1) != 0)
    run<amgcl::backend::builtin<float>>(s, strength);
  else
    run<amgcl::backend::builtin<double>>(s, strength);
}

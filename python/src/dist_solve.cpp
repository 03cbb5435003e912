// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Solvers and PageRank on distributed matrices.
#include <nanobind/stl/string.h>

#include <lacis/solve.hpp>

#include "callbacks.hpp"
#include "distributed.hpp"
#include "reports.hpp"

namespace lacis_python {

namespace {

// The enumerator whose name_of() is `name`; an exception that lists all of them where there is none.
template <class Kind> Kind named(const std::string& name, std::size_t count, const char* what) {
  std::string all;
  for (std::size_t k = 0; k < count; ++k) {
    const auto kind = static_cast<Kind>(k);
    if (name == lacis::name_of(kind)) return kind;
    all += (k == 0 ? "" : ", ") + std::string(lacis::name_of(kind));
  }
  raise(LACIS_INVALID_ARGUMENT, std::string(what) + " must be one of " + all + "; not '" + name + "'");
}

struct solve_request {
  std::string method;
  std::string preconditioner;  ///< empty: none
  std::string cycle;           ///< of amg; empty: the default
  std::string smoother;        ///< of amg; empty: the default
  double tolerance = 0;
  std::int64_t max_iterations = 0;
  int restart = 0;
  std::string checkpoint;
};

// x is where to start, or None.
template <class T>
nb::dict solve(const distributed_plan_object& plan, const prepared_product<T>& p, const lacis::distributed_csr<T>& rows,
               nb::handle b, nb::handle x, nb::handle monitor, const solve_request& request) {
  python_work python;
  observer watching(monitor, false);
  array b_array, x_array;
  nb::object converted, start;
  std::span<const T> right;
  std::span<T> solution;
  auto method = lacis::solve_method::cg;
  lacis::preconditioner_options nearly_inverse;
  nearly_inverse.threads = plan.threads;
  const bool has_preconditioner = !request.preconditioner.empty();
  python.attempt([&] {
    method = named<lacis::solve_method>(request.method, lacis::solve_methods, "method");
    if (has_preconditioner)
      nearly_inverse.kind =
          named<lacis::preconditioner_kind>(request.preconditioner, lacis::preconditioner_kinds, "precond");
    if (!request.cycle.empty() || !request.smoother.empty()) {
      if (!has_preconditioner || nearly_inverse.kind != lacis::preconditioner_kind::amg)
        raise(LACIS_INVALID_ARGUMENT, "cycle and smoother are of precond='amg'");
      if (!request.cycle.empty())
        nearly_inverse.multigrid.cycle = named<lacis::multigrid_cycle>(request.cycle, lacis::multigrid_cycles, "cycle");
      if (!request.smoother.empty())
        nearly_inverse.multigrid.smoother =
            named<lacis::multigrid_smoother>(request.smoother, lacis::multigrid_smoothers, "smoother");
    }
    if (lacis::traits_of(method).least_squares && !plan.has_adjoint)
      raise(LACIS_INVALID_ARGUMENT,
            request.method + " needs products with the adjoint; make the plan with dist.plan(A, adjoint=True)");
    right = part_of<T>(b, p.product->rows(), "b", b_array, converted);
    start = nb::module_::import_("lacis.dist").attr("_start")(x, dtype_of(kind_of<T>()), p.product->cols());
    if (!x_array.open(start, true)) throw nb::type_error("x0 must be a vector");
    solution = {static_cast<T*>(x_array.data()), static_cast<std::size_t>(p.product->cols())};
  });
  lacis::solve_options options;
  options.tolerance = request.tolerance;
  options.max_iterations = request.max_iterations;
  if (request.restart != 0) options.restart = request.restart;
  options.checkpoint = request.checkpoint;
  options.monitor = [&](const lacis::solve_progress& now) {
    return observer::monitor(&watching, now.iteration, now.residual) == 0;
  };
  std::string stopped;
  const lacis::solve_report report = collectively(python, [&] {
    const std::scoped_lock taken(*plan.order);
    lacis::vector_space<T>& space = p.product->space();
    space.together("solve()", {}, [&] { python.require(); });
    std::unique_ptr<lacis::preconditioner<T>> m;
    if (has_preconditioner) m = lacis::make_distributed_preconditioner(rows, *p.product, nearly_inverse);
    lacis::solve_report found = lacis::solve<T>(method, *p.product, right, solution, options, m.get());
    if (found.outcome == lacis::solve_outcome::stopped) {
      try {
        // A signal or the function of one rank has stopped all: they learn which.
        space.together("solve()", {}, [&] { python.run([&] { watching.rethrow(); }); });
      } catch (const lacis::rank_error& problem) {
        stopped = problem.what();
      }
    }
    return found;
  });
  if (!stopped.empty()) {
    python.rethrow();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    raise(LACIS_STOPPED, stopped);
  }
  nb::dict result = dict_of({static_cast<int>(report.outcome), report.iterations, report.residual, report.true_residual,
                             report.seconds, request.method.c_str(), report.reason.c_str()},
                            report.history);
  result["x"] = start;
  return result;
}

nb::dict solve_distributed(const distributed_plan_object& plan, const distributed_matrix_object& a, nb::handle b,
                           nb::handle x, nb::handle monitor, const std::string& method,
                           const std::string& preconditioner, const std::string& cycle, const std::string& smoother,
                           double tolerance, std::int64_t max_iterations, int restart, const std::string& checkpoint) {
  const solve_request request{method, preconditioner, cycle, smoother, tolerance, max_iterations, restart, checkpoint};
  return std::visit(
      [&]<class T>(const prepared_product<T>& p) {
        return solve<T>(plan, p, std::get<lacis::distributed_csr<T>>(a.held), b, x, monitor, request);
      },
      plan.held);
}

nb::tuple pagerank(const distributed_matrix_object& a, double damping, double tolerance, std::int64_t max_iterations,
                   nb::handle weights, int threads) {
  python_work python;
  observer watching(nb::none(), false);
  array opened;
  nb::object converted;
  lacis::pagerank_options options;
  options.damping = damping;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.threads = threads;
  options.monitor = [&](const lacis::pagerank_progress& now) {
    return observer::monitor(&watching, now.iteration, now.change) == 0;
  };
  const auto* links = std::get_if<lacis::distributed_csr<double>>(&a.held);
  if (links == nullptr) raise(LACIS_INVALID_ARGUMENT, "pagerank needs a matrix of float64");
  const lacis::row_range own = links->own_rows();
  if (!weights.is_none())
    options.personalisation = part_of<double>(weights, own.last - own.first, "personalization", opened, converted);
  const lacis::pagerank_result result = collectively(python, [&] {
    const std::scoped_lock taken(*a.order);
    return lacis::pagerank(lacis::pagerank_inspect(*links, threads), options);
  });
  watching.rethrow();
  if (!result.converged && result.iterations < max_iterations)
    raise(LACIS_STOPPED, "another rank has stopped pagerank");
  return nb::make_tuple(copied_vector(element::float64, result.ranks.data(), result.ranks.size()), result.iterations,
                        result.change, result.converged);
}

}  // namespace

void bind_distributed_solve(nb::module_& m) {
  m.def("solve", &solve_distributed, nb::arg("plan"), nb::arg("a"), nb::arg("b"), nb::arg("x").none(),
        nb::arg("monitor").none(), nb::arg("method"), nb::arg("preconditioner"), nb::arg("cycle"), nb::arg("smoother"),
        nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("restart"), nb::arg("checkpoint"),
        nb::sig("def solve(plan: Plan, a: Matrix, b: object, x: object | None, monitor: object | None, method: str, "
                "preconditioner: str, cycle: str, smoother: str, tolerance: float, max_iterations: int, restart: int, "
                "checkpoint: str) -> dict"));
  m.def(
      "pagerank", &pagerank, nb::arg("a"), nb::arg("damping"), nb::arg("tolerance"), nb::arg("max_iterations"),
      nb::arg("personalization").none(), nb::arg("threads"),
      nb::sig("def pagerank(a: Matrix, damping: float, tolerance: float, max_iterations: int, personalization: object "
              "| None, threads: int) -> tuple"));
}

}  // namespace lacis_python

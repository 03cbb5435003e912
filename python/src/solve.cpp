// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The two ways to solve: with one method on an operator, and with what suits a matrix.
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "callbacks.hpp"
#include "errors.hpp"
#include "operator.hpp"
#include "reports.hpp"

namespace lacis_python {

namespace {

// What both ways to solve take.
struct request {
  double tolerance = 0;
  std::int64_t max_iterations = 0;
  int restart = 0;
  int threads = -1;
  std::string preconditioner;
  std::string checkpoint;
  std::string device = {};  // empty: the processor, or that of the operator
  std::string cycle = {};   // of amg, as smoother; empty: the default
  std::string smoother = {};
};

struct vectors {
  array b, x;
  void open(nb::handle b_object, nb::handle x_object, element kind, std::int64_t rows, std::int64_t cols) {
    if (!b.open(b_object) || !x.open(x_object, true) || !b.is_vector() || !x.is_vector() || b.kind() != kind ||
        x.kind() != kind) {
      throw nb::type_error("b and x must be contiguous vectors of the type of A");
    }
    if (b.size() != rows || x.size() != cols) {
      raise(LACIS_INVALID_ARGUMENT, "b has " + std::to_string(b.size()) + " elements and x " +
                                        std::to_string(x.size()) + ", the matrix is " + std::to_string(rows) + " x " +
                                        std::to_string(cols));
    }
  }
};

// Runs `solve(options, report)` without the GIL and gives what it reports as a dict.
template <class Solve> nb::dict run(const request& r, nb::handle monitor, bool every, Solve&& solve) {
  observer watching(monitor, every);
  lacis_solve_options options = LACIS_INIT(lacis_solve_options);
  options.tolerance = r.tolerance;
  options.max_iterations = r.max_iterations;
  options.restart = r.restart;
  options.threads = r.threads < 0 ? default_threads() : r.threads;
  const auto given = [](const std::string& text) { return text.empty() ? nullptr : text.c_str(); };
  options.preconditioner = given(r.preconditioner);
  options.checkpoint = given(r.checkpoint);
  options.device = given(r.device);
  options.cycle = given(r.cycle);
  options.smoother = given(r.smoother);
  options.monitor = &observer::monitor;
  options.user = &watching;
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  require_ok(watching.run([&] { return solve(options, report); }));
  return dict_of({static_cast<int>(report.outcome), report.iterations, report.residual, report.true_residual,
                  report.seconds, report.method, report.reason},
                 watching.history);
}

nb::dict solve_operator(const operator_object& a, const std::string& method, nb::handle b, nb::handle x,
                        const operator_object* m, double tolerance, std::int64_t max_iterations, int restart,
                        nb::handle monitor, bool every, const std::string& checkpoint) {
  if (m != nullptr && m->kind != a.kind) throw nb::type_error("the preconditioner has another type than the matrix");
  vectors v;
  v.open(b, x, a.kind, a.rows, a.cols);
  return run({tolerance, max_iterations, restart, -1, {}, checkpoint}, monitor, every,
             [&](const lacis_solve_options& options, lacis_solve_report& report) {
               return lacis_solve_operator(a.made, method.c_str(), v.b.data(), v.x.data(),
                                           m == nullptr ? nullptr : m->made, &options, &report);
             });
}

nb::dict solve_matrix(nb::handle parts, const std::string& method, nb::handle b, nb::handle x, double tolerance,
                      std::int64_t max_iterations, int restart, int threads, const std::string& kind,
                      nb::handle monitor, const std::string& checkpoint, const std::string& device,
                      const std::string& cycle, const std::string& smoother) {
  matrix a;
  a.require(parts);
  vectors v;
  v.open(b, x, element_of(a.view.type), a.view.rows, a.view.cols);
  return run({tolerance, max_iterations, restart, threads, kind, checkpoint, device, cycle, smoother}, monitor, false,
             [&](const lacis_solve_options& options, lacis_solve_report& report) {
               return lacis_solve(&a.view, method.empty() ? nullptr : method.c_str(), v.b.data(), v.x.data(), &options,
                                  &report);
             });
}

}  // namespace

void bind_solve(nb::module_& m) {
  m.def("solve_operator", &solve_operator, nb::arg("a"), nb::arg("method"), nb::arg("b"), nb::arg("x"),
        nb::arg("m").none(), nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("restart"),
        nb::arg("monitor").none(), nb::arg("every"), nb::arg("checkpoint"),
        nb::sig(
            "def solve_operator(a: Operator, method: str, b: object, x: object, m: Operator | None, tolerance: float, "
            "max_iterations: int, restart: int, monitor: object | None, every: bool, checkpoint: str) -> dict"),
        "Solves A x = b in place with one method.");
  m.def("solve_matrix", &solve_matrix, nb::arg("parts"), nb::arg("method"), nb::arg("b"), nb::arg("x"),
        nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("restart"), nb::arg("threads"),
        nb::arg("preconditioner"), nb::arg("monitor").none(), nb::arg("checkpoint"), nb::arg("device"),
        nb::arg("cycle"), nb::arg("smoother"),
        nb::sig(
            "def solve_matrix(parts: tuple, method: str, b: object, x: object, tolerance: float, max_iterations: int, "
            "restart: int, threads: int, preconditioner: str, monitor: object | None, checkpoint: str, device: str, "
            "cycle: str, smoother: str) -> dict"),
        "Solves A x = b in place; method and preconditioner are chosen where their names are empty.");
}

}  // namespace lacis_python

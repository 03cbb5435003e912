// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Solvers: operators over plans, over functions of Python, preconditioners, and the two ways to solve.
#include <cstring>
#include <memory>
#include <nanobind/stl/string.h>
#include <shared_mutex>

#include "arrays.hpp"
#include "bind.hpp"
#include "callbacks.hpp"
#include "errors.hpp"
#include "plan.hpp"
#include "reports.hpp"

namespace lacis_python {

namespace {

// Functions of Python behind an operator.
struct function_pair {
  nb::object apply, adjoint;
  element kind = element::float64;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

// y = f(x). x is a copy: the function may keep it, and the solver's own memory does not live that long.
int call(const nb::object& function, element kind, std::int64_t from, std::int64_t to, const void* x, void* y) {
  const nb::gil_scoped_acquire held;
  try {
    const nb::object given = function(copied_vector(kind, x, from));
    array result;
    nb::object converted;
    if (!result.open(given) || result.kind() != kind || !result.is_vector()) {
      converted = nb::module_::import_("lacis._arrays").attr("vector")(given, dtype_of(kind));
      if (!result.open(converted) || !result.is_vector()) throw nb::type_error("the operator gave no vector");
    }
    if (result.size() != to) {
      throw nb::value_error(
          ("the operator gave " + std::to_string(result.size()) + " elements instead of " + std::to_string(to))
              .c_str());
    }
    std::memcpy(y, result.data(), static_cast<std::size_t>(to * bytes_of(kind)));
    return 0;
  } catch (...) {
    pending_exception::keep();
    return 1;
  }
}

int call_apply(void* user, const void* x, void* y) {
  const auto& f = *static_cast<const function_pair*>(user);
  return call(f.apply, f.kind, f.cols, f.rows, x, y);
}
int call_adjoint(void* user, const void* x, void* y) {
  const auto& f = *static_cast<const function_pair*>(user);
  return call(f.adjoint, f.kind, f.rows, f.cols, x, y);
}

class operator_object {
 public:
  operator_object() = default;
  operator_object(const operator_object&) = delete;
  operator_object& operator=(const operator_object&) = delete;
  ~operator_object() { lacis_operator_free(made); }

  lacis_operator* made = nullptr;
  element kind = element::float64;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::unique_ptr<function_pair> functions;
};

std::unique_ptr<operator_object> from_plan(const plan_object& plan) {
  auto o = std::make_unique<operator_object>();
  o->kind = element_of(plan.facts().type);
  o->rows = plan.facts().rows;
  o->cols = plan.facts().cols;
  lacis_status status = LACIS_OK;
  {
    const nb::gil_scoped_release released;
    const std::shared_lock lock(plan.values_lock());
    status = lacis_operator_from_plan(plan.plan(), &o->made);
  }
  require_ok(status);
  return o;
}

std::unique_ptr<operator_object> from_function(std::int64_t rows, std::int64_t cols, int type, nb::object apply,
                                               nb::object adjoint) {
  auto o = std::make_unique<operator_object>();
  o->kind = static_cast<element>(type);
  o->rows = rows;
  o->cols = cols;
  const bool both = !adjoint.is_none();
  o->functions =
      std::make_unique<function_pair>(function_pair{std::move(apply), std::move(adjoint), o->kind, rows, cols});
  require_ok(lacis_operator_from_function(rows, cols, type_of(o->kind), &call_apply, both ? &call_adjoint : nullptr,
                                          o->functions.get(), &o->made));
  return o;
}

std::unique_ptr<operator_object> preconditioner(nb::handle parts, const std::string& kind, int threads) {
  matrix a;
  a.require(parts);
  auto o = std::make_unique<operator_object>();
  o->kind = element_of(a.view.type);
  o->rows = a.view.rows;
  o->cols = a.view.cols;
  lacis_status status = LACIS_OK;
  {
    const nb::gil_scoped_release released;
    status = lacis_preconditioner(&a.view, kind.c_str(), threads < 0 ? default_threads() : threads, &o->made);
  }
  require_ok(status);
  return o;
}

// What both ways to solve take.
struct request {
  double tolerance = 0;
  std::int64_t max_iterations = 0;
  int restart = 0;
  int threads = -1;
  std::string preconditioner;
  std::string checkpoint;
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
  options.preconditioner = r.preconditioner.empty() ? nullptr : r.preconditioner.c_str();
  options.checkpoint = r.checkpoint.empty() ? nullptr : r.checkpoint.c_str();
  options.monitor = &observer::monitor;
  options.user = &watching;
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  lacis_status status = LACIS_OK;
  {
    const nb::gil_scoped_release released;
    status = solve(options, report);
  }
  watching.rethrow();
  require_ok(status);
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
                      nb::handle monitor, const std::string& checkpoint) {
  matrix a;
  a.require(parts);
  vectors v;
  v.open(b, x, element_of(a.view.type), a.view.rows, a.view.cols);
  return run({tolerance, max_iterations, restart, threads, kind, checkpoint}, monitor, false,
             [&](const lacis_solve_options& options, lacis_solve_report& report) {
               return lacis_solve(&a.view, method.empty() ? nullptr : method.c_str(), v.b.data(), v.x.data(), &options,
                                  &report);
             });
}

// The garbage collector sees the functions of an operator: they may refer to it.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const auto* o = nb::inst_ptr<operator_object>(self);
  if (o->functions) {
    Py_VISIT(o->functions->apply.ptr());
    Py_VISIT(o->functions->adjoint.ptr());
  }
  return 0;
}
int clear(PyObject* self) {
  auto* o = nb::inst_ptr<operator_object>(self);
  if (o->functions) {
    o->functions->apply = nb::none();
    o->functions->adjoint = nb::none();
  }
  return 0;
}
PyType_Slot slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(&traverse)}, {Py_tp_clear, reinterpret_cast<void*>(&clear)}, {0, nullptr}};

}  // namespace

void bind_solve(nb::module_& m) {
  nb::class_<operator_object>(m, "Operator", nb::type_slots(slots), "A matrix as solvers see it.")
      .def_static(
          "from_plan", [](const plan_object& p) { return from_plan(p).release(); }, nb::arg("plan"),
          nb::rv_policy::take_ownership)
      .def_static(
          "from_function",
          [](std::int64_t rows, std::int64_t cols, int type, nb::object apply, nb::object adjoint) {
            return from_function(rows, cols, type, std::move(apply), std::move(adjoint)).release();
          },
          nb::arg("rows"), nb::arg("cols"), nb::arg("type"), nb::arg("apply"), nb::arg("adjoint").none(),
          nb::rv_policy::take_ownership)
      .def_static(
          "preconditioner",
          [](nb::handle parts, const std::string& kind, int threads) {
            return preconditioner(parts, kind, threads).release();
          },
          nb::arg("parts"), nb::arg("kind"), nb::arg("threads") = -1, nb::rv_policy::take_ownership,
          nb::sig("def preconditioner(parts: tuple, kind: str, threads: int = -1) -> Operator"))
      .def_prop_ro(
          "shape", [](const operator_object& o) { return nb::make_tuple(o.rows, o.cols); },
          nb::sig("def shape(self) -> tuple[int, int]"));
  m.def("solve_operator", &solve_operator, nb::arg("a"), nb::arg("method"), nb::arg("b"), nb::arg("x"),
        nb::arg("m").none(), nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("restart"),
        nb::arg("monitor").none(), nb::arg("every"), nb::arg("checkpoint"),
        nb::sig(
            "def solve_operator(a: Operator, method: str, b: object, x: object, m: Operator | None, tolerance: float, "
            "max_iterations: int, restart: int, monitor: object | None, every: bool, checkpoint: str) -> dict"),
        "Solves A x = b in place with one method.");
  m.def("solve_matrix", &solve_matrix, nb::arg("parts"), nb::arg("method"), nb::arg("b"), nb::arg("x"),
        nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("restart"), nb::arg("threads"),
        nb::arg("preconditioner"), nb::arg("monitor").none(), nb::arg("checkpoint"),
        nb::sig(
            "def solve_matrix(parts: tuple, method: str, b: object, x: object, tolerance: float, max_iterations: int, "
            "restart: int, threads: int, preconditioner: str, monitor: object | None, checkpoint: str) -> dict"),
        "Solves A x = b in place; method and preconditioner are chosen where their names are empty.");
}

}  // namespace lacis_python

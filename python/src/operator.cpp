// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "operator.hpp"

#include <cstring>
#include <nanobind/stl/string.h>
#include <shared_mutex>

#include "bind.hpp"
#include "callbacks.hpp"
#include "errors.hpp"
#include "plan.hpp"

namespace lacis_python {

namespace {

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

std::unique_ptr<operator_object> preconditioner(nb::handle parts, const std::string& kind, int threads,
                                                const std::string& cycle, const std::string& smoother) {
  matrix a;
  a.require(parts);
  auto o = std::make_unique<operator_object>();
  o->kind = element_of(a.view.type);
  o->rows = a.view.rows;
  o->cols = a.view.cols;
  lacis_preconditioner_options options = LACIS_INIT(lacis_preconditioner_options);
  options.kind = kind.c_str();
  options.threads = threads < 0 ? default_threads() : threads;
  options.cycle = cycle.empty() ? nullptr : cycle.c_str();
  options.smoother = smoother.empty() ? nullptr : smoother.c_str();
  require_ok(observer().run([&] { return lacis_preconditioner_with(&a.view, &options, &o->made); }));
  return o;
}

// y = A x, or A^H x.
nb::object apply(const operator_object& o, nb::handle x_object, bool adjoint) {
  array x;
  const std::int64_t from = adjoint ? o.rows : o.cols;
  if (!x.open(x_object) || !x.is_vector() || x.kind() != o.kind || x.size() != from) {
    throw nb::type_error("x must be a contiguous vector of the type and the size of the operator");
  }
  nb::object result = new_vector(o.kind, adjoint ? o.cols : o.rows);
  array y;
  if (!y.open(result, true)) throw nb::type_error("the result cannot be written");
  pending_exception::clear();
  lacis_status status = LACIS_OK;
  {
    const nb::gil_scoped_release released;
    status = lacis_operator_apply(o.made, adjoint ? 1 : 0, x.data(), y.data());
  }
  pending_exception::rethrow();
  require_ok(status);
  return result;
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

void bind_operator(nb::module_& m) {
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
          [](nb::handle parts, const std::string& kind, int threads, const std::string& cycle,
             const std::string& smoother) { return preconditioner(parts, kind, threads, cycle, smoother).release(); },
          nb::arg("parts"), nb::arg("kind"), nb::arg("threads") = -1, nb::arg("cycle") = "", nb::arg("smoother") = "",
          nb::rv_policy::take_ownership,
          nb::sig("def preconditioner(parts: tuple[object, ...], kind: str, threads: int = -1, cycle: str = '', "
                  "smoother: str = '') "
                  "-> Operator"))
      .def_prop_ro(
          "shape", [](const operator_object& o) { return nb::make_tuple(o.rows, o.cols); },
          nb::sig("def shape(self) -> tuple[int, int]"))
      .def("apply", &apply, nb::arg("x"), nb::arg("adjoint") = false,
           nb::sig("def apply(self, x: object, adjoint: bool = False) -> object"));
}

}  // namespace lacis_python

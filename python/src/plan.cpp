// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Plans: P @ x goes from Python's slot of the operator straight to lacis_plan_multiply.
#include "plan.hpp"

#include <mutex>
#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "callbacks.hpp"
#include "errors.hpp"
#include "operands.hpp"
#include "owned.hpp"

namespace lacis_python {

plan_object::plan_object(nb::handle parts, const plan_arguments& arguments) : transposed_(arguments.transpose) {
  auto held = std::make_unique<matrix>();
  matrix& a = *held;
  a.require(parts);
  lacis_plan_options options = LACIS_INIT(lacis_plan_options);
  options.expected_uses = arguments.uses;
  options.memory_limit = arguments.memory;
  options.threads = arguments.threads < 0 ? default_threads() : arguments.threads;
  // Of a complex matrix the adjoint: what solvers ask for. A^T x is then the conjugate of A^H times the conjugate of x.
  const bool complex = a.view.type == LACIS_COMPLEX64 || a.view.type == LACIS_COMPLEX128;
  options.transpose = arguments.transpose && !complex ? 1 : 0;
  options.conjugate_transpose = arguments.transpose && complex ? 1 : 0;
  options.tune = arguments.tune ? 1 : 0;
  options.borrow = arguments.borrow ? 1 : 0;
  options.layout = arguments.layout.empty() ? nullptr : arguments.layout.c_str();
  options.device = arguments.device.empty() ? nullptr : arguments.device.c_str();
  require_ok(observer().run([&] { return lacis_plan_make(&a.view, &options, &plan_); }));
  require_ok(lacis_plan_get_facts(plan_, &facts_));
  if (arguments.borrow && std::string_view(facts_.layout) == "csr") borrowed_ = std::move(held);
}

bool plan_object::try_multiply(nb::handle x, bool across, bool exchanged, nb::handle out, nb::object& result) const {
  operands o;
  o.keeps_order = true;
  if (!o.open(x, facts_.type, across ? facts_.cols : facts_.rows, across ? facts_.rows : facts_.cols, exchanged, out)) {
    return false;
  }
  lacis_product_options options = LACIS_INIT(lacis_product_options);
  options.transpose = !across ? 0 : is_complex() ? 2 : 1;
  lacis_status status = LACIS_OK;
  {
    const nb::gil_scoped_release released;
    const std::shared_lock lock(values_);
    status = o.single ? lacis_plan_multiply(plan_, type_of(o.x.kind()), o.x.data(), o.y.data(), &options)
                      : lacis_plan_multiply_dense(plan_, &o.x_dense, &o.y_dense, &options);
  }
  require_ok(status);
  count_product();
  result = std::move(o.result);
  return true;
}

nb::object plan_object::multiply(nb::handle x, bool across, bool exchanged, nb::handle out) const {
  if (across && !transposed_) {
    raise(LACIS_INVALID_ARGUMENT, "this plan does not hold the transpose; make it with lacis.plan(A, transpose=True)");
  }
  nb::object result;
  // Tensors of torch have no buffer; an array shares the memory of `out`.
  if (out.is_valid() && !out.is_none() && PyObject_CheckBuffer(out.ptr()) == 0) {
    const nb::object shared = nb::module_::import_("lacis._arrays").attr("output_array")(out);
    multiply(x, across, exchanged, shared);
    return nb::borrow(out);
  }
  if (try_multiply(x, across, exchanged, out, result)) return result;
  const nb::module_ arrays = nb::module_::import_("lacis._arrays");
  const nb::object converted =
      arrays.attr("operand")(x, dtype_of(element_of(facts_.type)), across ? facts_.rows : facts_.cols, exchanged);
  if (try_multiply(converted, across, exchanged, out, result)) {
    return out.is_valid() && !out.is_none() ? result : nb::object(arrays.attr("like_operand")(x, result));
  }
  raise(LACIS_INVALID_ARGUMENT, "the operand does not fit the plan");
}

void plan_object::update(nb::handle data) {
  array values;
  if (!values.open(data) || !values.is_vector() || values.kind() != element_of(facts_.type)) {
    throw nb::type_error("data must be a contiguous array of the plan's dtype");
  }
  lacis_status status = LACIS_OK;
  std::string message;
  {
    const nb::gil_scoped_release released;
    const std::unique_lock lock(values_);
    status = lacis_plan_update(plan_, values.data(), values.size());
    if (status == LACIS_OK) status = lacis_plan_get_facts(plan_, &facts_);
  }
  require_ok(status);
}

namespace {

nb::list candidates(const plan_object& p) {
  nb::list all;
  const std::int64_t count = lacis_plan_candidates(p.plan());
  for (std::int64_t k = 0; k < count; ++k) {
    lacis_plan_candidate c = LACIS_INIT(lacis_plan_candidate);
    require_ok(lacis_plan_get_candidate(p.plan(), k, &c));
    nb::dict each;
    each["layout"] = c.layout;
    each["values"] = c.values;
    each["storage_bytes"] = c.storage_bytes;
    each["moved_bytes"] = c.moved_bytes;
    each["seconds"] = c.seconds;
    each["conversion_seconds"] = c.conversion_seconds;
    each["measured_seconds"] = c.measured_seconds < 0 ? nb::none() : nb::object(nb::float_(c.measured_seconds));
    each["fits"] = c.fits != 0;
    each["chosen"] = c.chosen != 0;
    each["limit"] = c.limit;
    all.append(each);
  }
  return all;
}

// Exceptions of C++ must not pass through a slot.
template <class Function> PyObject* guarded(Function&& function) {
  try {
    return function().release().ptr();
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(e.type() == nb::exception_type::type_error ? PyExc_TypeError : PyExc_ValueError, e.what());
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

PyObject* matmul(PyObject* left, PyObject* right) {
  if (nb::isinstance<plan_object>(left)) {
    return guarded([&] { return nb::inst_ptr<plan_object>(left)->multiply(right, false, false, nb::handle()); });
  }
  return guarded([&] {
    const auto* p = nb::inst_ptr<plan_object>(right);
    if (!p->is_complex()) return p->multiply(left, true, true, nb::handle());
    return nb::object(nb::module_::import_("lacis._plan").attr("from_the_left")(nb::handle(left), nb::handle(right)));
  });
}

PyType_Slot slots[] = {{Py_nb_matrix_multiply, reinterpret_cast<void*>(&matmul)}, {0, nullptr}};

}  // namespace

void bind_plan(nb::module_& m) {
  nb::class_<plan_object>(m, "Plan", nb::type_slots(slots), nb::is_weak_referenceable(),
                          "A matrix prepared for many products. lacis.plan() makes it.")
      .def(
          "__init__",
          [](plan_object* self, nb::handle parts, double uses, int threads, std::int64_t memory, bool transpose,
             bool tune, const std::string& layout, const std::string& device, bool borrow) {
            new (self) plan_object(parts, {uses, threads, memory, transpose, tune, layout, device, borrow});
          },
          nb::arg("parts"), nb::arg("uses"), nb::arg("threads"), nb::arg("memory"), nb::arg("transpose"),
          nb::arg("tune"), nb::arg("layout"), nb::arg("device"), nb::arg("borrow"),
          nb::sig("def __init__(self, parts: tuple[object, ...], uses: float, threads: int, memory: int, transpose: "
                  "bool, tune: bool, "
                  "layout: str, device: str, borrow: bool) -> None"))
      .def(
          "matvec", [](const plan_object& p, nb::handle x, nb::handle out) { return p.multiply(x, false, false, out); },
          nb::arg("x"), nb::arg("out") = nb::none(),
          nb::sig("def matvec(self, x: object, out: object | None = None) -> object"), "A @ x, into out if given.")
      .def(
          "matmat", [](const plan_object& p, nb::handle x, nb::handle out) { return p.multiply(x, false, false, out); },
          nb::arg("X"), nb::arg("out") = nb::none(),
          nb::sig("def matmat(self, X: object, out: object | None = None) -> object"))
      .def(
          "rmatvec", [](const plan_object& p, nb::handle x, nb::handle out) { return p.multiply(x, true, false, out); },
          nb::arg("x"), nb::arg("out") = nb::none(),
          nb::sig("def rmatvec(self, x: object, out: object | None = None) -> object"),
          "A^H @ x, into out if given; the plan must hold the transpose.")
      .def(
          "rmatmat", [](const plan_object& p, nb::handle x, nb::handle out) { return p.multiply(x, true, false, out); },
          nb::arg("X"), nb::arg("out") = nb::none(),
          nb::sig("def rmatmat(self, X: object, out: object | None = None) -> object"))
      .def("_candidates", &candidates, nb::sig("def _candidates(self) -> list[dict]"))
      .def("_update", &plan_object::update, nb::arg("data"), nb::sig("def _update(self, data: object) -> None"))
      .def(
          "explain", [](const plan_object& p) { return std::string(lacis_plan_explain(p.plan())); },
          "The layout that was chosen, why, and what was done to the matrix.")
      .def_prop_ro(
          "shape", [](const plan_object& p) { return nb::make_tuple(p.facts().rows, p.facts().cols); },
          nb::sig("def shape(self) -> tuple[int, int]"), "Rows and columns.")
      .def_prop_ro(
          "dtype", [](const plan_object& p) { return dtype_of(element_of(p.facts().type)); },
          nb::sig("def dtype(self) -> object"), "Of the values.")
      .def_prop_ro(
          "nnz", [](const plan_object& p) { return p.facts().nnz; }, "Entries, after summing duplicates.")
      .def_prop_ro(
          "nbytes", [](const plan_object& p) { return p.facts().storage_bytes; },
          "Bytes of everything that the plan holds.")
      .def_prop_ro(
          "moved_bytes", [](const plan_object& p) { return p.facts().moved_bytes; },
          "Bytes that one product moves, at least.")
      .def_prop_ro(
          "layout", [](const plan_object& p) { return std::string(p.facts().layout); },
          "How the entries are kept: 'csr', 'sell-8', ...")
      .def_prop_ro("holds_transpose", &plan_object::transposed, "Whether P.T and P.H multiply.");
}

}  // namespace lacis_python

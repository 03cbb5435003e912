// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Plans of distributed matrices, and products with the parts of vectors that this rank holds.
#include <array>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "distributed.hpp"

namespace lacis_python {

namespace {

constexpr std::array exchange_kinds = {lacis::exchange_kind::point_to_point, lacis::exchange_kind::neighbourhood,
                                       lacis::exchange_kind::all_to_all};

// `exchange`: a place in exchange_kinds, or -1 for the fastest.
std::unique_ptr<distributed_plan_object> prepare(const distributed_matrix_object& a, double uses, int threads,
                                                 bool adjoint, std::int64_t memory, int exchange) {
  python_work python;
  lacis::distributed_options options;
  options.threads = threads;
  options.adjoint = adjoint;
  options.expected_uses = uses;
  options.memory_limit = memory;
  if (exchange >= 0) options.exchange = exchange_kinds.at(static_cast<std::size_t>(exchange));
  return collectively(python, [&] {
    const std::scoped_lock taken(*a.order);
    auto made = std::make_unique<distributed_plan_object>();
    made->held = std::visit(
        [&]<class T>(const lacis::distributed_csr<T>& rows) -> any_prepared {
          prepared_product<T> p;
          p.product = std::make_unique<lacis::distributed_matrix<T>>(rows, options);
          p.x = p.product->space().zeros(p.product->cols());
          p.y = p.product->space().zeros(p.product->rows());
          return p;
        },
        a.held);
    made->order = a.order;
    made->has_adjoint = adjoint;
    made->threads = threads;
    return made;
  });
}

// y = A x, or A^H x. The ranks first agree that all of their operands fit: then none waits for one that has raised.
template <class T>
nb::object multiply(const prepared_product<T>& p, turn& order, bool has_adjoint, nb::handle x, bool across,
                    nb::handle out) {
  python_work python;
  array x_array, y_array;
  nb::object converted, result;
  std::span<const T> from;
  const element kind = kind_of<T>();
  const std::int64_t size = across ? p.product->cols() : p.product->rows();
  python.attempt([&] {
    if (across && !has_adjoint)
      raise(LACIS_INVALID_ARGUMENT, "this plan does not hold the adjoint; make it with dist.plan(A, adjoint=True)");
    from = part_of<T>(x, across ? p.product->rows() : p.product->cols(), "x", x_array, converted);
    result = out.is_none() ? new_vector(kind, size) : nb::borrow(out);
    if (!y_array.open(result, true) || !y_array.is_vector() || y_array.kind() != kind || y_array.size() != size) {
      const std::string name = nb::str(dtype_of(kind)).c_str();
      raise(LACIS_INVALID_ARGUMENT,
            "out must be a contiguous " + name + " array of " + std::to_string(size) + " elements that can be written");
    }
  });
  collectively(python, [&] {
    const std::scoped_lock taken(order);
    lacis::vector_space<T>& space = p.product->space();
    space.together(across ? "rmatvec()" : "matvec()", {}, [&] { python.require(); });
    const lacis::space_vector<T>& source = across ? p.y : p.x;
    const lacis::space_vector<T>& target = across ? p.x : p.y;
    space.from_host(from, source);
    if (across)
      p.product->apply_adjoint(source, target);
    else
      p.product->apply(source, target);
    space.to_host(target, {static_cast<T*>(y_array.data()), static_cast<std::size_t>(size)});
  });
  return result;
}

nb::object multiply(const distributed_plan_object& plan, nb::handle x, bool across, nb::handle out) {
  return std::visit([&](const auto& p) { return multiply(p, *plan.order, plan.has_adjoint, x, across, out); },
                    plan.held);
}

nb::dict exchange(const distributed_plan_object& plan) {
  const lacis::exchange_report report = std::visit([](const auto& p) { return p.product->exchange(); }, plan.held);
  const auto name = [](lacis::exchange_kind kind) { return std::string(lacis::name_of(kind)); };
  nb::dict tried;
  for (const auto& [kind, seconds] : report.tried) tried[name(kind).c_str()] = seconds;
  nb::dict found;
  found["kind"] = name(report.kind);
  found["sent_elements"] = report.sent_elements;
  found["received_elements"] = report.received_elements;
  found["neighbours_out"] = report.neighbours_out;
  found["neighbours_in"] = report.neighbours_in;
  found["packs"] = report.packs;
  found["tried_seconds"] = tried;
  return found;
}

}  // namespace

void bind_distributed_plan(nb::module_& m) {
  nb::class_<distributed_plan_object>(m, "Plan", "A distributed matrix prepared for products.")
      .def(
          "multiply",
          [](const distributed_plan_object& p, nb::handle x, bool across, nb::handle out) {
            return multiply(p, x, across, out);
          },
          nb::arg("x"), nb::arg("across"), nb::arg("out").none(),
          nb::sig("def multiply(self, x: object, across: bool, out: object | None) -> object"))
      .def_prop_ro("exchange", &exchange, nb::sig("def exchange(self) -> dict"))
      .def("explain",
           [](const distributed_plan_object& p) {
             return std::visit([](const auto& one) { return one.product->explain(); }, p.held);
           })
      .def_prop_ro("nbytes",
                   [](const distributed_plan_object& p) {
                     return std::visit([](const auto& one) { return one.product->storage_bytes(); }, p.held);
                   })
      .def_prop_ro("holds_adjoint", [](const distributed_plan_object& p) { return p.has_adjoint; });
  m.def("prepare", &prepare, nb::arg("a"), nb::arg("uses"), nb::arg("threads"), nb::arg("adjoint"), nb::arg("memory"),
        nb::arg("exchange"));
  nb::list names;
  for (const lacis::exchange_kind kind : exchange_kinds)
    names.append(nb::str(std::string(lacis::name_of(kind)).c_str()));
  m.attr("exchange_kinds") = nb::tuple(names);
}

}  // namespace lacis_python

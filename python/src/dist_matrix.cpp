// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Distributed matrices: made from files, descriptions and rows; transposed, multiplied, collected.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <optional>

#include "callbacks.hpp"
#include "distributed.hpp"
#include "generated_values.hpp"

namespace lacis_python {

namespace {

using made_matrix = std::unique_ptr<distributed_matrix_object>;

// Called by all ranks: their entries are counted.
made_matrix finished(any_distributed&& made, std::shared_ptr<turn> order) {
  auto object = std::make_unique<distributed_matrix_object>();
  object->held = std::move(made);
  object->entries = std::visit([](const auto& a) { return a.nnz(); }, object->held);
  object->order = std::move(order);
  return object;
}

// Progress that looks at signals: Ctrl-C on one rank ends the work of all.
lacis::progress until_interrupted(python_work& python, observer& watching) {
  return [&](std::string_view stage, double share) {
    if (observer::progress(&watching, std::string(stage).c_str(), share) != 0) python.run([&] { watching.rethrow(); });
  };
}

// make(T{}) with the type of values; called by all ranks. The matrix gets a turn of its own.
template <class Make> made_matrix made(int type, Make make) {
  return finished(with_type(type, make), std::make_shared<turn>());
}

made_matrix read(std::uintptr_t communicator, const std::string& path, int type, bool balance) {
  python_work python;
  observer watching(nb::none(), false);
  lacis::read_options options;
  options.progress = until_interrupted(python, watching);
  return collectively(python, [&] {
    return made(type, [&]<class T>(T) -> any_distributed {
      return lacis::read_distributed<T>(communicator_at(communicator), path, options, {.by_entries = balance});
    });
  });
}

made_matrix generate(std::uintptr_t communicator, const std::string& spec, int type, bool balance, std::uint64_t seed,
                     const std::string& values) {
  python_work python;
  observer watching(nb::none(), false);
  lacis::generate_options options;
  options.seed = seed;
  python.attempt([&] { options.values = values_named(values); });
  options.progress = until_interrupted(python, watching);
  return collectively(python, [&] {
    lacis::together(communicator_at(communicator), [&] { python.require(); });
    return made(type, [&]<class T>(T) -> any_distributed {
      return lacis::generate_distributed<T>(communicator_at(communicator), spec, options, {.by_entries = balance});
    });
  });
}

template <class To, class From> lacis::buffer<To> copied(const void* data, std::int64_t size) {
  const auto* from = static_cast<const From*>(data);
  lacis::buffer<To> made(size);
  for (std::int64_t k = 0; k < size; ++k) made[k] = static_cast<To>(from[k]);
  return made;
}

// Arrays of Python as a matrix of lacis; distribute() looks at what they hold.
template <class T, class Index> lacis::csr_matrix<T, Index> copied(const matrix& a) {
  const lacis_view& view = a.view;
  const std::int64_t count = view.rows + 1;
  return {view.rows, view.cols,
          view.offset_bits == 32 ? copied<std::int64_t, std::int32_t>(view.offsets, count)
                                 : copied<std::int64_t, std::int64_t>(view.offsets, count),
          view.index_bits == 32 ? copied<Index, std::int32_t>(view.indices, view.nnz)
                                : copied<Index, std::int64_t>(view.indices, view.nnz),
          lacis::values_array<T>(lacis::buffer<T>(
              std::span<const T>(static_cast<const T*>(view.values), static_cast<std::size_t>(view.nnz))))};
}

// `type` and `narrow` (32-bit columns) are the same on all ranks.
made_matrix distribute(std::uintptr_t communicator, nb::handle parts, std::int64_t rows, int type, bool narrow,
                       bool balance) {
  python_work python;
  matrix a;
  python.attempt([&] {
    a.require(parts);
    if (a.view.format != LACIS_CSR || a.view.type != type || (narrow && a.view.index_bits != 32))
      throw nb::type_error("the rows are not in the type that the ranks have agreed on");
  });
  return collectively(python, [&] {
    const auto spread = [&]<class T, class Index>(T, Index) -> any_distributed {
      lacis::csr_matrix<T, Index> mine;
      lacis::together(communicator_at(communicator), [&] {
        python.require();
        mine = copied<T, Index>(a);
      });
      return lacis::distribute(communicator_at(communicator), rows, std::move(mine), {.by_entries = balance});
    };
    return made(type, [&](auto zero) { return narrow ? spread(zero, std::int32_t{}) : spread(zero, std::int64_t{}); });
  });
}

made_matrix transpose(const distributed_matrix_object& a, bool conjugate) {
  python_work python;
  return collectively(python, [&] {
    const std::scoped_lock taken(*a.order);
    return finished(
        std::visit([&](const auto& rows) -> any_distributed { return lacis::transpose(rows, conjugate); }, a.held),
        a.order);
  });
}

made_matrix multiply(const distributed_matrix_object& a, const distributed_matrix_object& b) {
  python_work python;
  return collectively(python, [&] {
    const std::scoped_lock taken(*a.order);
    return finished(std::visit(
                        [&]<class T>(const lacis::distributed_csr<T>& left) -> any_distributed {
                          const auto* right = std::get_if<lacis::distributed_csr<T>>(&b.held);
                          if (right == nullptr)
                            throw lacis::error(lacis::errc::invalid_argument, "both matrices must have the same dtype");
                          return lacis::multiply(left, *right);
                        },
                        a.held),
                    a.order);
  });
}

nb::tuple collect(const distributed_matrix_object& a) {
  python_work python;
  lacis::any_csr whole = collectively(python, [&] {
    const std::scoped_lock taken(*a.order);
    return std::visit([](const auto& rows) -> lacis::any_csr { return lacis::collect(rows); }, a.held);
  });
  return arrays_of(std::move(whole));
}

nb::tuple tuple_of(lacis::row_range range) { return nb::make_tuple(range.first, range.last); }

}  // namespace

void bind_distributed_matrix(nb::module_& m) {
  nb::class_<distributed_matrix_object>(m, "Matrix", "A matrix whose rows the ranks share.")
      .def_prop_ro(
          "shape",
          [](const distributed_matrix_object& a) {
            return std::visit([](const auto& rows) { return nb::make_tuple(rows.rows(), rows.cols()); }, a.held);
          },
          nb::sig("def shape(self) -> tuple[int, int]"))
      .def_prop_ro("nnz", [](const distributed_matrix_object& a) { return a.entries; })
      .def_prop_ro(
          "dtype", [](const distributed_matrix_object& a) { return dtype_of(a.kind()); },
          nb::sig("def dtype(self) -> object"))
      .def_prop_ro(
          "own_rows",
          [](const distributed_matrix_object& a) {
            return std::visit([](const auto& rows) { return tuple_of(rows.own_rows()); }, a.held);
          },
          nb::sig("def own_rows(self) -> tuple[int, int]"))
      .def_prop_ro(
          "own_cols",
          [](const distributed_matrix_object& a) {
            return std::visit([](const auto& rows) { return tuple_of(rows.own_cols()); }, a.held);
          },
          nb::sig("def own_cols(self) -> tuple[int, int]"));
  m.def("read", &read, nb::arg("communicator"), nb::arg("path"), nb::arg("type"), nb::arg("balance"));
  m.def("generate", &generate, nb::arg("communicator"), nb::arg("spec"), nb::arg("type"), nb::arg("balance"),
        nb::arg("seed"), nb::arg("values"));
  m.def("distribute", &distribute, nb::arg("communicator"), nb::arg("parts"), nb::arg("rows"), nb::arg("type"),
        nb::arg("narrow"), nb::arg("balance"),
        nb::sig("def distribute(communicator: int, parts: tuple, rows: int, type: int, narrow: bool, balance: bool) -> "
                "Matrix"));
  m.def("transpose", &transpose, nb::arg("a"), nb::arg("conjugate"));
  m.def("multiply", &multiply, nb::arg("a"), nb::arg("b"));
  m.def("collect", &collect, nb::arg("a"), nb::sig("def collect(a: Matrix) -> tuple"),
        "(rows, cols, indptr, indices, data, iso) of the whole matrix, on every rank.");
}

}  // namespace lacis_python

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrices that are used once: A x, A X, x A, A B, copies and transposes.
#include <atomic>
#include <cstdint>

#include "arrays.hpp"
#include "bind.hpp"
#include "callbacks.hpp"
#include "errors.hpp"
#include "operands.hpp"
#include "owned.hpp"
#include "product_memory.hpp"

namespace lacis_python {

namespace {

// How many products lacis computed; tests and reports read them.
std::atomic<std::int64_t> products = 0;
std::atomic<std::int64_t> sparse_products = 0;

// After a product that found the matrix invalid. Rows that do not ascend are not for lacis_multiply, but they are a
// matrix; anything else is the caller's mistake and must not reach code that trusts its arrays.
void require_matrix(const lacis_view& view) {
  require_ok(observer().run([&] { return lacis_check(&view); }));
}

// y = A x or, `exchanged`, y = x A. None: not for lacis as it is; the caller converts, or leaves it to SciPy.
nb::object multiply(nb::handle parts, nb::handle x, bool exchanged, const product_memory* memory, int threads) {
  matrix a;
  if (!a.open(parts)) return nb::none();
  if (exchanged) a.flip();
  operands o;
  if (!o.open(x, a.view.type, a.view.rows, a.view.cols, exchanged)) return nb::none();
  lacis_product_options options = LACIS_INIT(lacis_product_options);
  options.threads = threads < 0 ? default_threads() : threads;
  options.memory = memory == nullptr ? nullptr : memory->get();
  lacis_status status = LACIS_OK;
  if (o.single) {
    const nb::gil_scoped_release released;
    status = lacis_multiply(&a.view, type_of(o.x.kind()), o.x.data(), o.y.data(), &options);
  } else {
    status = observer().run([&] { return lacis_multiply_dense(&a.view, &o.x_dense, &o.y_dense, &options); });
  }
  if (status == LACIS_INVALID_MATRIX) {
    require_matrix(a.view);
    return nb::none();
  }
  require_ok(status);
  products.fetch_add(1, std::memory_order_relaxed);
  return std::move(o.result);
}

// C = A B as (rows, cols, indptr, indices, data, iso); None where rows are not sorted.
nb::object spgemm(nb::handle a_parts, nb::handle b_parts, int threads, std::int64_t memory) {
  matrix a;
  matrix b;
  if (!a.open(a_parts) || !b.open(b_parts)) return nb::none();
  owned_matrix c;
  const lacis_status status = observer().run(
      [&] { return lacis_spgemm(&a.view, &b.view, threads < 0 ? default_threads() : threads, memory, c.address()); });
  if (status == LACIS_INVALID_MATRIX) {
    require_matrix(a.view);
    require_matrix(b.view);
    return nb::none();
  }
  require_ok(status);
  sparse_products.fetch_add(1, std::memory_order_relaxed);
  return c.arrays();
}

void check(nb::handle parts) {
  matrix a;
  a.require(parts);
  require_matrix(a.view);
}

nb::object copy(nb::handle parts) {
  matrix a;
  a.require(parts);
  owned_matrix made;
  require_ok(observer().run([&] { return lacis_copy(&a.view, made.address()); }));
  return made.arrays();
}

nb::object transpose(nb::handle parts, bool conjugate) {
  matrix a;
  a.require(parts);
  owned_matrix made;
  require_ok(observer().run([&] { return lacis_transpose(&a.view, conjugate ? 1 : 0, made.address()); }));
  return made.arrays();
}

// Whether the indices of every range ascend and lie inside: one pass. Of those that ascend, the first and the last are
// inside when all are.
template <class Offset, class Index>
bool ascends_inside(std::int64_t ranges, std::int64_t width, const Offset* offsets, const Index* indices,
                    std::int64_t size) {
  for (std::int64_t i = 0; i < ranges; ++i) {
    const std::int64_t begin = offsets[i];
    const std::int64_t end = offsets[i + 1];
    if (end < begin || end > size) return false;
    for (std::int64_t k = begin + 1; k < end; ++k)
      if (indices[k - 1] >= indices[k]) return false;
    if (begin != end && (indices[begin] < 0 || indices[end - 1] >= width)) return false;
  }
  return true;
}

template <class Offset, class Index>
int order_of(std::int64_t ranges, std::int64_t width, const Offset* offsets, const Index* indices, std::int64_t size) {
  if (offsets[0] != 0) return 3;
  if (ascends_inside(ranges, width, offsets, indices, size)) return 0;
  bool sorted = true;
  for (std::int64_t i = 0; i < ranges; ++i) {
    if (offsets[i + 1] < offsets[i] || offsets[i + 1] > size) return 3;  // SciPy allows arrays with room at their end
    for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      if (indices[k] < 0 || indices[k] >= width) return 3;
      if (k > offsets[i] && indices[k - 1] > indices[k]) sorted = false;
    }
  }
  return sorted ? 1 : 2;
}

// 0: every range strictly ascends; 1: equal neighbours; 2: not sorted; 3: no valid matrix. None: other index types.
nb::object order(std::int64_t ranges, std::int64_t width, nb::handle indptr, nb::handle index) {
  array offsets;
  array indices;
  if (!offsets.open(indptr) || !indices.open(index) || !offsets.is_vector() || !indices.is_vector()) return nb::none();
  if (!is_index(offsets.kind()) || !is_index(indices.kind())) return nb::none();
  if (ranges < 0 || offsets.size() != ranges + 1) return nb::int_(3);
  const auto with = [&]<class Offset>(const Offset* o) {
    return indices.kind() == element::int32
               ? order_of(ranges, width, o, static_cast<const std::int32_t*>(indices.data()), indices.size())
               : order_of(ranges, width, o, static_cast<const std::int64_t*>(indices.data()), indices.size());
  };
  int found = 0;
  observer().run([&] {
    found = offsets.kind() == element::int32 ? with(static_cast<const std::int32_t*>(offsets.data()))
                                             : with(static_cast<const std::int64_t*>(offsets.data()));
  });
  return nb::int_(found);
}

}  // namespace

void count_product() { products.fetch_add(1, std::memory_order_relaxed); }
void count_sparse_product() { sparse_products.fetch_add(1, std::memory_order_relaxed); }

void bind_products(nb::module_& m) {
  nb::class_<product_memory>(
      m, "ProductMemory",
      "What repeated transposed products of a matrix remember. A copy, also a pickled one, is empty.")
      .def(nb::init<>())
      .def("__reduce__", [](nb::handle self) { return nb::make_tuple(self.type(), nb::tuple()); })
      .def_prop_ro("nbytes", &product_memory::bytes, "Bytes that it holds now.");
  m.def("multiply", &multiply, nb::arg("parts"), nb::arg("x"), nb::arg("exchanged") = false,
        nb::arg("memory") = nb::none(), nb::arg("threads") = -1,
        nb::sig("def multiply(parts: tuple, x: object, exchanged: bool = False, memory: ProductMemory | None = None, "
                "threads: int = -1) -> object"),
        "A @ x, or x @ A if exchanged; None where the arrays are not of a kind that lacis reads as they are.");
  m.def("spgemm", &spgemm, nb::arg("a"), nb::arg("b"), nb::arg("threads") = -1, nb::arg("memory") = 0,
        nb::sig("def spgemm(a: tuple, b: tuple, threads: int = -1, memory: int = 0) -> tuple | None"),
        "A @ B for two CSR matrices.");
  m.def("check", &check, nb::arg("parts"), nb::sig("def check(parts: tuple) -> None"),
        "Raises where the arrays are not a matrix.");
  m.def("copy", &copy, nb::arg("parts"), nb::sig("def copy(parts: tuple) -> tuple"),
        "A CSR copy with sorted rows and duplicate entries summed.");
  m.def("transpose", &transpose, nb::arg("parts"), nb::arg("conjugate") = false,
        nb::sig("def transpose(parts: tuple, conjugate: bool = False) -> tuple"), "The transpose as CSR.");
  m.def("order", &order, nb::arg("ranges"), nb::arg("width"), nb::arg("indptr"), nb::arg("indices"),
        nb::sig("def order(ranges: int, width: int, indptr: object, indices: object) -> int | None"),
        "0: indices ascend strictly, 1: with equal neighbours, 2: not sorted, 3: not a matrix.");
  m.def(
      "product_counts",
      [] {
        return nb::make_tuple(products.load(std::memory_order_relaxed),
                              sparse_products.load(std::memory_order_relaxed));
      },
      nb::sig("def product_counts() -> tuple[int, int]"), "Products with dense operands and sparse products so far.");
}

}  // namespace lacis_python

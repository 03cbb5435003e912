// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products behind the names of SciPy's private functions, which add to y: csr_matvec(rows, cols, indptr, indices, data,
// x, y) and its kin (lacis/accelerate.py).
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>

#include "arrays.hpp"
#include "bind.hpp"
#include "errors.hpp"
#include "owned.hpp"
#include "product_memory.hpp"

namespace lacis_python {

namespace {

bool all_zero(const void* data, std::size_t bytes) {
  const auto* first = static_cast<const unsigned char*>(data);
  return bytes == 0 || (*first == 0 && std::memcmp(first, first + 1, bytes - 1) == 0);
}

template <class T> void add(void* to, const void* from, std::int64_t count) {
  auto* y = static_cast<T*>(to);
  const auto* s = static_cast<const T*>(from);
  for (std::int64_t i = 0; i < count; ++i) y[i] += s[i];
}

// Products with a transpose that SciPy computes before a plan of the matrix is made, which costs as much as about 40.
constexpr std::int64_t products_before_a_plan = 64;

// SciPy's matrices have no place for what transposed products remember. The last few are told apart by the addresses of
// their arrays; what is remembered is compared with their content.
class last_matrices {
 public:
  // Counts a product of a; nothing while SciPy computes those of this matrix.
  [[nodiscard]] std::shared_ptr<product_memory> next_product(const lacis_view& a, bool always) {
    const std::scoped_lock lock(mutex_);
    place& p = place_of(a);
    if (++p.products <= products_before_a_plan && !always) return nullptr;
    if (!p.memory) p.memory = std::make_shared<product_memory>();
    return p.memory;
  }
  // Without a plan after the two products that make one, SciPy is faster: the matrix changed, or there is no room.
  void look_at_plan(const lacis_view& a) {
    const std::scoped_lock lock(mutex_);
    place& p = place_of(a);
    if (p.memory && p.products > products_before_a_plan + 1 && p.memory->bytes() == 0) p.products = 0;
  }
  void forget() {
    const std::scoped_lock lock(mutex_);
    for (place& p : places_) p = {};
  }

 private:
  struct place {
    const void* indices = nullptr;
    const void* values = nullptr;
    std::int64_t products = 0;
    std::shared_ptr<product_memory> memory;
  };
  place& place_of(const lacis_view& a) {
    for (place& p : places_)
      if (p.values != nullptr && p.indices == a.indices && p.values == a.values) return p;
    place& oldest = places_[next_++ % std::size(places_)];
    oldest = {a.indices, a.values, 0, nullptr};
    return oldest;
  }
  std::mutex mutex_;
  place places_[4];
  std::size_t next_ = 0;
};
last_matrices remembered;

// y = A x into memory that may hold anything afterwards when it fails.
lacis_status product(const lacis_view& a, std::int64_t vectors, const array& x, lacis_type y_type, void* y,
                     product_memory* memory) {
  lacis_product_options options = LACIS_INIT(lacis_product_options);
  options.threads = default_threads();
  if (memory != nullptr) options.memory = memory->get();
  if (vectors < 0) return lacis_multiply(&a, type_of(x.kind()), x.data(), y, &options);
  lacis_dense from = LACIS_INIT(lacis_dense);
  from.type = type_of(x.kind());
  from.rows = a.cols;
  from.cols = vectors;
  from.row_stride = vectors;
  from.col_stride = 1;
  from.data = x.data();
  lacis_dense to = from;
  to.type = y_type;
  to.rows = a.rows;
  to.data = y;
  return lacis_multiply_dense(&a, &from, &to, &options);
}

// y += A x. False, with y unchanged: not for lacis, or before a plan, so the caller calls SciPy's function.
// vectors = -1: x is a vector. always: also before a plan.
bool accumulate(int format, nb::handle rows, nb::handle cols, std::int64_t vectors, nb::handle indptr,
                nb::handle indices, nb::handle data, nb::handle x_object, nb::handle y_object, bool always) {
  const nb::tuple parts = nb::make_tuple(format, rows, cols, indptr, indices, data);
  matrix a;
  array x;
  array y;
  if (!a.open(parts) || !x.open(x_object) || !y.open(y_object, true) || !x.is_vector() || !y.is_vector()) return false;
  if (!is_value(x.kind()) || !is_value(y.kind())) return false;
  if (element_of(lacis_product_type(a.view.type, type_of(x.kind()))) != y.kind()) return false;
  const std::int64_t width = vectors < 0 ? 1 : vectors;
  if (x.size() != a.view.cols * width || y.size() != a.view.rows * width) return false;
  const nb::gil_scoped_release released;
  std::shared_ptr<product_memory> memory;
  if (a.view.format == LACIS_CSC) {
    memory = remembered.next_product(a.view, always);
    if (!memory) return false;
  }
  const auto multiply = [&](void* to) {
    const lacis_status status = product(a.view, vectors, x, type_of(y.kind()), to, memory.get());
    if (memory) remembered.look_at_plan(a.view);
    return status == LACIS_OK;
  };
  const std::size_t bytes = static_cast<std::size_t>(y.size()) * static_cast<std::size_t>(bytes_of(y.kind()));
  // SciPy's own calls begin with zeros; then the product goes to its place, and zeros come back should it fail.
  if (all_zero(y.data(), bytes)) {
    if (multiply(y.data())) {
      count_product();
      return true;
    }
    std::memset(y.data(), 0, bytes);
    return false;
  }
  const std::unique_ptr<unsigned char[]> sum(new (std::nothrow) unsigned char[bytes + 1]);
  if (!sum || !multiply(sum.get())) return false;
  // Complex numbers are pairs of real ones.
  const bool single = y.kind() == element::float32 || y.kind() == element::complex64;
  const auto reals = static_cast<std::int64_t>(bytes / (single ? 4 : 8));
  single ? add<float>(y.data(), sum.get(), reals) : add<double>(y.data(), sum.get(), reals);
  count_product();
  return true;
}

}  // namespace

void bind_sparsetools(nb::module_& m) {
  m.def("accumulate", &accumulate, nb::arg("format"), nb::arg("rows"), nb::arg("cols"), nb::arg("vectors"),
        nb::arg("indptr"), nb::arg("indices"), nb::arg("data"), nb::arg("x"), nb::arg("y"), nb::arg("always"),
        nb::sig("def accumulate(format: int, rows: int, cols: int, vectors: int, indptr: object, indices: object, "
                "data: object, "
                "x: object, y: object, always: bool) -> bool"),
        "y += A x in place; False, with y unchanged, where lacis does not do it, or, but for always, before a plan.");
  m.def(
      "forget_matrices", [] { remembered.forget(); }, nb::sig("def forget_matrices() -> None"),
      "Frees what accumulate() remembers of matrices.");
}

}  // namespace lacis_python

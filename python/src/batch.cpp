// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Many small systems of one pattern: products and solutions.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nanobind/stl/string.h>
#include <string>

#include "arrays.hpp"
#include "bind.hpp"
#include "errors.hpp"

namespace lacis_python {

namespace {

// One pattern; values, operands and results with one row per system.
struct batch {
  matrix a;
  array values, from, to;
  std::int64_t systems = 0;
  std::int64_t bytes = 0;  // of one number

  batch(nb::handle parts, nb::handle numbers, nb::handle operand, nb::handle result) {
    a.require(parts);
    if (!is_table(values, numbers, false) || !is_table(from, operand, false) || !is_table(to, result, true) ||
        !is_value(values.kind()) || from.kind() != values.kind() || to.kind() != values.kind()) {
      throw nb::type_error("values and vectors of a batch must be contiguous, of one type, with one row per system");
    }
    systems = values.extent(0);
    bytes = bytes_of(values.kind());
    a.view.type = type_of(values.kind());
    a.view.values = values.data();
    if (from.extent(0) != systems || to.extent(0) != systems || values.extent(1) != a.view.nnz ||
        from.extent(1) != a.view.cols || to.extent(1) != a.view.rows) {
      throw nb::value_error("values and vectors of a batch do not fit its pattern, or each other");
    }
  }

  static bool is_table(array& all, nb::handle object, bool writable) {
    return all.open(object, writable) && all.is_matrix() && all.is_c_contiguous();
  }
  // The matrices from system `first` on.
  [[nodiscard]] lacis_view matrices(std::int64_t first) const {
    lacis_view view = a.view;
    view.values = static_cast<const char*>(view.values) + first * view.nnz * bytes;
    return view;
  }
  // The vector of system `first`, `each` elements long.
  [[nodiscard]] char* at(const array& all, std::int64_t first, std::int64_t each) const {
    return static_cast<char*>(all.data()) + first * each * bytes;
  }
};

// work(first, count) without the GIL, for systems a part at a time, so that Ctrl-C ends a long batch. Parts grow until
// one takes some hundredths of a second; no system depends on the part that it is in.
template <class Work> void in_parts(std::int64_t systems, Work&& work) {
  using clock = std::chrono::steady_clock;
  std::int64_t most = 64;
  std::int64_t first = 0;
  do {
    const std::int64_t count = std::min(most, systems - first);
    const auto begin = clock::now();
    lacis_status status = LACIS_OK;
    {
      const nb::gil_scoped_release released;
      status = work(first, count);
    }
    require_ok(status);
    first += count;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
    if (seconds < 0.02) most *= 2;
    if (seconds > 0.05) most = std::max<std::int64_t>(most / 2, 16);
  } while (first < systems);
}

void multiply_batch(nb::handle parts, nb::handle values, nb::handle x, nb::handle y, int threads) {
  const batch all(parts, values, x, y);
  in_parts(all.systems, [&](std::int64_t first, std::int64_t count) {
    const lacis_view view = all.matrices(first);
    return lacis_multiply_batch(&view, count, all.at(all.from, first, view.cols), all.at(all.to, first, view.rows),
                                threads < 0 ? default_threads() : threads);
  });
}

// An array of NumPy with one element per system.
struct per_system {
  nb::object made;
  array all;
  per_system(element kind, std::int64_t systems) : made(new_vector(kind, systems)) {
    if (!all.open(made, true)) throw nb::type_error("numpy.empty gave no array");
  }
  template <class T> [[nodiscard]] T* from(std::int64_t first) const { return static_cast<T*>(all.data()) + first; }
};

nb::dict solve_batch(nb::handle parts, nb::handle values, const std::string& method, nb::handle b, nb::handle x,
                     double tolerance, std::int64_t max_iterations, int threads, const std::string& preconditioner) {
  const batch all(parts, values, b, x);
  lacis_batch_options options = LACIS_INIT(lacis_batch_options);
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.threads = threads < 0 ? default_threads() : threads;
  options.preconditioner = preconditioner.c_str();
  const per_system outcomes(element::int32, all.systems);
  const per_system iterations(element::int64, all.systems);
  const per_system residuals(element::float64, all.systems);
  std::int64_t first_unsolved = -1;
  std::int64_t alone = 0;
  double seconds = 0;
  std::string reason;
  in_parts(all.systems, [&](std::int64_t first, std::int64_t count) {
    const lacis_view view = all.matrices(first);
    lacis_batch_report report = LACIS_INIT(lacis_batch_report);
    report.outcomes = outcomes.from<std::int32_t>(first);
    report.iterations = iterations.from<std::int64_t>(first);
    report.true_residuals = residuals.from<double>(first);
    const lacis_status status = lacis_solve_batch(&view, count, method.c_str(), all.at(all.from, first, view.rows),
                                                  all.at(all.to, first, view.rows), &options, &report);
    if (status == LACIS_OK && first_unsolved < 0 && report.first_unsolved >= 0) {
      first_unsolved = first + report.first_unsolved;
      reason = report.reason;
    }
    alone += report.alone;
    seconds += report.seconds;
    return status;
  });
  nb::dict result;
  result["outcomes"] = outcomes.made;
  result["iterations"] = iterations.made;
  result["residuals"] = residuals.made;
  result["first_unsolved"] = first_unsolved;
  result["alone"] = alone;
  result["seconds"] = seconds;
  result["reason"] = reason;
  return result;
}

}  // namespace

void bind_batch(nb::module_& m) {
  m.def("multiply_batch", &multiply_batch, nb::arg("parts"), nb::arg("values"), nb::arg("x"), nb::arg("y"),
        nb::arg("threads"),
        nb::sig("def multiply_batch(parts: tuple, values: object, x: object, y: object, threads: int) -> None"),
        "y_s = A_s x_s for matrices of one pattern: that of parts.");
  m.def("solve_batch", &solve_batch, nb::arg("parts"), nb::arg("values"), nb::arg("method"), nb::arg("b"), nb::arg("x"),
        nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("threads"), nb::arg("preconditioner"),
        nb::sig("def solve_batch(parts: tuple, values: object, method: str, b: object, x: object, tolerance: float, "
                "max_iterations: int, threads: int, preconditioner: str) -> dict"),
        "Solves A_s x_s = b_s in place for matrices of one pattern: that of parts.");
}

}  // namespace lacis_python

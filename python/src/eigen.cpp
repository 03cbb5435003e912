// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and singular values of operators.
#include <cmath>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "callbacks.hpp"
#include "errors.hpp"
#include "operator.hpp"

namespace lacis_python {

namespace {

// A search reports more than once in an iteration that takes long: the history has one number of each.
struct follower {
  observer& watching;
  std::int64_t last = 0;
  static int monitor(void* self, std::int64_t iteration, double residual) {
    auto& f = *static_cast<follower*>(self);
    if (iteration == f.last) return f.watching.report(iteration, residual) ? 1 : 0;
    f.last = iteration;
    return observer::monitor(&f.watching, iteration, residual);
  }
};

// Options of a search; what it refers to lives as long as this.
class search {
 public:
  search(const operator_object& a, std::int64_t count, nb::dict how) : a_(a), count_(count) {
    part_ = nb::cast<std::string>(how["part"]);
    method_ = nb::cast<std::string>(how["method"]);
    if (!part_.empty()) options_.part = part_.c_str();
    if (!method_.empty()) options_.method = method_.c_str();
    options_.tolerance = nb::cast<double>(how["tolerance"]);
    options_.absolute_tolerance = nb::cast<double>(how["absolute_tolerance"]);
    options_.max_iterations = nb::cast<std::int64_t>(how["max_iterations"]);
    options_.vectors = nb::cast<std::int64_t>(how["vectors"]);
    options_.preconditioner = other(how["preconditioner"]);
    options_.b = other(how["b"]);
    begin_with(how["start"]);
  }

  // An array for the columns of the result.
  nb::object columns(std::int64_t rows, array& opened) {
    nb::object made = new_matrix(a_.kind, rows, count_, true);
    require_open(opened, made);
    return made;
  }

  // Runs `find(values, options, report)` without the GIL and gives what it reports.
  template <class Find> nb::dict run(nb::handle monitor, bool every, Find&& find) {
    observer watching(monitor, every);
    follower following{watching};
    options_.monitor = &follower::monitor;
    options_.user = &following;
    array values, residuals, converged;
    nb::dict result;
    result["values"] = numbers(element::float64, values);
    result["residuals"] = numbers(element::float64, residuals);
    result["is_converged"] = numbers(element::int32, converged);
    lacis_eigen_report report = LACIS_INIT(lacis_eigen_report);
    report.residuals = static_cast<double*>(residuals.data());
    report.converged = static_cast<std::int32_t*>(converged.data());
    require_ok(watching.run([&] { return find(static_cast<double*>(values.data()), options_, report); }));
    result["outcome"] = static_cast<int>(report.outcome);
    result["iterations"] = report.iterations;
    result["products"] = report.products;
    result["hash"] = report.hash;
    result["seconds"] = report.seconds;
    result["method"] = report.method;
    result["reason"] = report.reason;
    // Lanczos knows nothing before its basis is full.
    for (double& one : watching.history)
      if (std::isinf(one)) one = std::nan("");
    const auto size = static_cast<std::int64_t>(watching.history.size());
    result["history"] = copied_vector(element::float64, watching.history.data(), size);
    return result;
  }

 private:
  static void require_open(array& opened, nb::handle made) {
    if (!opened.open(made, true)) throw nb::type_error("the result cannot be written");
  }
  nb::object numbers(element kind, array& opened) const {
    nb::object made = new_vector(kind, count_);
    require_open(opened, made);
    return made;
  }

  const lacis_operator* other(nb::handle given) {
    if (given.is_none()) return nullptr;
    const auto& made = nb::cast<const operator_object&>(given);
    if (made.kind != a_.kind) throw nb::type_error("the preconditioner or B has another type than the matrix");
    return made.made;
  }

  void begin_with(nb::handle given) {
    if (given.is_none()) return;
    if (!start_.open(given) || !start_.is_matrix() || start_.kind() != a_.kind) {
      throw nb::type_error("start vectors must be the columns of an array of the type of A");
    }
    dense_.type = type_of(start_.kind());
    dense_.rows = start_.extent(0);
    dense_.cols = start_.extent(1);
    dense_.row_stride = start_.stride(0);
    dense_.col_stride = start_.stride(1);
    dense_.data = start_.data();
    options_.start = &dense_;
  }

  const operator_object& a_;
  std::int64_t count_;
  std::string part_;
  std::string method_;
  array start_;
  lacis_dense dense_ = LACIS_INIT(lacis_dense);
  lacis_eigen_options options_ = LACIS_INIT(lacis_eigen_options);
};

void require_count(std::int64_t count) {
  if (count < 1) raise(LACIS_INVALID_ARGUMENT, "k must be at least 1, not " + std::to_string(count));
}

nb::dict eigs(const operator_object& a, std::int64_t pairs, nb::dict how, nb::handle monitor, bool every) {
  require_count(pairs);
  search looking(a, pairs, how);
  array opened;
  nb::object vectors = looking.columns(a.rows, opened);
  nb::dict result =
      looking.run(monitor, every, [&](double* values, const lacis_eigen_options& options, lacis_eigen_report& report) {
        return lacis_eigs(a.made, pairs, values, opened.data(), &options, &report);
      });
  result["vectors"] = vectors;
  return result;
}

nb::dict svds(const operator_object& a, std::int64_t count, nb::dict how, nb::handle monitor, bool every) {
  require_count(count);
  search looking(a, count, how);
  array of_left, of_right;
  nb::object left = looking.columns(a.rows, of_left);
  nb::object right = looking.columns(a.cols, of_right);
  nb::dict result =
      looking.run(monitor, every, [&](double* values, const lacis_eigen_options& options, lacis_eigen_report& report) {
        return lacis_svds(a.made, count, values, of_left.data(), of_right.data(), &options, &report);
      });
  result["left"] = left;
  result["right"] = right;
  return result;
}

}  // namespace

void bind_eigen(nb::module_& m) {
  m.def("eigs", &eigs, nb::arg("a"), nb::arg("pairs"), nb::arg("how"), nb::arg("monitor").none(), nb::arg("every"),
        nb::sig("def eigs(a: Operator, pairs: int, how: dict, monitor: object | None, every: bool) -> dict"),
        "Eigenvalues, ascending, with their vectors in columns.");
  m.def("svds", &svds, nb::arg("a"), nb::arg("count"), nb::arg("how"), nb::arg("monitor").none(), nb::arg("every"),
        nb::sig("def svds(a: Operator, count: int, how: dict, monitor: object | None, every: bool) -> dict"),
        "Singular values, the largest first, with their vectors in columns.");
}

}  // namespace lacis_python

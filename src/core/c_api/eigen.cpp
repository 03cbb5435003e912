// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and singular values, in C.
#include <cstring>
#include <limits>

#include <lacis/eigs.hpp>

#include "c_api/names.hpp"
#include "c_api/objects.hpp"
#include "c_api/operands.hpp"

using namespace lacis;
using namespace lacis::c_api;

namespace {

/// What both searches read of the caller's options.
template <class T, class Options> Options shared_options(const lacis_eigen_options& given) {
  Options options;
  if (given.tolerance != 0) options.tolerance = given.tolerance;
  options.max_iterations = given.max_iterations;
  options.vectors = given.vectors;
  if (given.start != nullptr) {
    const lacis_dense start = read_struct(given.start, "lacis_dense");
    require(start.type == type_of<T>, "start vectors have the type of A");
    require(start.rows >= 0 && start.cols >= 0, "the sizes of the start vectors are not negative");
    require(start.data != nullptr || start.rows == 0 || start.cols == 0, "the data of the start vectors is NULL");
    options.start = {static_cast<const T*>(start.data), start.rows, start.cols, start.row_stride, start.col_stride};
  }
  if (given.monitor != nullptr)
    options.monitor = [monitor = given.monitor, user = given.user](const eigen_progress& at) {
      return monitor(user, at.iteration, at.residual) == 0;
    };
  return options;
}

/// `found` and then, as far as it goes, what stands for nothing.
template <class T, class Found> void write_all(T* to, std::int64_t count, const Found& found, T nothing) {
  if (to == nullptr) return;
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = i < static_cast<std::int64_t>(found.size()) ? static_cast<T>(found[static_cast<std::size_t>(i)]) : nothing;
}
template <class T> void write_vectors(void* to, std::int64_t size, const buffer<T>& found) {
  if (to == nullptr) return;
  std::memset(to, 0, static_cast<std::size_t>(size) * sizeof(T));
  if (found.size() > 0) std::memcpy(to, found.data(), static_cast<std::size_t>(found.size()) * sizeof(T));
}

/// Values and report of either result.
template <class Result>
void fill(const Result& found, std::int64_t count, std::int64_t products, std::string_view method, double* values,
          lacis_eigen_report all, lacis_eigen_report* given) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  write_all(values, count, found.values, nothing);
  write_all(all.residuals, count, found.residuals, nothing);
  write_all(all.converged, count, found.is_converged, std::int32_t{0});
  all.outcome = static_cast<lacis_solve_outcome>(found.outcome);
  all.iterations = found.iterations;
  all.products = products;
  all.hash = found.hash;
  all.seconds = found.seconds;
  all.method[method.copy(all.method, sizeof(all.method) - 1)] = '\0';
  all.reason[found.reason.copy(all.reason, sizeof(all.reason) - 1)] = '\0';
  write_struct(all, given, "lacis_eigen_report");
}

}  // namespace

lacis_status lacis_eigs(const lacis_operator* a, int64_t pairs, double* values, void* vectors,
                        const lacis_eigen_options* options, lacis_eigen_report* report) {
  return guarded([&] {
    const lacis_eigen_report arrays = read_struct(&required(report, "report"), "lacis_eigen_report");
    required(values, "values");
    const lacis_eigen_options given = read_struct(options, "lacis_eigen_options");
    std::visit(
        [&]<class T>(const std::shared_ptr<linear_operator<T>>& typed) {
          auto wanted = shared_options<T, eigen_options<T>>(given);
          if (given.part != nullptr) wanted.part = named<eigen_part>(given.part, eigen_parts, "part");
          if (given.method != nullptr) wanted.method = named<eigen_method>(given.method, eigen_methods, "method");
          wanted.absolute_tolerance = given.absolute_tolerance;
          if (given.checkpoint != nullptr) wanted.checkpoint = given.checkpoint;
          wanted.preconditioner = same_type<T>(given.preconditioner, "the preconditioner has the type of A");
          wanted.b = same_type<T>(given.b, "B has the type of A");
          const eigen_result<T> found = eigs<T>(*typed, pairs, wanted);
          write_vectors(vectors, typed->rows() * pairs, found.vectors);
          fill(found, pairs, found.products, name_of(found.method), values, arrays, report);
        },
        required(a, "the operator").typed);
  });
}

lacis_status lacis_svds(const lacis_operator* a, int64_t count, double* values, void* left, void* right,
                        const lacis_eigen_options* options, lacis_eigen_report* report) {
  return guarded([&] {
    const lacis_eigen_report arrays = read_struct(&required(report, "report"), "lacis_eigen_report");
    required(values, "values");
    const lacis_eigen_options given = read_struct(options, "lacis_eigen_options");
    require(given.preconditioner == nullptr && given.b == nullptr,
            "singular values are found without a preconditioner and without B");
    std::visit(
        [&]<class T>(const std::shared_ptr<linear_operator<T>>& typed) {
          auto wanted = shared_options<T, singular_options<T>>(given);
          if (given.part != nullptr) wanted.part = named<eigen_part>(given.part, eigen_parts, "part");
          if (given.method != nullptr) wanted.method = named<singular_method>(given.method, singular_methods, "method");
          const singular_result<T> found = svds<T>(*typed, count, wanted);
          write_vectors(left, typed->rows() * count, found.left);
          write_vectors(right, typed->cols() * count, found.right);
          fill(found, count, 2 * found.iterations, name_of(found.method), values, arrays, report);
        },
        required(a, "the operator").typed);
  });
}

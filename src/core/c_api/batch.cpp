// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Many small systems of one pattern, in C.
#include <lacis/batch.hpp>

#include "base/checked.hpp"
#include "c_api/names.hpp"
#include "c_api/objects.hpp"
#include "c_api/operands.hpp"

using namespace lacis;
using namespace lacis::c_api;

namespace {

/// The pattern of a batch; its values are those of all systems.
lacis_view checked_batch(const lacis_view* a, std::int64_t systems) {
  const lacis_view view = checked_view(a);
  require(view.format == LACIS_CSR, "the matrices of a batch are in CSR; those in CSC are the transposes");
  require(view.iso == 0, "every system of a batch has its own values: iso of the lacis_view is 0");
  require(systems >= 0, "the number of systems is not negative");
  return view;
}

/// f(rows, values of all systems)
template <class F> void with_systems(const lacis_view& a, std::int64_t systems, F&& f) {
  const std::int64_t entries = detail::checked_multiply(systems, a.nnz, "the entries of a batch");
  with_stored_rows(a, [&](const auto& rows) {
    using T = typename std::remove_cvref_t<decltype(rows)>::value_type;
    f(rows, std::span(static_cast<const T*>(a.values), static_cast<std::size_t>(entries)));
  });
}

batch_options options_of(const lacis_batch_options& given, const char* method) {
  batch_options options;
  options.method = named<batch_method>(&required(method, "method"), batch_methods, "method of batches");
  if (given.preconditioner != nullptr)
    options.preconditioner =
        named<batch_preconditioner>(given.preconditioner, batch_preconditioners, "preconditioner of batches");
  if (given.tolerance != 0) options.tolerance = given.tolerance;
  options.max_iterations = given.max_iterations;
  options.threads = given.threads;
  return options;
}

/// What became of the systems, in the caller's structure and arrays. Systems without rows are in no report of C++:
/// they are solved.
void fill(const batch_report& found, std::int64_t systems, lacis_batch_report all, lacis_batch_report* given) {
  all.unsolved = found.unsolved();
  all.first_unsolved = -1;
  all.alone = found.alone;
  all.seconds = found.seconds;
  all.reason[0] = '\0';
  const system_report solved = {solve_outcome::converged, 0, 0, 0, {}};
  for (std::int64_t s = 0; s < systems; ++s) {
    const system_report& one = found.systems.empty() ? solved : found.systems[static_cast<std::size_t>(s)];
    if (all.outcomes != nullptr) all.outcomes[s] = static_cast<std::int32_t>(one.outcome);
    if (all.iterations != nullptr) all.iterations[s] = one.iterations;
    if (all.residuals != nullptr) all.residuals[s] = one.residual;
    if (all.true_residuals != nullptr) all.true_residuals[s] = one.true_residual;
    if (!one.converged() && all.first_unsolved < 0) {
      all.first_unsolved = s;
      all.reason[one.reason.copy(all.reason, sizeof(all.reason) - 1)] = '\0';
    }
  }
  write_struct(all, given, "lacis_batch_report");
}

}  // namespace

lacis_status lacis_multiply_batch(const lacis_view* a, int64_t systems, const void* x, void* y, int threads) {
  return guarded([&] {
    with_systems(checked_batch(a, systems), systems, [&](const auto& rows, const auto& values) {
      using T = typename std::remove_cvref_t<decltype(rows)>::value_type;
      const auto vectors = [&](auto* data, std::int64_t each, const char* name) {
        return vector_at<T>(data, detail::checked_multiply(systems, each, "the vectors of a batch"), name);
      };
      multiply_batch(rows, values, vectors(x, rows.cols, "x"), vectors(y, rows.rows, "y"),
                     {.threads = threads_at_most(threads, systems * (rows.rows + a->nnz)), .isa = {}});
    });
  });
}

lacis_status lacis_solve_batch(const lacis_view* a, int64_t systems, const char* method, const void* b, void* x,
                               const lacis_batch_options* options, lacis_batch_report* report) {
  return guarded([&] {
    const lacis_batch_report arrays = read_struct(&required(report, "report"), "lacis_batch_report");
    const batch_options wanted = options_of(read_struct(options, "lacis_batch_options"), method);
    with_systems(checked_batch(a, systems), systems, [&](const auto& rows, const auto& values) {
      using T = typename std::remove_cvref_t<decltype(rows)>::value_type;
      if constexpr (is_complex<T>) {
        throw error(errc::unsupported, "batches are solved in float and double; solve complex systems one by one");
      } else {
        const std::int64_t elements = detail::checked_multiply(systems, rows.rows, "the vectors of a batch");
        const auto found =
            solve_batch(rows, values, vector_at<T>(b, elements, "b"), vector_at<T>(x, elements, "x"), wanted);
        fill(found, systems, arrays, report);
      }
    });
  });
}

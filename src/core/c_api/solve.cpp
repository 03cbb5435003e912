// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operators and solvers, in C.
#include <optional>

#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/solve_auto.hpp>

#include "c_api/names.hpp"
#include "c_api/objects.hpp"
#include "c_api/operands.hpp"

using namespace lacis;
using namespace lacis::c_api;

namespace {

solve_method method_named(const char* name) { return named<solve_method>(name, solve_methods, "method"); }
preconditioner_kind kind_named(const char* name) {
  return named<preconditioner_kind>(name, preconditioner_kinds, "preconditioner");
}

/// What either options give for multigrid.
template <class Given> multigrid_options multigrid_of(const Given& given, std::optional<preconditioner_kind> kind) {
  require((given.cycle == nullptr && given.smoother == nullptr) || kind == preconditioner_kind::amg,
          "cycle and smoother are of amg");
  multigrid_options options;
  if (given.cycle != nullptr) options.cycle = named<multigrid_cycle>(given.cycle, multigrid_cycles, "cycle");
  if (given.smoother != nullptr)
    options.smoother = named<multigrid_smoother>(given.smoother, multigrid_smoothers, "smoother");
  return options;
}

preconditioner_options options_of(const lacis_preconditioner_options& given) {
  preconditioner_options options;
  options.kind = kind_named(given.kind != nullptr ? given.kind : "amg");
  options.threads = given.threads;
  options.multigrid = multigrid_of(given, options.kind);
  return options;
}

solve_options options_of(const lacis_solve_options& given) {
  solve_options options;
  if (given.tolerance != 0) options.tolerance = given.tolerance;
  options.max_iterations = given.max_iterations;
  if (given.restart != 0) options.restart = given.restart;
  if (given.checkpoint != nullptr) options.checkpoint = given.checkpoint;
  if (given.monitor != nullptr)
    options.monitor = [monitor = given.monitor, user = given.user](const solve_progress& at) {
      return monitor(user, at.iteration, at.residual) == 0;
    };
  return options;
}

void fill(const solve_report& report, const std::string& method, lacis_solve_report* given) {
  static_assert(static_cast<int>(solve_outcome::out_of_range) == LACIS_SOLVE_OUT_OF_RANGE);
  lacis_solve_report all = LACIS_INIT(lacis_solve_report);
  all.outcome = static_cast<lacis_solve_outcome>(report.outcome);
  all.iterations = report.iterations;
  all.residual = report.residual;
  all.true_residual = report.true_residual;
  all.seconds = report.seconds;
  method.copy(all.method, sizeof(all.method) - 1);
  report.reason.copy(all.reason, sizeof(all.reason) - 1);
  write_struct(all, given, "lacis_solve_report");
}

/// The caller's function as one of vectors.
template <class T> std::function<void(std::span<const T>, std::span<T>)> function_of(lacis_apply apply, void* user) {
  if (apply == nullptr) return {};
  return [=](std::span<const T> x, std::span<T> y) {
    if (apply(user, x.data(), y.data()) != 0) throw stopped{};
  };
}

void make(const lacis_view* a, const lacis_preconditioner_options& given, lacis_operator** made) {
  preconditioner_options options = options_of(given);
  with_csr(checked_view(a), [&](const auto& rows) {
    options.threads = threads_at_most(options.threads, rows.rows + rows.nnz());
    using T = typename std::remove_cvref_t<decltype(rows)>::value_type;
    give(made, lacis_operator::of<T>(make_preconditioner(rows, options)));
  });
}

void require_report(lacis_solve_report* report) {
  require_struct_size(required(report, "report").struct_size, "lacis_solve_report");
}

}  // namespace

lacis_status lacis_operator_from_plan(const lacis_plan* plan, lacis_operator** made) {
  return guarded([&] {
    required(made, "made");
    std::visit(
        [&]<class Value, class Index>(const lacis::plan<Value, Index>& typed) {
          give(made, lacis_operator::of<Value>(make_operator(typed)));
        },
        required(plan, "plan").typed);
  });
}

lacis_status lacis_operator_from_function(int64_t rows, int64_t cols, lacis_type type, lacis_apply apply,
                                          lacis_apply adjoint, void* user, lacis_operator** made) {
  return guarded([&] {
    required(made, "made");
    require(apply != nullptr, "apply is NULL");
    with_type(type, [&](auto value) {
      using T = decltype(value);
      give(made, lacis_operator::of<T>(
                     make_operator<T>(rows, cols, function_of<T>(apply, user), function_of<T>(adjoint, user))));
    });
  });
}

lacis_status lacis_preconditioner(const lacis_view* a, const char* kind, int threads, lacis_operator** made) {
  return guarded([&] {
    required(made, "made");
    required(kind, "kind");
    lacis_preconditioner_options options = LACIS_INIT(lacis_preconditioner_options);
    options.kind = kind;
    options.threads = threads;
    make(a, options, made);
  });
}

lacis_status lacis_preconditioner_with(const lacis_view* a, const lacis_preconditioner_options* options,
                                       lacis_operator** made) {
  return guarded([&] {
    required(made, "made");
    make(a, read_struct(options, "lacis_preconditioner_options"), made);
  });
}

lacis_status lacis_operator_apply(const lacis_operator* a, int adjoint, const void* x, void* y) {
  return guarded([&] {
    std::visit(
        [&]<class T>(const std::shared_ptr<linear_operator<T>>& typed) {
          const std::int64_t from = adjoint != 0 ? typed->rows() : typed->cols();
          const std::int64_t to = adjoint != 0 ? typed->cols() : typed->rows();
          const auto given = vector_at<T>(x, from, "x");
          const auto wanted = vector_at<T>(y, to, "y");
          vector_space<T>& space = typed->space();
          const space_vector<T> in = space.zeros(from);
          const space_vector<T> out = space.zeros(to);
          space.from_host(given, in);
          adjoint != 0 ? typed->apply_adjoint(in, out) : typed->apply(in, out);
          space.to_host(out, wanted);
        },
        required(a, "the operator").typed);
  });
}

void lacis_operator_free(lacis_operator* made) { delete made; }

lacis_status lacis_solve(const lacis_view* a, const char* method, const void* b, void* x,
                         const lacis_solve_options* options, lacis_solve_report* report) {
  return guarded([&] {
    require_report(report);
    const lacis_solve_options given = read_struct(options, "lacis_solve_options");
    auto_options wanted;
    wanted.solve = options_of(given);
    wanted.threads = given.threads;
    if (given.device != nullptr) wanted.device = device_named(given.device);
    if (method != nullptr && std::string_view(method) == "direct")
      wanted.direct = true;
    else if (method != nullptr)
      wanted.method = method_named(method);
    if (given.preconditioner != nullptr && std::string_view(given.preconditioner) == "none")
      wanted.no_preconditioner = true;
    else if (given.preconditioner != nullptr)
      wanted.preconditioner = kind_named(given.preconditioner);
    wanted.multigrid = multigrid_of(given, wanted.preconditioner);
    with_csr(checked_view(a), [&](const auto& rows) {
      using T = typename std::remove_cvref_t<decltype(rows)>::value_type;
      require_valid(rows);
      wanted.threads = threads_at_most(wanted.threads, rows.rows + rows.nnz());
      const auto_report found =
          solve_auto(rows, vector_at<T>(b, rows.rows, "b"), vector_at<T>(x, rows.cols, "x"), wanted);
      fill(found.result(), name_of(found.attempts.back().choice), report);
    });
  });
}

lacis_status lacis_solve_operator(const lacis_operator* a, const char* method, const void* b, void* x,
                                  const lacis_operator* preconditioner, const lacis_solve_options* options,
                                  lacis_solve_report* report) {
  return guarded([&] {
    require_report(report);
    required(method, "method");
    const solve_options wanted = options_of(read_struct(options, "lacis_solve_options"));
    std::visit(
        [&]<class T>(const std::shared_ptr<linear_operator<T>>& typed) {
          const auto* nearly_inverse = same_type<T>(preconditioner, "the preconditioner has the type of A");
          const solve_report found = solve<T>(method_named(method), *typed, vector_at<T>(b, typed->rows(), "b"),
                                              vector_at<T>(x, typed->cols(), "x"), wanted, nearly_inverse);
          fill(found, method, report);
        },
        required(a, "the operator").typed);
  });
}

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Iterative refinement (Wilkinson 1963; Higham, Accuracy and Stability, chapter 12): corrections in single precision.
#include "solve/refine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>

#include "base/text.hpp"
#include "solve/scaled_system.hpp"
#include "solve/tolerance.hpp"
#include "summation/environment.hpp"
#include "summation/parallel.hpp"

namespace lacis {
namespace {

using clock = std::chrono::steady_clock;

/// What a correction is asked for: as many digits as the narrow type carries safely.
constexpr double digits_of_a_correction = 1e-4;

template <value T> class refinement {
 public:
  using narrow = narrow_of<T>;

  refinement(solve_method method, const linear_operator<T>& a, const linear_operator<narrow>& inner, int exponent,
             std::span<const T> b, std::span<T> x, const solve_options& options,
             const linear_operator<narrow>* preconditioner)
      : method_(method),
        inner_(inner),
        exponent_of_inner_(exponent),
        preconditioner_(preconditioner),
        x_(x),
        options_(solver::settled<T>(options)),
        system_(a, nullptr, b, x) {}

  solve_report go() {
    using kind = typename solver::scaled_system<T>::kind;
    const auto begin = clock::now();
    const summation::rounding_guard guard;
    const kind what = system_.bring_in(false);
    if (what == kind::ordinary) {
      correct();
      system_.take_out(options_.tolerance, report_,
                       [&](const space_vector<T>&, double length) { return length / system_.norm_of_b(); });
    } else {
      std::fill(x_.begin(), x_.end(), T(0));
      report_.true_residual = what == kind::zero ? 0 : 1;
      if (what == kind::zero)
        end(solve_outcome::converged, "b is zero, and so is x");
      else
        end(solve_outcome::broke_down, "products with A are not finite: entries are infinite or not numbers");
    }
    for (solve_share& share : system_.ops().shares()) add(std::move(share));
    report_.residual = report_.true_residual;
    report_.seconds = std::chrono::duration<double>(clock::now() - begin).count();
    return report_;
  }

 private:
  void end(solve_outcome outcome, std::string reason) {
    report_.outcome = outcome;
    report_.reason = std::move(reason);
  }

  void correct() {
    auto& ops = system_.ops();
    const auto rows = static_cast<std::size_t>(ops.rows());
    buffer<T> wide(ops.rows());
    const auto x_before = ops.zeros(ops.cols());
    std::vector<narrow> r(rows);
    std::vector<narrow> d(rows);
    solver::verdict now = system_.judge(options_.tolerance);
    for (int round = 1;; ++round) {
      report_.true_residual = now.residual;
      if (now.reaches(options_.tolerance))
        return end(solve_outcome::converged,
                   detail::text("the true residual is ", report_.true_residual, " after ", round - 1, " corrections"));
      if (now.error <= options_.tolerance)
        return end(solve_outcome::stagnated,
                   detail::text("the residual is within the tolerance, but its own rounding errors are about ",
                                now.rounding, ": relax the tolerance, or scale the rows of A"));
      if (!std::isfinite(now.residual)) return end(solve_outcome::broke_down, "the residual is not finite");
      // Near one, where the narrow type has its range.
      int exponent = 0;
      std::frexp(report_.true_residual * system_.norm_of_b(), &exponent);
      ops.space().to_host(system_.r(), wide);
      const T down = T(std::ldexp(real_of<T>(1), -exponent));
      summation::parallel_for(
          ops.rows(), [&](std::int64_t i) { r[static_cast<std::size_t>(i)] = static_cast<narrow>(wide[i] * down); });
      std::fill(d.begin(), d.end(), narrow(0));
      const solve_report inner = solve<narrow>(method_, inner_, r, d, options_of_inner(), preconditioner_);
      take(inner);
      summation::parallel_for(ops.cols(),
                              [&](std::int64_t i) { wide[i] = static_cast<T>(d[static_cast<std::size_t>(i)]); });
      ops.copy(system_.x(), x_before);
      ops.space().from_host(wide, system_.r());
      ops.scale_by_power(system_.r(), exponent + ops.exponent_of_a() - exponent_of_inner_);
      ops.axpy(T(1), system_.r(), system_.x());
      const double before = now.residual;
      now = system_.judge(options_.tolerance);
      if (!(now.residual <= before)) {
        ops.copy(x_before, system_.x());
        return end(solve_outcome::stagnated,
                   "corrections in the narrow type do not help: the matrix is too ill-conditioned for mixed precision");
      }
      report_.true_residual = now.residual;
      if (inner.outcome == solve_outcome::stopped) return end(solve_outcome::stopped, inner.reason);
      if (now.error <= options_.tolerance) continue;
      if (report_.iterations >= most())
        return end(solve_outcome::max_iterations,
                   detail::text("did not converge in ", report_.iterations, " iterations"));
      if (now.residual > before / 2)
        return end(solve_outcome::stagnated, inner.converged()
                                                 ? "corrections in the narrow type hardly help: the matrix is too "
                                                   "ill-conditioned for mixed precision"
                                                 : inner.reason);
    }
  }

  [[nodiscard]] std::int64_t most() const {
    return options_.max_iterations > 0 ? options_.max_iterations
                                       : std::max<std::int64_t>(1000, 10 * system_.unknowns());
  }

  [[nodiscard]] solve_options options_of_inner() {
    solve_options inner = options_;
    inner.tolerance = std::max(digits_of_a_correction, options_.tolerance / report_.true_residual / 2);
    inner.max_iterations = most() - report_.iterations;
    inner.checkpoint.clear();
    if (options_.monitor)
      inner.monitor = [this](const solve_progress& now) {
        return options_.monitor({report_.iterations + now.iteration, report_.true_residual * now.residual});
      };
    return inner;
  }

  void take(const solve_report& inner) {
    for (const double residual : inner.history) report_.history.push_back(report_.true_residual * residual);
    report_.iterations += inner.iterations;
    for (const solve_share& share : inner.shares)
      add({"inner " + share.operation, share.calls, share.seconds, share.moved_bytes});
  }

  void add(solve_share share) {
    const auto known = std::find_if(report_.shares.begin(), report_.shares.end(),
                                    [&](const solve_share& one) { return one.operation == share.operation; });
    if (known == report_.shares.end()) {
      report_.shares.push_back(std::move(share));
      return;
    }
    known->calls += share.calls;
    known->seconds += share.seconds;
    known->moved_bytes += share.moved_bytes;
  }

  solve_method method_;
  const linear_operator<narrow>& inner_;
  int exponent_of_inner_;  ///< the inner matrix is A over that power of two
  const linear_operator<narrow>* preconditioner_;
  std::span<T> x_;
  const solve_options options_;
  solver::scaled_system<T> system_;
  solve_report report_;
};

}  // namespace

template <value T>
solve_report solver::refine(solve_method method, const linear_operator<T>& a,
                            const linear_operator<narrow_of<T>>& narrow, int exponent, std::span<const T> b,
                            std::span<T> x, const solve_options& options,
                            const linear_operator<narrow_of<T>>* preconditioner) {
  const auto rows = static_cast<std::size_t>(a.rows());
  if (a.rows() != a.cols() || narrow.rows() != a.rows() || narrow.cols() != a.cols() || b.size() != rows ||
      x.size() != rows)
    throw error(errc::invalid_argument,
                detail::text("refinement is for square systems of one size: A is ", a.rows(), " x ", a.cols(), " and ",
                             narrow.rows(), " x ", narrow.cols(), ", b has ", b.size(), " elements and x ", x.size()));
  if (!options.checkpoint.empty()) throw error(errc::invalid_argument, "refinement keeps no checkpoints");
  return refinement<T>(method, a, narrow, exponent, b, x, options, preconditioner).go();
}

template <value T>
solve_report solve_refined(solve_method method, const linear_operator<T>& a,
                           const linear_operator<narrow_of<T>>& narrow, std::span<const T> b, std::span<T> x,
                           const solve_options& options, const linear_operator<narrow_of<T>>* preconditioner) {
  return solver::refine(method, a, narrow, 0, b, x, options, preconditioner);
}

#define LACIS_INSTANTIATE(T)                                                                                           \
  template solve_report solver::refine(solve_method, const linear_operator<T>&, const linear_operator<narrow_of<T>>&,  \
                                       int, std::span<const T>, std::span<T>, const solve_options&,                    \
                                       const linear_operator<narrow_of<T>>*);                                          \
  template LACIS_API solve_report solve_refined(                                                                       \
      solve_method, const linear_operator<T>&, const linear_operator<narrow_of<T>>&, std::span<const T>, std::span<T>, \
      const solve_options&, const linear_operator<narrow_of<T>>*);
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis

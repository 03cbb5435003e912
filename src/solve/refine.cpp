// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Iterative refinement (Wilkinson 1963; Higham, Accuracy and Stability, chapter 12): corrections with half the digits.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>
#include <lacis/solve.hpp>
#include <lacis/vector.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "solve/operations.hpp"
#include "summation/environment.hpp"

namespace lacis {
namespace {

using clock = std::chrono::steady_clock;

/// What a correction is asked for: as many digits as the narrow type carries safely.
constexpr double digits_of_a_correction = 1e-4;

template <value T> class refinement {
 public:
  using narrow = narrow_of<T>;

  refinement(solve_method method, const linear_operator<T>& a, const linear_operator<narrow>& inner,
             std::span<const T> b, std::span<T> x, const solve_options& options,
             const linear_operator<narrow>* preconditioner)
      : method_(method),
        inner_(inner),
        preconditioner_(preconditioner),
        b_(b),
        x_(x),
        options_(options),
        ops_(a, nullptr) {}

  solve_report go() {
    const auto begin = clock::now();
    const summation::rounding_guard guard;
    const double size = static_cast<double>(norm(b_));
    if (!std::isfinite(size)) throw error(errc::invalid_argument, "b has elements that are not finite");
    if (size == 0) {
      std::fill(x_.begin(), x_.end(), T(0));
      report_.outcome = solve_outcome::converged;
      report_.reason = "b is zero, and so is x";
      return report_;
    }
    b_there_ = ops_.zeros(ops_.rows());
    x_there_ = ops_.zeros(ops_.cols());
    r_there_ = ops_.zeros(ops_.rows());
    ops_.space().from_host(b_, b_there_);
    ops_.space().from_host(x_, x_there_);
    correct(size);
    ops_.space().to_host(x_there_, x_);
    for (solve_share& share : ops_.shares()) add(std::move(share));
    report_.residual = report_.true_residual;
    report_.seconds = std::chrono::duration<double>(clock::now() - begin).count();
    return report_;
  }

 private:
  void end(solve_outcome outcome, std::string reason) {
    report_.outcome = outcome;
    report_.reason = std::move(reason);
  }

  double residual(double size) {
    ops_.residual(b_there_, x_there_, r_there_);
    return std::sqrt(static_cast<double>(ops_.square(r_there_))) / size;
  }

  void correct(double size) {
    const auto rows = static_cast<std::size_t>(ops_.rows());
    buffer<T> wide(ops_.rows());
    std::vector<narrow> r(rows);
    std::vector<narrow> d(rows);
    report_.true_residual = residual(size);
    for (int round = 1;; ++round) {
      if (report_.true_residual <= options_.tolerance)
        return end(solve_outcome::converged,
                   detail::text("the true residual is ", report_.true_residual, " after ", round - 1, " corrections"));
      // Near one, where the narrow type has its range.
      int exponent = 0;
      std::frexp(report_.true_residual * size, &exponent);
      ops_.space().to_host(r_there_, wide);
      const T down = T(std::ldexp(real_of<T>(1), -exponent));
      detail::parallel_for(
          ops_.rows(), [&](std::int64_t i) { r[static_cast<std::size_t>(i)] = static_cast<narrow>(wide[i] * down); });
      std::fill(d.begin(), d.end(), narrow(0));
      const solve_report inner = solve<narrow>(method_, inner_, r, d, options_of_inner(), preconditioner_);
      take(inner);
      const T up = T(std::ldexp(real_of<T>(1), exponent));
      detail::parallel_for(ops_.cols(),
                           [&](std::int64_t i) { wide[i] = static_cast<T>(d[static_cast<std::size_t>(i)]) * up; });
      ops_.space().from_host(wide, r_there_);
      ops_.axpy(T(1), r_there_, x_there_);
      const double before = report_.true_residual;
      const double now = residual(size);
      if (!(now <= before)) {
        ops_.space().from_host(wide, r_there_);
        ops_.axpy(T(-1), r_there_, x_there_);
        return end(
            solve_outcome::stagnated,
            "corrections with half the digits do not help: the matrix is too ill-conditioned; leave --mixed out");
      }
      report_.true_residual = now;
      if (inner.outcome == solve_outcome::stopped) return end(solve_outcome::stopped, inner.reason);
      if (now <= options_.tolerance) continue;
      if (report_.iterations >= most())
        return end(solve_outcome::iterations, detail::text("not there after ", report_.iterations, " iterations"));
      if (now > before / 2)
        return end(solve_outcome::stagnated, inner.converged()
                                                 ? "corrections with half the digits hardly help: the matrix is too "
                                                   "ill-conditioned; leave --mixed out"
                                                 : inner.reason);
    }
  }

  [[nodiscard]] std::int64_t most() const {
    return options_.max_iterations > 0 ? options_.max_iterations : std::max<std::int64_t>(1000, 10 * ops_.cols());
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
  const linear_operator<narrow>* preconditioner_;
  std::span<const T> b_;
  std::span<T> x_;
  const solve_options& options_;
  solver::operations<T> ops_;
  space_vector<T> b_there_;
  space_vector<T> x_there_;
  space_vector<T> r_there_;
  solve_report report_;
};

}  // namespace

template <value T>
solve_report solve_refined(solve_method method, const linear_operator<T>& a,
                           const linear_operator<narrow_of<T>>& narrow, std::span<const T> b, std::span<T> x,
                           const solve_options& options, const linear_operator<narrow_of<T>>* preconditioner) {
  const auto rows = static_cast<std::size_t>(a.rows());
  if (a.rows() != a.cols() || narrow.rows() != a.rows() || narrow.cols() != a.cols() || b.size() != rows ||
      x.size() != rows)
    throw error(errc::invalid_argument,
                detail::text("refinement is for square systems of one size: A is ", a.rows(), " x ", a.cols(), " and ",
                             narrow.rows(), " x ", narrow.cols(), ", b has ", b.size(), " elements and x ", x.size()));
  if (!options.checkpoint.empty()) throw error(errc::invalid_argument, "refinement keeps no checkpoints");
  return refinement<T>(method, a, narrow, b, x, options, preconditioner).go();
}

#define LACIS_INSTANTIATE(T)                                                                                           \
  template LACIS_API solve_report solve_refined(                                                                       \
      solve_method, const linear_operator<T>&, const linear_operator<narrow_of<T>>&, std::span<const T>, std::span<T>, \
      const solve_options&, const linear_operator<narrow_of<T>>*);
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis

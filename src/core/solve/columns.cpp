// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients for several right-hand sides: the columns that are not done share a product.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <lacis/error.hpp>
#include <lacis/solve.hpp>
#include <lacis/vector.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "plan/layout.hpp"
#include "solve/scaled_system.hpp"
#include "solve/tolerance.hpp"
#include "summation/environment.hpp"

namespace lacis {
namespace {

/// One right-hand side on its way: vectors in host memory, the scalars of the recurrence.
template <class T> struct column {
  using real = real_of<T>;
  std::int64_t number = 0;
  std::span<const T> given;
  std::span<T> result;
  int exponent = 0;
  double norm = 0;
  std::vector<T> r;
  std::vector<T> x;
  real rho = 0;
  bool goes_alone = false;  ///< it is zero, out of the range of the recurrence, or that broke down
};

template <class T> T scaled(T value, int exponent) {
  if constexpr (is_complex<T>)
    return {std::ldexp(value.real(), exponent), std::ldexp(value.imag(), exponent)};
  else
    return std::ldexp(value, exponent);
}

template <value T, index Index> class column_solver {
 public:
  using real = real_of<T>;

  column_solver(const plan<T, Index>& a, const dense_view<const T>& b, const dense_view<T>& x,
                const solve_options& options)
      : plan_(a),
        options_(solver::settled<T>(options)),
        how_{a.internals()->options.threads, a.internals()->set},
        reports_(static_cast<std::size_t>(b.cols)) {
    const auto n = static_cast<std::size_t>(a.rows());
    for (std::int64_t j = 0; j < b.cols; ++j) {
      column<T> one;
      one.number = j;
      one.given = {b.data + j * b.col_stride, n};
      one.result = {x.data + j * x.col_stride, n};
      columns_.push_back(std::move(one));
    }
    directions_.resize(n * columns_.size());
    images_.resize(n * columns_.size());
  }

  std::vector<solve_report> go() {
    const auto begin = std::chrono::steady_clock::now();
    const summation::rounding_guard guard;
    for (column<T>& one : columns_) start(one);
    std::int64_t iteration = 0;
    const std::int64_t most =
        options_.max_iterations > 0 ? options_.max_iterations : std::max<std::int64_t>(1000, 10 * plan_.cols());
    while (pack() > 0 && iteration < most && step(++iteration)) {
    }
    for (column<T>& one : columns_) finish(one);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (solve_report& report : reports_) report.seconds = seconds;
    return std::move(reports_);
  }

 private:
  [[nodiscard]] std::span<T> direction(std::size_t place) { return part(directions_, place); }
  [[nodiscard]] std::span<T> image(std::size_t place) { return part(images_, place); }
  [[nodiscard]] std::span<T> part(std::vector<T>& all, std::size_t place) {
    const auto n = static_cast<std::size_t>(plan_.rows());
    return {all.data() + place * n, n};
  }

  void start(column<T>& one) {
    const double norm = static_cast<double>(lacis::norm(one.given, how_));
    if (!std::isfinite(norm) || norm == 0) {
      one.goes_alone = true;
      return;
    }
    std::frexp(norm, &one.exponent);
    one.norm = std::ldexp(norm, -one.exponent);
    one.x.assign(one.result.begin(), one.result.end());
    for (T& value : one.x) value = scaled(value, -one.exponent);
    one.r.resize(one.x.size());
    multiply(plan_, one.x, one.r, memory_);
    std::vector<T> b(one.given.begin(), one.given.end());
    for (T& value : b) value = scaled(value, -one.exponent);
    axpby(T(1), b, T(-1), one.r, how_);
    one.rho = std::real(dotc(one.r, one.r, how_));
    active_.push_back(&one);
    std::copy(one.r.begin(), one.r.end(), direction(active_.size() - 1).begin());
  }

  [[nodiscard]] bool is_there(const column<T>& one) const {
    return static_cast<double>(std::sqrt(one.rho)) / one.norm <= options_.tolerance;
  }

  /// Moves the directions of columns that go on to the front; how many there are.
  std::size_t pack() {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (active_[k]->goes_alone || is_there(*active_[k])) continue;
      if (kept != k) std::copy(direction(k).begin(), direction(k).end(), direction(kept).begin());
      active_[kept++] = active_[k];
    }
    active_.resize(kept);
    return kept;
  }

  bool step(std::int64_t iteration) {
    const auto count = static_cast<std::int64_t>(active_.size());
    const std::int64_t n = plan_.rows();
    const dense_view<const T> p{directions_.data(), n, count, 1, n};
    const dense_view<T> q{images_.data(), n, count, 1, n};
    multiply(plan_, p, q, memory_);
    double worst = 0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      column<T>& one = *active_[k];
      solve_report& report = reports_[static_cast<std::size_t>(one.number)];
      const real curvature = std::real(dotc(direction(k), image(k), how_));
      if (!(curvature > 0)) {
        one.goes_alone = true;
        continue;
      }
      const T alpha(one.rho / curvature);
      axpy(-alpha, image(k), one.r, how_);
      const real rho = std::real(dotc(one.r, one.r, how_));
      axpy(alpha, direction(k), one.x, how_);
      axpby(T(1), one.r, T(rho / one.rho), direction(k), how_);
      one.rho = rho;
      report.iterations = iteration;
      report.residual = static_cast<double>(std::sqrt(rho)) / one.norm;
      report.history.push_back(report.residual);
      worst = std::max(worst, report.residual);
    }
    return !options_.monitor || options_.monitor({iteration, worst});
  }

  /// The verdict on a column. Where the recurrence broke down, or the true residual denies what it says, the column
  /// goes on alone.
  void finish(column<T>& one) {
    solve_report& report = reports_[static_cast<std::size_t>(one.number)];
    const auto alone = make_operator(plan_);
    if (!one.goes_alone) {
      const bool is_finite = std::isfinite(lacis::norm(one.x, how_));
      for (std::size_t i = 0; i < one.x.size(); ++i) one.result[i] = is_finite ? scaled(one.x[i], one.exponent) : T(0);
      solver::scaled_system<T> system(*alone, nullptr, one.given, one.result);
      static_cast<void>(system.bring_in(false));
      const solver::verdict found = system.judge(options_.tolerance);
      report.true_residual = found.residual;
      if (found.reaches(options_.tolerance)) {
        report.outcome = solve_outcome::converged;
        report.reason = detail::text("the true residual is ", report.true_residual);
        return;
      }
      if (!is_there(one)) {
        report.outcome = solve_outcome::max_iterations;
        report.reason = detail::text("did not converge in ", report.iterations, " iterations");
        return;
      }
    }
    const std::int64_t before = report.iterations;
    const std::vector<double> history = std::move(report.history);
    report = solve<T>(solve_method::cg, *alone, one.given, one.result, options_);
    report.iterations += before;
    report.history.insert(report.history.begin(), history.begin(), history.end());
  }

  const plan<T, Index>& plan_;
  const solve_options options_;
  multiply_options how_;
  std::vector<column<T>> columns_;
  std::vector<column<T>*> active_;
  std::vector<T> directions_;  ///< of the active columns, one after the other
  std::vector<T> images_;
  std::vector<solve_report> reports_;
  workspace memory_;
};

}  // namespace

template <value T, index Index>
std::vector<solve_report> solve_columns(const plan<T, Index>& a, const dense_view<const T>& b, const dense_view<T>& x,
                                        const solve_options& options) {
  if (a.rows() != a.cols() || b.rows != a.rows() || x.rows != a.rows() || b.cols != x.cols)
    throw error(errc::invalid_argument, detail::text("A is ", a.rows(), " x ", a.cols(), ", B ", b.rows, " x ", b.cols,
                                                     " and X ", x.rows, " x ", x.cols));
  if ((b.rows > 1 && b.row_stride != 1) || (x.rows > 1 && x.row_stride != 1))
    throw error(errc::invalid_argument, "the columns of B and X must be contiguous; see column_major()");
  return column_solver<T, Index>(a, b, x, options).go();
}

#define LACIS_INSTANTIATE(T, Index)                                                                             \
  template LACIS_API std::vector<solve_report> solve_columns(const plan<T, Index>&, const dense_view<const T>&, \
                                                             const dense_view<T>&, const solve_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis

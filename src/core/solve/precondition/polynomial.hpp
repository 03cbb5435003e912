// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Chebyshev polynomial in D^-1 A that is small on the upper part of its spectrum, as smoothers take it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/operator.hpp>

#include "base/text.hpp"
#include "solve/methods/spectrum.hpp"
#include "solve/operations.hpp"
#include "solve/precondition/spare_vectors.hpp"
#include "summation/environment.hpp"

namespace lacis::solver {

/// One step of Chebyshev's iteration: d = of_residual D^-1 r + of_direction d.
template <value T> struct chebyshev_step {
  T of_residual;
  T of_direction;
};

/// p(A) over products with A and with the inverse of its diagonal, in any space.
template <value T> class polynomial {
 public:
  using vector = space_vector<T>;
  /// All steps at once, for k = 1, 2, ...: q = A d, r = r - q, d as the step says, y = y + d. What it leaves in r, d
  /// and q does not matter.
  using all_steps = std::function<void(std::span<const chebyshev_step<T>> steps, const vector& r, const vector& d,
                                       const vector& q, const vector& y)>;

  /// Both operators must outlive it. Bounds of the spectrum of D^-1 A: 0 for those that are to be estimated. Without
  /// `fused` steps are taken one by one over the operators.
  polynomial(const linear_operator<T>& a, const linear_operator<T>& diagonal, int degree, interval bounds = {},
             all_steps fused = {})
      : a_(a), diagonal_(diagonal), degree_(degree), fused_(std::move(fused)), scratch_(a.space(), a.rows()) {
    if (degree < 1) throw error(errc::invalid_argument, "a Chebyshev preconditioner has a degree of 1 at least");
    spectrum_ = bounds.largest > 0 ? bounds : interval{0, estimate()};
    if (!(spectrum_.smallest > 0)) spectrum_.smallest = spectrum_.largest / 30;
    if (!(spectrum_.smallest < spectrum_.largest))
      throw error(errc::invalid_argument, "chebyshev: the smallest eigenvalue must be less than the largest");
    const summation::rounding_guard guard;
    using real = real_of<T>;
    const auto middle = static_cast<real>((spectrum_.largest + spectrum_.smallest) / 2);
    const auto half = static_cast<real>((spectrum_.largest - spectrum_.smallest) / 2);
    first_ = T(1 / middle);
    real rho = half / middle;
    for (int k = 1; k < degree; ++k) {
      const real next = 1 / (2 * middle / half - rho);
      steps_.push_back({T(2 * next / half), T(next * rho)});
      rho = next;
    }
  }

  [[nodiscard]] std::string describe() const {
    return detail::text("Chebyshev polynomial of degree ", degree_, " between ", spectrum_.smallest, " and ",
                        spectrum_.largest);
  }

  /// y = p(A) x: `degree` steps of Chebyshev's iteration from y = 0.
  void apply(const vector& x, const vector& y) const {
    auto& all = a_.space();
    const auto scratch = scratch_.take();
    const vector& r = scratch[0];
    const vector& d = scratch[1];
    const vector& q = scratch[2];
    all.axpby(T(1), x, T(0), r);
    diagonal_.apply(r, d);
    all.axpby(T(0), d, first_, d);
    all.axpby(T(1), d, T(0), y);
    if (fused_) return fused_(steps_, r, d, q, y);
    for (const chebyshev_step<T>& step : steps_) {
      a_.apply(d, q);
      all.axpby(T(-1), q, T(1), r);
      diagonal_.apply(r, q);
      all.axpby(step.of_residual, q, step.of_direction, d);
      all.axpby(T(1), d, T(1), y);
    }
  }

 private:
  /// The largest eigenvalue of D^-1 A.
  [[nodiscard]] double estimate() const {
    const linear_operator<T>& a = a_;
    auto& all = a.space();
    const auto scratch = scratch_.take();
    const vector& r = scratch[0];
    // A right-hand side that has something of every eigenvector.
    const auto first = static_cast<std::size_t>(all.place(r).first);
    std::vector<T> start(static_cast<std::size_t>(a.rows()));
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = T(static_cast<real_of<T>>(1 + (first + i) * 7 % 13) / 16);
    all.from_host(start, r);
    const summation::rounding_guard guard;
    operations<T> ops(a, &diagonal_);
    const interval found = estimate_spectrum(ops, r, 20);
    if (!(found.largest > 0))
      throw error(errc::invalid_matrix, "chebyshev: the matrix is not positive definite; use jacobi or ilu0");
    return found.largest;
  }

  const linear_operator<T>& a_;
  const linear_operator<T>& diagonal_;
  int degree_;
  all_steps fused_;
  interval spectrum_;
  T first_ = T(1);
  std::vector<chebyshev_step<T>> steps_;
  spare_vectors<T, 3> scratch_;
};

}  // namespace lacis::solver

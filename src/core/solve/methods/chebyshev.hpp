// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Chebyshev's iteration (Golub and Varga 1961; Saad, algorithm 12.1) between two bounds of the spectrum.
#pragma once

#include "solve/methods/iteration.hpp"
#include "solve/methods/spectrum.hpp"

namespace lacis::solver {

template <value T> class chebyshev final : public iteration<T> {
 public:
  using typename iteration<T>::vector;
  using typename iteration<T>::real;

  chebyshev(operations<T>& ops, const vector& b, const vector& x, const solve_options& options)
      : iteration<T>(ops, b, x),
        spectrum_{options.smallest_eigenvalue, options.largest_eigenvalue},
        r_(ops.zeros(ops.rows())),
        d_(ops.zeros(ops.rows())),
        q_(ops.zeros(ops.rows())) {
    if (ops.is_preconditioned()) z_ = ops.zeros(ops.rows());
  }

  void start() override {
    if (spectrum_.largest <= 0) spectrum_ = estimate_spectrum(ops_, b_);
    ops_.residual(b_, x_, r_);
    square_ = ops_.square(r_);
    ops_.precondition(r_, d_);
    ops_.scale(T(1 / middle()), d_);
    rho_ = half_width() / middle();
  }

  bool step() override {
    if (!(spectrum_.smallest > 0))
      return this->break_down("the spectrum reaches zero: the matrix is not positive definite");
    ops_.apply(d_, q_);
    square_ = ops_.axpy_and_square(T(-1), q_, r_);
    ops_.axpy(T(1), d_, x_);
    if (!std::isfinite(square_)) return this->break_down("it diverges: the spectrum is wider than its bounds");
    const real rho = 1 / (2 * middle() / half_width() - rho_);
    if (ops_.is_preconditioned()) ops_.precondition(r_, z_);
    ops_.axpby(T(2 * rho / half_width()), ops_.is_preconditioned() ? z_ : r_, T(rho * rho_), d_);
    rho_ = rho;
    return true;
  }

  [[nodiscard]] real residual() const override { return std::sqrt(square_); }

  void exchange(archive<T>& state) override {
    for (const vector* v : {&r_, &d_}) state.vector(*v);
    state.number(rho_);
    state.number(square_);
    state.number(spectrum_.smallest);
    state.number(spectrum_.largest);
  }

 private:
  using iteration<T>::ops_;
  using iteration<T>::b_;
  using iteration<T>::x_;

  [[nodiscard]] real middle() const { return static_cast<real>((spectrum_.largest + spectrum_.smallest) / 2); }
  [[nodiscard]] real half_width() const { return static_cast<real>((spectrum_.largest - spectrum_.smallest) / 2); }

  interval spectrum_;
  vector r_;
  vector d_;
  vector q_;
  vector z_;
  real rho_ = 0;
  real square_ = 0;
};

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Minimal residuals (Paige and Saunders 1975; Elman, Silvester and Wathen, Finite Elements and Fast Iterative Solvers,
// algorithm 4.1).
#pragma once

#include <utility>

#include "solve/methods/iteration.hpp"
#include "solve/scalars.hpp"

namespace lacis::solver {

/// With a preconditioner the residual that shrinks in every step is that in the preconditioner's norm.
template <value T> class minres final : public iteration<T> {
 public:
  using typename iteration<T>::vector;
  using typename iteration<T>::real;

  minres(operations<T>& ops, const vector& b, const vector& x) : iteration<T>(ops, b, x) {
    for (vector* v : {&v_, &v_before_, &w_, &w_before_, &q_, &z_}) *v = ops.zeros(ops.rows());
  }

  void start() override {
    ops_.residual(b_, x_, v_);
    const real square = ops_.square(v_);
    ops_.clear(v_before_);
    ops_.clear(w_);
    ops_.clear(w_before_);
    ops_.precondition(v_, z_);
    gamma_ = std::sqrt(ops_.is_preconditioned() ? std::real(ops_.dot(z_, v_)) : square);
    gamma_before_ = 1;
    eta_ = gamma_;
    scale_ = gamma_ > 0 ? std::sqrt(square) / gamma_ : real(0);
    cosine_ = cosine_before_ = 1;
    sine_ = sine_before_ = 0;
  }

  bool step() override {
    if (!(gamma_ > 0) || !std::isfinite(gamma_))
      return this->break_down(ops_.is_preconditioned()
                                  ? "r^H M r is not positive: the preconditioner is not positive definite"
                                  : "the residual is zero or not finite");
    ops_.scale(T(1 / gamma_), z_);
    const real delta = std::real(ops_.apply_and_dot(z_, q_));
    // The next vector of the Lanczos basis takes the place of the one before last.
    ops_.axpby(T(1), q_, T(-(gamma_ / gamma_before_)), v_before_);
    ops_.axpy(T(-(delta / gamma_)), v_, v_before_);
    std::swap(v_, v_before_);
    ops_.copy(z_, q_);
    ops_.precondition(v_, z_);
    const real gamma = std::sqrt(std::real(ops_.dot(z_, v_)));

    const real diagonal = cosine_ * delta - cosine_before_ * sine_ * gamma_;
    const real length = length_of(diagonal, gamma);
    const real above = sine_ * delta + cosine_before_ * cosine_ * gamma_;
    const real two_above = sine_before_ * gamma_;
    if (!(length > 0)) return this->break_down("A maps the residual to zero: the system has no solution");
    cosine_before_ = std::exchange(cosine_, diagonal / length);
    sine_before_ = std::exchange(sine_, gamma / length);
    // w = (z - two_above w_before - above w) / length
    ops_.axpby(T(1 / length), q_, T(-(two_above / length)), w_before_);
    ops_.axpy(T(-(above / length)), w_, w_before_);
    std::swap(w_, w_before_);
    ops_.axpy(T(cosine_ * eta_), w_, x_);
    eta_ = -(sine_ * eta_);
    gamma_before_ = std::exchange(gamma_, gamma);
    return true;
  }

  [[nodiscard]] real residual() const override { return std::fabs(eta_) * scale_; }

  void exchange(archive<T>& state) override {
    for (const vector* v : {&v_, &v_before_, &w_, &w_before_, &z_}) state.vector(*v);
    for (real* number : {&gamma_, &gamma_before_, &eta_, &scale_, &cosine_, &cosine_before_, &sine_, &sine_before_})
      state.number(*number);
  }

 private:
  using iteration<T>::ops_;
  using iteration<T>::b_;
  using iteration<T>::x_;

  vector v_;
  vector v_before_;
  vector w_;
  vector w_before_;
  vector q_;
  vector z_;  ///< M v
  real gamma_ = 0;
  real gamma_before_ = 1;
  real eta_ = 0;
  real scale_ = 1;  ///< from the preconditioner's norm of the residual to its own, as it was at the start
  real cosine_ = 1;
  real cosine_before_ = 1;
  real sine_ = 0;
  real sine_before_ = 0;
};

}  // namespace lacis::solver

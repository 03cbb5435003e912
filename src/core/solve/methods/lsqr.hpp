// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Least squares by bidiagonalisation (Paige and Saunders 1982, LSQR).
#pragma once

#include "solve/methods/iteration.hpp"
#include "solve/scalars.hpp"

namespace lacis::solver {

/// Where no x fits, the best one is asked for: A^H r = 0, measured as |A^H r| / (|A| |r|), with no more than the
/// spectral norm for |A|: never laxer than it says.
template <value T> class lsqr final : public iteration<T> {
 public:
  using typename iteration<T>::vector;
  using typename iteration<T>::real;

  lsqr(operations<T>& ops, const vector& b, const vector& x)
      : iteration<T>(ops, b, x),
        u_(ops.zeros(ops.rows())),
        image_(ops.zeros(ops.rows())),
        v_(ops.zeros(ops.cols())),
        w_(ops.zeros(ops.cols())),
        back_(ops.zeros(ops.cols())) {}

  void start() override {
    ops_.residual(b_, x_, u_);
    const real beta = normalise(u_);
    ops_.apply_adjoint(u_, v_);
    alpha_ = normalise(v_);
    ops_.copy(v_, w_);
    rest_ = beta;
    diagonal_ = alpha_;
    norm_of_a_ = std::max(norm_of_a_, alpha_);
    normal_ = alpha_ * beta;
  }

  bool step() override {
    if (alpha_ == 0) return this->break_down("A^H r is zero: x is the best there is");
    // beta u = A v - alpha u
    ops_.apply(v_, image_);
    ops_.axpby(T(1), image_, T(-alpha_), u_);
    const real beta = normalise(u_);
    // alpha v = A^H u - beta v
    ops_.apply_adjoint(u_, back_);
    ops_.axpby(T(1), back_, T(-beta), v_);
    norm_of_a_ = std::max(norm_of_a_, length_of(alpha_, beta));  // |A v|, where |v| = 1
    alpha_ = normalise(v_);
    const real length = length_of(diagonal_, beta);
    if (!(length > 0) || !std::isfinite(length))
      return this->break_down("the bidiagonalisation leaves the range of numbers");
    const real cosine = diagonal_ / length;
    const real sine = beta / length;
    const real above = sine * alpha_;
    diagonal_ = -(cosine * alpha_);
    const real amount = cosine * rest_;
    rest_ = sine * rest_;
    normal_ = std::fabs(rest_ * alpha_ * cosine);
    // x = x + amount / length w, w = v - above / length w
    ops_.advance(T(amount / length), x_, v_, T(-(above / length)), w_);
    return true;
  }

  [[nodiscard]] real residual() const override { return std::fabs(rest_); }

  [[nodiscard]] double error_now(double norm_of_b) const override {
    const double fits = static_cast<double>(residual()) / norm_of_b;
    return std::min(fits, relative(static_cast<double>(normal_), static_cast<double>(residual())));
  }
  [[nodiscard]] double error_of(const vector& r, double length, double norm_of_b) override {
    ops_.apply_adjoint(r, back_);
    return std::min(length / norm_of_b, relative(static_cast<double>(ops_.length(back_)), length));
  }

  void exchange(archive<T>& state) override {
    for (const vector* v : {&u_, &v_, &w_}) state.vector(*v);
    for (real* number : {&alpha_, &rest_, &diagonal_, &norm_of_a_, &normal_}) state.number(*number);
  }

 private:
  using iteration<T>::ops_;
  using iteration<T>::b_;
  using iteration<T>::x_;

  /// |A^H r| against |A| |r|, where |A| is what the bidiagonalisation has seen of it. Nothing of A^H r is a fit.
  [[nodiscard]] double relative(double normal, double length) const {
    if (normal == 0) return 0;
    const double ratio = normal / static_cast<double>(norm_of_a_) / length;
    return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
  }

  /// Its length, which becomes one.
  real normalise(const vector& v) {
    const real length = ops_.length(v);
    if (length > 0) ops_.scale(T(1 / length), v);
    return length;
  }

  vector u_;
  vector image_;
  vector v_;
  vector w_;
  vector back_;
  real alpha_ = 0;
  real rest_ = 0;
  real diagonal_ = 0;
  real norm_of_a_ = 0;  ///< its spectral norm, from below
  real normal_ = 0;     ///< |A^H r|
};

}  // namespace lacis::solver

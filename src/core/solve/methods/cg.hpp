// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients (Hestenes and Stiefel 1952; Saad, Iterative Methods for Sparse Linear Systems, algorithm 9.1).
#pragma once

#include "solve/endings.hpp"
#include "solve/methods/iteration.hpp"
#include "solve/scalars.hpp"

namespace lacis::solver {

/// An iteration reads and writes each vector as seldom as the recurrence allows: A p with p^H A p, the new residual
/// with its square, x with the new direction. Where the preconditioner may change from step to step, the new direction
/// is made orthogonal to A p by a dot product of its own (Notay, SIAM J. Sci. Comput. 22, 2000): flexible.
template <value T> class cg final : public iteration<T> {
 public:
  using typename iteration<T>::vector;
  using typename iteration<T>::real;

  cg(operations<T>& ops, const vector& b, const vector& x)
      : iteration<T>(ops, b, x), r_(ops.zeros(ops.rows())), p_(ops.zeros(ops.rows())), q_(ops.zeros(ops.rows())) {
    if (ops.is_preconditioned()) z_ = ops.zeros(ops.rows());
  }

  void start() override {
    ops_.residual(b_, x_, r_);
    square_ = ops_.square(r_);
    ops_.precondition(r_, p_);
    rho_ = ops_.is_preconditioned() ? std::real(ops_.dot(r_, p_)) : square_;
  }

  bool step() override {
    const real curvature = std::real(ops_.apply_and_dot(p_, q_));
    if (!(curvature > 0)) return this->break_down(not_positive_definite);
    const T alpha(rho_ / curvature);
    square_ = ops_.axpy_and_square(-alpha, q_, r_);
    if (!ops_.is_preconditioned()) return go_on(alpha, square_, T(square_ / rho_), r_);
    ops_.precondition(r_, z_);
    const real rho = std::real(ops_.dot(r_, z_));
    if (!(rho >= 0)) return this->break_down(preconditioner_not_positive_definite);
    if (!ops_.is_flexible()) return go_on(alpha, rho, T(rho / rho_), z_);
    const T along = ops_.dot(q_, z_);
    return go_on(alpha, rho, divide(-along, T(curvature)), z_);
  }

  [[nodiscard]] real residual() const override { return std::sqrt(square_); }

  void exchange(archive<T>& state) override {
    state.vector(r_);
    state.vector(p_);
    state.number(rho_);
    state.number(square_);
  }

 private:
  using iteration<T>::ops_;
  using iteration<T>::b_;
  using iteration<T>::x_;

  bool go_on(T alpha, real rho, T beta, const vector& z) {
    ops_.advance(alpha, x_, z, beta, p_);
    rho_ = rho;
    return true;
  }

  vector r_;
  vector p_;
  vector q_;
  vector z_;
  real rho_ = 0;
  real square_ = 0;
};

}  // namespace lacis::solver

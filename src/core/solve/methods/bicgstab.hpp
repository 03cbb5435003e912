// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Biconjugate gradients, stabilised (van der Vorst 1992; Saad, algorithm 7.7), preconditioned from the right, so that
// its residual is that of the system.
#pragma once

#include "solve/endings.hpp"
#include "solve/methods/iteration.hpp"
#include "solve/scalars.hpp"

namespace lacis::solver {

template <value T> class bicgstab final : public iteration<T> {
 public:
  using typename iteration<T>::vector;
  using typename iteration<T>::real;

  bicgstab(operations<T>& ops, const vector& b, const vector& x) : iteration<T>(ops, b, x) {
    for (vector* v : {&r_, &shadow_, &p_, &v_, &t_}) *v = ops.zeros(ops.rows());
    if (ops.is_preconditioned()) z_ = ops.zeros(ops.rows());
  }

  void start() override {
    ops_.residual(b_, x_, r_);
    ops_.copy(r_, shadow_);
    ops_.copy(r_, p_);
    square_ = ops_.square(r_);
    rho_ = T(square_);
  }

  bool step() override {
    ops_.apply(preconditioned(p_), v_);
    const T alpha = divide(rho_, ops_.dot(shadow_, v_));
    if (!is_finite(alpha)) return this->break_down(orthogonal_to_direction);
    ops_.axpy(alpha, preconditioned_, x_);
    const real half_square = ops_.axpy_and_square(-alpha, v_, r_);
    if (half_square == 0) {
      square_ = 0;
      return true;
    }
    const vector& s = preconditioned(r_);
    ops_.apply(s, t_);
    const T omega = divide(ops_.dot(t_, r_), T(ops_.square(t_)));
    if (!is_finite(omega) || omega == T(0)) return this->break_down(no_part_along_residual);
    ops_.axpy(omega, s, x_);
    square_ = ops_.axpy_and_square(-omega, t_, r_);
    const T rho = ops_.dot(shadow_, r_);
    const T beta = multiply(divide(rho, rho_), divide(alpha, omega));
    if (!is_finite(beta)) return this->break_down(orthogonal_to_shadow);
    rho_ = rho;
    // p = r + beta (p - omega v)
    ops_.axpy(-omega, v_, p_);
    ops_.axpby(T(1), r_, beta, p_);
    return true;
  }

  [[nodiscard]] real residual() const override { return std::sqrt(square_); }

  void exchange(archive<T>& state) override {
    for (const vector* v : {&r_, &shadow_, &p_}) state.vector(*v);
    std::vector<T> numbers = {rho_};
    state.numbers(numbers);
    rho_ = numbers[0];
    state.number(square_);
  }

 private:
  using iteration<T>::ops_;
  using iteration<T>::b_;
  using iteration<T>::x_;

  /// M v, or v itself.
  const vector& preconditioned(const vector& v) {
    if (ops_.is_preconditioned()) ops_.precondition(v, z_);
    preconditioned_ = ops_.is_preconditioned() ? z_ : v;
    return preconditioned_;
  }

  vector r_;
  vector shadow_;
  vector p_;
  vector v_;
  vector t_;
  vector z_;
  vector preconditioned_;
  T rho_ = T(0);
  real square_ = 0;
};

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// cg and bicgstab for a group of systems: the steps of methods/cg.hpp and methods/bicgstab.hpp in every lane. A lane
// that has arrived or ended keeps its x: its factors are 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "solve/batch/group.hpp"

namespace lacis::solver {

/// What cg and bicgstab have in common: the preconditioner and the group's state.
template <class T> class group_iteration {
 public:
  using numbers = per_lane<T, T>;
  static constexpr std::int64_t lanes = cpu::batch_lanes<T>;

  group_iteration(const batch_task<T>& task, system_group<T>& group, int own_vectors)
      : task_(task), group_(group), kernels_(*task.kernels), rows_(task.pattern.rows), m_(group.vector(own_vectors)) {}

  [[nodiscard]] double residual(std::int64_t lane) const {
    return static_cast<double>(std::sqrt(square_[lane])) / group_.norm_of_b(lane);
  }

  /// The inverse of the diagonal; lanes without one are left alone.
  void prepare() {
    if (!is_preconditioned()) return;
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const T head = group_.values()[task_.diagonal[i] * lanes + lane];
        const T inverse = T(1) / head;
        if (group_.state(lane) == lane_state::running && (head == 0 || !std::isfinite(head) || !std::isfinite(inverse)))
          group_.state(lane) = lane_state::alone;
        m_[i * lanes + lane] = inverse;
      }
  }

 protected:
  [[nodiscard]] bool is_preconditioned() const { return task_.options.preconditioner == batch_preconditioner::jacobi; }
  [[nodiscard]] bool runs(std::int64_t lane) const { return group_.state(lane) == lane_state::running; }
  /// z = M r.
  void precondition(const T* r, T* z) { kernels_.diagonal_product(rows_, m_, r, z); }
  void dot(const T* x, const T* y, numbers& sums) { kernels_.dot(rows_, x, y, sums.data()); }
  void residual_to(T* r) {
    kernels_.product(task_.pattern, group_.values(), group_.x(), r);
    kernels_.subtract_from(rows_, group_.b(), r);
  }
  void break_down(std::int64_t lane, const char* why) {
    group_.end(lane, lane_state::ended, {solve_outcome::broke_down, why});
  }

  const batch_task<T>& task_;
  system_group<T>& group_;
  const cpu::batch_table<T>& kernels_;
  std::int64_t rows_;
  T* m_;
  numbers square_;
};

template <class T> class group_cg : public group_iteration<T> {
 public:
  using typename group_iteration<T>::numbers;
  using group_iteration<T>::lanes;
  static constexpr int own_vectors = 4;
  static constexpr int vectors = own_vectors + 1;  // and the preconditioner

  group_cg(const batch_task<T>& task, system_group<T>& group)
      : group_iteration<T>(task, group, own_vectors),
        r_(group.vector(0)),
        p_(group.vector(1)),
        q_(group.vector(2)),
        z_(group.vector(3)) {}

  void start() {
    this->residual_to(r_);
    this->dot(r_, r_, square_);
    rho_ = square_;
    if (!this->is_preconditioned()) {
      std::copy_n(r_, rows_ * lanes, p_);
      return;
    }
    this->precondition(r_, p_);
    this->dot(r_, p_, rho_);
  }

  /// One iteration of the lanes that run.
  void step() {
    numbers curvature;
    kernels_.product_and_dot(task_.pattern, group_.values(), p_, q_, curvature.data());
    numbers alpha;
    numbers minus_alpha;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!this->runs(lane)) continue;
      if (!(curvature[lane] > 0)) {
        this->break_down(lane, not_positive_definite);
        continue;
      }
      alpha[lane] = rho_[lane] / curvature[lane];
      minus_alpha[lane] = -alpha[lane];
    }
    numbers square;
    kernels_.axpy_and_square(rows_, minus_alpha.data(), q_, r_, square.data());
    numbers rho = square;
    if (this->is_preconditioned()) {
      this->precondition(r_, z_);
      this->dot(r_, z_, rho);
    }
    numbers beta;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!this->runs(lane)) continue;
      square_[lane] = square[lane];
      if (this->is_preconditioned() && !(rho[lane] >= 0)) {
        this->break_down(lane, preconditioner_not_positive_definite);
        alpha[lane] = 0;
        continue;
      }
      beta[lane] = rho[lane] / rho_[lane];
      rho_[lane] = rho[lane];
      ++group_.report(lane).iterations;
    }
    kernels_.advance(rows_, alpha.data(), group_.x(), this->is_preconditioned() ? z_ : r_, beta.data(), p_);
  }

 private:
  using group_iteration<T>::task_;
  using group_iteration<T>::group_;
  using group_iteration<T>::kernels_;
  using group_iteration<T>::rows_;
  using group_iteration<T>::square_;

  T* r_;
  T* p_;
  T* q_;
  T* z_;
  numbers rho_;
};

template <class T> class group_bicgstab : public group_iteration<T> {
 public:
  using typename group_iteration<T>::numbers;
  using group_iteration<T>::lanes;
  static constexpr int own_vectors = 6;
  static constexpr int vectors = own_vectors + 1;  // and the preconditioner

  group_bicgstab(const batch_task<T>& task, system_group<T>& group)
      : group_iteration<T>(task, group, own_vectors),
        r_(group.vector(0)),
        shadow_(group.vector(1)),
        p_(group.vector(2)),
        v_(group.vector(3)),
        t_(group.vector(4)),
        z_(group.vector(5)) {}

  void start() {
    this->residual_to(r_);
    std::copy_n(r_, rows_ * lanes, shadow_);
    std::copy_n(r_, rows_ * lanes, p_);
    this->dot(r_, r_, square_);
    rho_ = square_;
  }

  /// One iteration of the lanes that run.
  void step() {
    const T* direction = preconditioned(p_);
    kernels_.product(task_.pattern, group_.values(), direction, v_);
    numbers sums;
    this->dot(shadow_, v_, sums);
    numbers alpha;
    numbers minus;
    per_lane<bool, T> takes_part;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!this->runs(lane)) continue;
      const T quotient = rho_[lane] / sums[lane];
      if (!std::isfinite(quotient)) {
        this->break_down(lane, orthogonal_to_direction);
        continue;
      }
      takes_part[lane] = true;
      alpha[lane] = quotient;
      minus[lane] = -quotient;
    }
    kernels_.axpy(rows_, alpha.data(), direction, group_.x());
    kernels_.axpy_and_square(rows_, minus.data(), v_, r_, sums.data());
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!takes_part[lane] || sums[lane] != 0) continue;
      takes_part[lane] = false;
      square_[lane] = 0;
      ++group_.report(lane).iterations;
    }
    second_half(alpha, takes_part);
  }

 private:
  using group_iteration<T>::task_;
  using group_iteration<T>::group_;
  using group_iteration<T>::kernels_;
  using group_iteration<T>::rows_;
  using group_iteration<T>::square_;

  /// M v, or v itself.
  const T* preconditioned(const T* v) {
    if (!this->is_preconditioned()) return v;
    this->precondition(v, z_);
    return z_;
  }

  void second_half(const numbers& alpha, per_lane<bool, T>& takes_part) {
    const T* s = preconditioned(r_);
    kernels_.product(task_.pattern, group_.values(), s, t_);
    numbers along;
    numbers whole;
    this->dot(t_, r_, along);
    this->dot(t_, t_, whole);
    numbers omega;
    numbers minus;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!takes_part[lane]) continue;
      const T quotient = along[lane] / whole[lane];
      if (!std::isfinite(quotient) || quotient == 0) {
        this->break_down(lane, no_part_along_residual);
        takes_part[lane] = false;
        continue;
      }
      omega[lane] = quotient;
      minus[lane] = -quotient;
    }
    kernels_.axpy(rows_, omega.data(), s, group_.x());
    numbers square;
    kernels_.axpy_and_square(rows_, minus.data(), t_, r_, square.data());
    numbers rho;
    this->dot(shadow_, r_, rho);
    numbers beta;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!takes_part[lane]) continue;
      square_[lane] = square[lane];
      const T quotient = (rho[lane] / rho_[lane]) * (alpha[lane] / omega[lane]);
      if (!std::isfinite(quotient)) {
        this->break_down(lane, orthogonal_to_shadow);
        continue;
      }
      rho_[lane] = rho[lane];
      beta[lane] = quotient;
      ++group_.report(lane).iterations;
    }
    kernels_.redirect(rows_, minus.data(), v_, r_, beta.data(), p_);
  }

  T* r_;
  T* shadow_;
  T* p_;
  T* v_;
  T* t_;
  T* z_;
  numbers rho_;
};

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Induced dimension reduction with biorthogonal directions, IDR(s) (Sonneveld and van Gijzen 2008; van Gijzen and
// Sonneveld 2011), preconditioned from the right, so that its residual is that of the system.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <lacis/error.hpp>

#include "solve/endings.hpp"
#include "solve/methods/iteration.hpp"
#include "solve/scalars.hpp"
#include "summation/hash.hpp"

namespace lacis::solver {

/// A step is one product: s of them make directions u_k and g_k = A u_k, of which g_k has no part along the first k
/// shadow vectors; the next one reduces the dimension of the space that the residual is in. What the preconditioner
/// gave is what x and the residual follow, so it may change from step to step.
template <value T> class idr final : public iteration<T> {
 public:
  using typename iteration<T>::vector;
  using typename iteration<T>::real;

  idr(operations<T>& ops, const vector& b, const vector& x)
      : iteration<T>(ops, b, x), r_(ops.zeros(ops.rows())), v_(ops.zeros(ops.rows())), t_(ops.zeros(ops.rows())) {
    const auto place = ops.space().place(r_);
    s_ = static_cast<std::size_t>(std::min<std::int64_t>(most_shadows, place.whole));
    for (std::vector<vector>* all : {&shadow_, &g_, &u_})
      for (std::size_t k = 0; k < s_; ++k) all->push_back(ops.zeros(ops.rows()));
    for (std::size_t k = 0; k < s_; ++k) make_shadow(k, static_cast<std::uint64_t>(place.first));
    triangle_.resize(s_ * s_);
    f_.resize(s_);
    numbers_.resize(s_);
  }

  void start() override {
    ops_.residual(b_, x_, r_);
    square_ = ops_.square(r_);
    for (std::size_t k = 0; k < s_; ++k) {
      ops_.clear(g_[k]);
      ops_.clear(u_[k]);
      for (std::size_t i = 0; i < s_; ++i) triangle_at(i, k) = T(i == k ? 1 : 0);
    }
    omega_ = T(1);
    next_ = 0;
  }

  bool step() override {
    if (next_ == 0) ops_.dots(shadow_, r_, f_);
    return next_ < static_cast<std::int64_t>(s_) ? take_direction(static_cast<std::size_t>(next_)) : reduce_dimension();
  }

  [[nodiscard]] real residual() const override { return std::sqrt(square_); }

  void exchange(archive<T>& state) override {
    state.number(next_);
    if (next_ < 0 || next_ > static_cast<std::int64_t>(s_))
      throw error(errc::bad_input, "a checkpoint has more directions than idr keeps");
    state.vector(r_);
    for (std::size_t k = 0; k < s_; ++k) {
      state.vector(g_[k]);
      state.vector(u_[k]);
    }
    std::vector<T> omega = {omega_};
    for (std::vector<T>* list : {&triangle_, &f_, &omega}) state.numbers(*list);
    omega_ = omega[0];
    state.number(square_);
  }

 private:
  using iteration<T>::ops_;
  using iteration<T>::b_;
  using iteration<T>::x_;

  static constexpr std::int64_t most_shadows = 4;

  /// p_i^H g_k, of which those with i < k are zero.
  T& triangle_at(std::size_t i, std::size_t k) { return triangle_[i * s_ + k]; }

  /// A hash of places in the whole vector, the same on any number of ranks, made orthonormal.
  void make_shadow(std::size_t k, std::uint64_t first) {
    const vector& p = shadow_[k];
    std::vector<T> host(static_cast<std::size_t>(p.size()));
    for (std::size_t i = 0; i < host.size(); ++i) {
      const std::uint64_t number = summation::mix(first + i) + summation::mix(k + 1);
      if constexpr (is_complex<T>)
        host[i] = {fraction_of(number), fraction_of(~number)};
      else
        host[i] = fraction_of(number);
    }
    ops_.space().from_host(host, p);
    const auto before = std::span<const vector>(shadow_).first(k);
    std::vector<T> parts(k);
    for (int pass = 0; pass < 2 && k > 0; ++pass) {
      ops_.dots(before, p, parts);
      for (T& part : parts) part = -part;
      ops_.add_combination(parts, before, p);
    }
    ops_.scale(T(1 / ops_.length(p)), p);
  }
  /// Between -1/2 and 1/2.
  static real fraction_of(std::uint64_t number) {
    return static_cast<real>(summation::mix(number) >> 40) * static_cast<real>(0x1p-24) - static_cast<real>(0.5);
  }

  /// Solves with the rows and columns of the triangle from `first` on, up to `last`; what is in the place of the
  /// right-hand side becomes the negative of the solution.
  void solve_triangle(std::size_t first, std::size_t last, std::span<T> x) {
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t j = first; j < i; ++j)
        x[i - first] = summation::add(x[i - first], multiply(triangle_at(i, j), x[j - first]));
      x[i - first] = -divide(x[i - first], triangle_at(i, i));
    }
  }

  bool take_direction(std::size_t k) {
    const std::size_t rest = s_ - k;
    const auto negative = std::span(numbers_).first(rest);
    std::copy(f_.begin() + static_cast<std::ptrdiff_t>(k), f_.end(), negative.begin());
    solve_triangle(k, s_, negative);
    // v = M (r - the sum of c_i g_i), then u = omega v + the sum of c_i u_i
    ops_.copy(r_, t_);
    ops_.add_combination(negative, std::span<const vector>(g_).last(rest), t_);
    ops_.precondition(t_, v_);
    for (T& c : negative) c = -c;
    ops_.scale(omega_, v_);
    ops_.add_combination(negative, std::span<const vector>(u_).last(rest), v_);
    std::swap(u_[k], v_);
    ops_.apply(u_[k], g_[k]);
    if (k > 0) {
      const auto parts = std::span(numbers_).first(k);
      ops_.dots(std::span<const vector>(shadow_).first(k), g_[k], parts);
      solve_triangle(0, k, parts);
      ops_.add_combination(parts, std::span<const vector>(g_).first(k), g_[k]);
      ops_.add_combination(parts, std::span<const vector>(u_).first(k), u_[k]);
    }
    const auto column = std::span(numbers_).first(rest);
    ops_.dots(std::span<const vector>(shadow_).last(rest), g_[k], column);
    for (std::size_t i = k; i < s_; ++i) triangle_at(i, k) = column[i - k];
    const T beta = divide(f_[k], triangle_at(k, k));
    if (!is_finite(beta)) return this->break_down("A u is orthogonal to a shadow vector; try gmres");
    ops_.axpy(beta, u_[k], x_);
    square_ = ops_.axpy_and_square(-beta, g_[k], r_);
    for (std::size_t i = k + 1; i < s_; ++i) f_[i] = subtract(f_[i], multiply(beta, triangle_at(i, k)));
    ++next_;
    return true;
  }

  /// Along the part of the residual that A maps near it; an omega that would be small, as where both are nearly
  /// orthogonal, is enlarged (Sleijpen and van der Vorst 1995).
  bool reduce_dimension() {
    ops_.precondition(r_, v_);
    ops_.apply(v_, t_);
    const T along = ops_.dot(t_, r_);
    const real square_of_t = ops_.square(t_);
    const real cosine = magnitude_of(along) / (std::sqrt(square_of_t) * std::sqrt(square_));
    constexpr real least = static_cast<real>(0.7);
    omega_ = divide(along, T(square_of_t));
    if (cosine < least) omega_ = multiply(omega_, T(least / cosine));
    if (!is_finite(omega_) || omega_ == T(0)) return this->break_down(no_part_along_residual);
    ops_.axpy(omega_, v_, x_);
    square_ = ops_.axpy_and_square(-omega_, t_, r_);
    next_ = 0;
    return true;
  }

  std::size_t s_ = 0;  ///< shadow vectors
  vector r_;
  vector v_;
  vector t_;
  std::vector<vector> shadow_;
  std::vector<vector> g_;
  std::vector<vector> u_;
  std::vector<T> triangle_;  ///< row after row
  std::vector<T> f_;         ///< P^H r
  std::vector<T> numbers_;
  T omega_ = T(1);
  std::int64_t next_ = 0;  ///< the direction that comes next; s: the reduction
  real square_ = 0;
};

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Generalised minimal residuals, restarted (Saad and Schultz 1986; Saad, algorithms 6.9 and 9.6), preconditioned from
// the right. The basis is orthogonalised by classical Gram-Schmidt, twice, which is as good as it gets and reads the
// basis four times instead of twice for every vector of it.
#pragma once

#include <algorithm>

#include <lacis/error.hpp>

#include "solve/methods/iteration.hpp"
#include "solve/scalars.hpp"

namespace lacis::solver {

/// A flexible one keeps what the preconditioner made of every direction, so that it may change.
template <value T, bool Flexible> class gmres_steps final : public iteration<T> {
 public:
  using typename iteration<T>::vector;
  using typename iteration<T>::real;

  /// The restart length is at most the number of unknowns.
  gmres_steps(operations<T>& ops, const vector& b, const vector& x, const solve_options& options)
      : iteration<T>(ops, b, x),
        most_(options.restart),
        w_(ops.zeros(ops.rows())),
        triangle_(size_of(most_) * size_of(most_)),
        cosines_(size_of(most_)),
        sines_(size_of(most_)),
        rest_(size_of(most_) + 1) {
    if (ops.is_preconditioned() && !Flexible) z_ = ops.zeros(ops.rows());
  }

  void start() override {
    ops_.residual(b_, x_, w_);
    length_ = ops_.length(w_);
    count_ = 0;
    if (length_ > 0 && std::isfinite(length_)) normalise();
    rest_[0] = T(length_);
  }

  bool step() override {
    if (!(length_ > 0) || !std::isfinite(length_)) return this->break_down("the residual is zero or not finite");
    const auto j = size_of(count_);
    ops_.apply(direction(j), w_);
    const real before = ops_.length(w_);
    std::vector<T> h(j + 2);
    orthogonalise(std::span(h).first(j + 1));
    orthogonalise(std::span(h).first(j + 1));
    const real length = ops_.length(w_);
    h[j + 1] = T(length);
    if (!std::isfinite(length)) return this->break_down("the basis overflows: the matrix is badly scaled");
    const T rest = rest_[j];
    rotate(h, j);
    // A direction that A maps into the basis ends it: what is left is in it.
    const bool is_closed = !(length > before * std::numeric_limits<real>::epsilon() * 16);
    if (is_closed && triangle_at(j, j) == T(0)) {
      rest_[j] = rest;  // x is made of the directions before this one
      return this->break_down("A is singular on the space that it spans from the residual; try minres or lsqr");
    }
    ++count_;
    length_ = length;
    if (count_ == most_ || is_closed) {
      finish();
      start();
    } else {
      normalise();
    }
    return true;
  }

  [[nodiscard]] real residual() const override { return magnitude_of(rest_[size_of(count_)]); }

  /// x = x + M V y, where the triangle times y is the rotated right-hand side.
  void finish() override {
    if (count_ == 0) return;
    std::vector<T> y(rest_.begin(), rest_.begin() + count_);
    for (std::size_t i = y.size(); i-- > 0;) {
      for (std::size_t k = i + 1; k < y.size(); ++k) y[i] = subtract(y[i], multiply(triangle_at(i, k), y[k]));
      y[i] = divide(y[i], triangle_at(i, i));
    }
    count_ = 0;
    // A triangle that is nearly singular in a type of few digits: x stays as it was.
    if (!std::all_of(y.begin(), y.end(), [](const T& factor) { return is_finite(factor); })) return;
    if (Flexible && ops_.is_preconditioned()) {
      ops_.add_combination(y, std::span(preconditioned_).first(y.size()), x_);
    } else if (ops_.is_preconditioned()) {
      ops_.clear(w_);
      ops_.add_combination(y, std::span(basis_).first(y.size()), w_);
      ops_.precondition(w_, z_);
      ops_.axpy(T(1), z_, x_);
    } else {
      ops_.add_combination(y, std::span(basis_).first(y.size()), x_);
    }
  }

  void exchange(archive<T>& state) override {
    std::int64_t count = count_;
    state.number(count);
    if (count < 0 || count >= most_) throw error(errc::bad_input, "a checkpoint has more directions than gmres keeps");
    count_ = static_cast<int>(count);
    for (int j = 0; j <= count_; ++j) {
      state.vector(at(basis_, size_of(j)));
      if (Flexible && ops_.is_preconditioned() && j < count_) state.vector(at(preconditioned_, size_of(j)));
    }
    for (std::vector<T>* list : {&triangle_, &cosines_, &sines_, &rest_}) state.numbers(*list);
    state.number(length_);
  }

 private:
  using iteration<T>::ops_;
  using iteration<T>::b_;
  using iteration<T>::x_;

  static std::size_t size_of(int count) { return static_cast<std::size_t>(count); }
  T& triangle_at(std::size_t i, std::size_t j) { return triangle_[j * size_of(most_) + i]; }

  /// A vector of a list that grows as the space does.
  const vector& at(std::vector<vector>& list, std::size_t j) {
    while (list.size() <= j) list.push_back(ops_.zeros(ops_.rows()));
    return list[j];
  }

  /// What A is applied to: M v_j.
  const vector& direction(std::size_t j) {
    if (!ops_.is_preconditioned()) return basis_[j];
    const vector& z = Flexible ? at(preconditioned_, j) : z_;
    ops_.precondition(basis_[j], z);
    return z;
  }

  void normalise() { ops_.axpby(T(1 / length_), w_, T(0), at(basis_, size_of(count_))); }

  /// w = w - V V^H w; what was taken away is added to h.
  void orthogonalise(std::span<T> h) {
    std::vector<T> products(h.size());
    const auto basis = std::span<const vector>(basis_).first(h.size());
    ops_.dots(basis, w_, products);
    for (std::size_t i = 0; i < h.size(); ++i) {
      h[i] = summation::add(h[i], products[i]);
      products[i] = -products[i];
    }
    ops_.add_combination(products, basis, w_);
  }

  /// The rotations so far on the new column, and one more that clears its last element.
  void rotate(std::vector<T>& h, std::size_t j) {
    for (std::size_t i = 0; i < j; ++i) {
      const T upper = summation::add(multiply(cosines_[i], h[i]), multiply(sines_[i], h[i + 1]));
      h[i + 1] = subtract(multiply(cosines_[i], h[i + 1]), multiply(conjugate(sines_[i]), h[i]));
      h[i] = upper;
    }
    const real below = std::real(h[j + 1]);
    const real here = magnitude_of(h[j]);
    const real length = length_of(here, below);
    if (here == 0) {
      cosines_[j] = T(0);
      sines_[j] = T(below == 0 ? 0 : 1);
    } else {
      cosines_[j] = T(here / length);
      sines_[j] = multiply(divide(h[j], T(here)), T(below / length));
    }
    for (std::size_t i = 0; i < j; ++i) triangle_at(i, j) = h[i];
    triangle_at(j, j) = summation::add(multiply(cosines_[j], h[j]), multiply(sines_[j], h[j + 1]));
    rest_[j + 1] = -multiply(conjugate(sines_[j]), rest_[j]);
    rest_[j] = multiply(cosines_[j], rest_[j]);
  }

  int most_;
  int count_ = 0;
  real length_ = 0;  ///< of w
  vector w_;
  vector z_;
  std::vector<vector> basis_;
  std::vector<vector> preconditioned_;
  std::vector<T> triangle_;  ///< column after column
  std::vector<T> cosines_;
  std::vector<T> sines_;
  std::vector<T> rest_;  ///< the right-hand side, rotated; its last element is the residual
};

template <value T> using gmres = gmres_steps<T, false>;

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Golub-Kahan bidiagonalisation with thick restarts (Golub and Kahan 1965; Baglama and Reichel 2005): products with A
// and with A^H in turn build a basis on each side, and A between them is a small matrix whose singular values are those
// of A, the outermost first. Nothing is squared, so a small value is known up to rounding errors of A itself. Every
// vector is made orthogonal to all others of its side.
#pragma once

#include <algorithm>

#include "solve/eigen/copies.hpp"
#include "solve/eigen/iteration.hpp"
#include "solve/eigen/orthonormal.hpp"

namespace lacis::solver {

template <value T> class bidiagonal {
 public:
  using wide = wide_of<T>;
  using real = real_of<T>;
  using matrix = small_matrix<wide>;
  using vector = space_vector<T>;

  /// `left` multiplies with A, `right` with A^H; A has no fewer rows than columns. With as many vectors as A has
  /// columns one pass finds all values.
  bidiagonal(pencil<T>& left, pencil<T>& right, std::size_t count, std::size_t vectors, eigen_part part)
      : left_(left),
        right_(right),
        left_pool_(left),
        right_pool_(right),
        wanted_(count),
        most_(vectors),
        part_(part),
        p_(vectors, vectors) {}

  [[nodiscard]] bool start() {
    v_ = right_pool_.take(1);
    return right_.fill_beside(v_, 0, seed_++, v_[0]);
  }

  /// One product with A and one with A^H. False where they are not finite.
  [[nodiscard]] bool step() {
    if (size_ == most_ && !restart()) return false;
    block<T> u = left_pool_.take(1);
    left_.apply(v_[size_], u[0]);
    const std::vector<wide> along = left_.take_away(u_, size_, size_ > kept_ ? 1 : size_, u[0]);
    double length = left_.ops().length(u[0]);
    double square = length * length;
    for (const wide& one : along) square += std::norm(one);
    if (!std::isfinite(square)) return false;
    left_.learn_norm(std::sqrt(square));
    if (!make_unit(left_, u_, u[0], length)) return false;
    for (std::size_t i = 0; i < size_; ++i) p_(i, size_) = along[i];
    p_(size_, size_) = wide(length);
    u_.push_back(u[0]);
    ++size_;
    if (size_ == static_cast<std::size_t>(right_.size())) {  // nothing is left on this side
      rest_ = 0;
      examine();
      return true;
    }
    block<T> v = right_pool_.take(1);
    right_.apply(u_.back(), v[0]);
    static_cast<void>(right_.take_away(v_, size_, 1, v[0]));
    rest_ = right_.ops().length(v[0]);
    if (!std::isfinite(rest_)) return false;
    if (!make_unit(right_, v_, v[0], rest_)) return false;
    v_.push_back(v[0]);
    if (size_ == most_) examine();
    return true;
  }

  [[nodiscard]] eigen_state state() const { return state_; }

  /// The space of orthonormal right vectors, the most wanted first, in the place of start() and steps. False where
  /// their products are not finite.
  [[nodiscard]] bool take(block<T> v) {
    v_ = std::move(v);
    p_ = matrix(most_, most_);
    size_ = kept_ = v_.size();
    for (std::size_t j = 0; j < size_; ++j) {
      block<T> u = left_pool_.take(1);
      left_.apply(v_[j], u[0]);
      const std::vector<wide> along = left_.take_away(u_, j, j, u[0]);
      double length = left_.ops().length(u[0]);
      left_.learn_norm(length);
      if (!std::isfinite(length) || !make_unit(left_, u_, u[0], length)) return false;
      for (std::size_t i = 0; i < j; ++i) p_(i, j) = along[i];
      p_(j, j) = wide(length);
      u_.push_back(u[0]);
    }
    found_ = {};
    return true;
  }

  /// The true residuals are larger than estimated, since a look for copies goes on from another vector: begins again
  /// with the best vectors and the longest residual. False where there is none.
  [[nodiscard]] bool refresh() {
    const triplets best = found();
    left_pool_.give(u_);
    right_pool_.give(v_);
    if (!take(best.right)) return false;
    block<T> rest = right_pool_.take(size_);
    std::size_t worst = 0;
    double longest = 0;
    for (std::size_t j = 0; j < size_; ++j) {
      right_.apply(u_[j], rest[j]);
      static_cast<void>(right_.take_away(v_, size_, size_, rest[j]));
      const double length = right_.ops().length(rest[j]);
      if (length > longest) {
        longest = length;
        worst = j;
      }
    }
    if (!(longest > 0)) return false;
    right_.ops().scale(T(static_cast<real>(1 / longest)), rest[worst]);
    v_.push_back(rest[worst]);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(worst));
    right_pool_.give(rest);
    state_ = {};
    return true;
  }

  /// The best triplets so far, the largest value first.
  struct triplets {
    std::vector<double> values;
    block<T> left;
    block<T> right;
  };
  [[nodiscard]] triplets found() {
    const bool is_known = size_ == most_ && !found_.values.empty();
    const small_svd<wide> all = is_known ? found_ : svd_of(leading(), left_.alive());
    auto which = wanted_of_all(all.values.size());
    triplets some;
    for (const std::size_t j : which) some.values.push_back(all.values[j]);
    some.left = combined(left_, left_pool_, u_, all.left, which);
    some.right = combined(right_, right_pool_, v_, all.right, which);
    return some;
  }

 private:
  /// Scales w to length one. Below rounding errors there was nothing: then it is any vector beside the basis, and
  /// `length` is zero.
  bool make_unit(pencil<T>& side, const block<T>& basis, const vector& w, double& length) {
    if (length > pencil<T>::precision() * static_cast<double>(most_) * left_.norm()) {
      side.ops().scale(T(static_cast<real>(1 / length)), w);
      return true;
    }
    length = 0;
    return side.fill_beside(basis, basis.size(), seed_++, w);
  }

  [[nodiscard]] matrix leading() const {
    matrix some(size_, size_);
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j < size_; ++j) some(i, j) = p_(i, j);
    return some;
  }

  /// Numbers of the `count` outermost of descending values, in their order.
  [[nodiscard]] std::vector<std::size_t> outermost(std::size_t all, std::size_t count) const {
    count = std::min(all, count);
    std::vector<std::size_t> which(count);
    for (std::size_t j = 0; j < count; ++j) which[j] = part_ == eigen_part::largest ? j : all - count + j;
    return which;
  }
  [[nodiscard]] std::vector<std::size_t> wanted_of_all(std::size_t all) const { return outermost(all, wanted_); }

  [[nodiscard]] block<T> combined(pencil<T>& side, vector_pool<T>& pool, const block<T>& basis, const matrix& vectors,
                                  const std::vector<std::size_t>& which) {
    matrix factors(size_, which.size());
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j < which.size(); ++j) factors(i, j) = vectors(i, which[j]);
    block<T> made = pool.take(which.size());
    side.combine(std::span<const vector>(basis).first(size_), factors, made);
    return made;
  }

  /// A^H u - s v of number j lies along the next vector: this is its length.
  void examine() {
    found_ = {};  // a monitor may end it here
    found_ = svd_of(leading(), left_.alive());
    left_.learn_norm(found_.values.front());
    const auto wanted = wanted_of_all(found_.values.size());
    state_ =
        copies_.examine(found_values{found_.values, wanted,
                                     [&](std::size_t j) { return rest_ * magnitude_of(found_.left(most_ - 1, j)); },
                                     [&](double s) { return left_.limit(s); }, left_.floor()},
                        1);
    if (most_ == static_cast<std::size_t>(right_.size())) state_.is_there = true;
  }

  /// Keeps the best vectors of both sides; where it begins to look for copies, the wanted ones alone.
  bool restart() {
    const auto which = outermost(most_, copies_.begins() ? wanted_ : wanted_ + (most_ - wanted_) / 2);
    block<T> u = combined(left_, left_pool_, u_, found_.left, which);
    block<T> v = combined(right_, right_pool_, v_, found_.right, which);
    v.push_back(v_.back());
    v_.pop_back();
    left_pool_.give(u_);
    right_pool_.give(v_);
    u_ = std::move(u);
    v_ = std::move(v);
    p_ = matrix(most_, most_);
    for (std::size_t j = 0; j < which.size(); ++j) p_(j, j) = wide(found_.values[which[j]]);
    size_ = kept_ = which.size();
    if (copies_.begins() && !right_.fill_beside(v_, size_, seed_++, v_.back())) return false;
    copies_.has_begun();
    return true;
  }

  pencil<T>& left_;
  pencil<T>& right_;
  vector_pool<T> left_pool_;
  vector_pool<T> right_pool_;
  std::size_t wanted_;
  std::size_t most_;
  eigen_part part_;
  block<T> u_;            ///< size_ vectors
  block<T> v_;            ///< size_ vectors, and the next one
  std::size_t size_ = 0;  ///< vectors whose products are in p_
  std::size_t kept_ = 0;  ///< vectors of the last restart
  matrix p_;              ///< u^H A v
  double rest_ = 0;       ///< what the last product with A^H has outside of the basis
  small_svd<wide> found_;
  eigen_state state_;
  copy_search copies_;
  std::uint64_t seed_ = 0;
};

}  // namespace lacis::solver

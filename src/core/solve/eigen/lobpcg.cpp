// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Locally optimal block preconditioned conjugate gradients (Knyazev 2001), with an orthonormal basis as Hetmaniuk and
// Lehoucq (2006) keep it: a step looks for the best vectors in the space of X, the preconditioned residuals W and the
// former directions P. X, W and P are orthonormal together, so X^H A X, X^H A P and P^H A P follow from the last step,
// and a step computes Gram matrices with W alone. Vectors that have converged stay in X and are improved with the rest,
// but bring neither residuals nor directions (soft locking).
#include <algorithm>
#include <memory>

#include <lacis/error.hpp>

#include "solve/eigen/iteration.hpp"
#include "solve/eigen/orthonormal.hpp"

namespace lacis::solver {
namespace {

template <value T> class lobpcg final : public eigen_iteration<T> {
 public:
  using wide = wide_of<T>;
  using matrix = small_matrix<wide>;

  lobpcg(pencil<T>& p, std::size_t pairs, std::size_t vectors, eigen_part part)
      : pencil_(p), pool_(p), orthonormalise_(p, pool_), pairs_(pairs), size_(vectors), part_(part) {}

  bool start() override {
    x_.vectors = pool_.take(size_);
    for (std::size_t j = 0; j < size_; ++j) pencil_.fill(x_.vectors[j], j);
    if (!orthonormalise_({}, x_)) return this->fail(this->not_finite);
    if (x_.size() < size_ && !fill_up()) return this->fail(this->not_finite);
    if (x_.size() < size_) return this->fail(this->not_definite);
    ax_ = pool_.take(size_);
    r_ = pool_.take(size_);
    return restart();
  }

  bool refresh() override {
    drop(p_, ap_);
    pool_.give(x_.images);
    if (!orthonormalise_({}, x_) || x_.size() < size_) return this->fail(this->not_finite);
    return restart();
  }

  bool step() override {
    std::vector<std::size_t> active;
    for (std::size_t j = 0; j < size_; ++j)
      if (!(residuals_[j] <= limits_[j])) active.push_back(j);
    with_images<T> w;
    w.vectors = pool_.take(active.size());
    for (std::size_t k = 0; k < active.size(); ++k) pencil_.ops().precondition(r_[active[k]], w.vectors[k]);
    with_images<T> known = joined(x_, p_);
    if (!orthonormalise_(known, w)) return this->fail(this->not_finite);
    if (w.size() == 0) return this->fail(this->nothing_new);
    block<T> aw = pool_.take(w.size());
    pencil_.apply(w.vectors, aw);
    const bool is_good = improve(w, aw, active);
    drop(w, aw);
    return is_good;
  }

  void exchange(archive<T>& state) override {
    values_.resize(size_);
    for (double& one : values_) state.number(one);
    std::size_t of_p = p_.size();
    this->exchange_count(state, of_p, size_);
    if (h_of_p_.rows() != of_p) h_of_p_ = matrix(of_p, of_p);
    for (std::size_t i = 0; i < of_p; ++i)
      for (std::size_t j = 0; j < of_p; ++j) this->exchange_number(state, h_of_p_(i, j));
    if (!h_of_p_.is_finite()) throw error(errc::bad_input, "a checkpoint has numbers that are not finite");
    const auto blocks = [&](with_images<T>& x, block<T>& ax, std::size_t count) {
      this->exchange_block(state, pool_, x.vectors, count);
      this->exchange_block(state, pool_, x.images, pencil_.has_b() ? count : 0);
      this->exchange_block(state, pool_, ax, count);
    };
    blocks(x_, ax_, size_);
    blocks(p_, ap_, of_p);
  }
  void derive() override {
    if (r_.empty()) r_ = pool_.take(size_);
    find_residuals();
  }

  [[nodiscard]] eigen_state state() const override {
    eigen_state now{0, 0, false};
    for (std::size_t j = 0; j < pairs_; ++j) {
      if (residuals_[j] <= limits_[j]) ++now.converged;
      now.residual = std::max(now.residual, residuals_[j] / std::fabs(values_[j]));
    }
    now.is_there = now.converged == static_cast<std::int64_t>(pairs_);
    return now;
  }

  found_pairs<T> pairs() override {
    const auto count = static_cast<std::ptrdiff_t>(pairs_);
    return {{values_.begin(), values_.begin() + count}, {x_.vectors.begin(), x_.vectors.begin() + count}};
  }

 private:
  static with_images<T> joined(const with_images<T>& a, const with_images<T>& b) {
    with_images<T> all = a;
    all.vectors.insert(all.vectors.end(), b.vectors.begin(), b.vectors.end());
    all.images.insert(all.images.end(), b.images.begin(), b.images.end());
    return all;
  }
  void drop(with_images<T>& w, block<T>& aw) {
    pool_.give(w.vectors);
    pool_.give(w.images);
    pool_.give(aw);
  }

  /// Others in the place of start vectors that depend on each other, as the caller's may.
  bool fill_up() {
    with_images<T> others;
    others.vectors = pool_.take(size_ - x_.size());
    for (std::size_t j = 0; j < others.size(); ++j) pencil_.fill(others.vectors[j], size_ + j);
    if (!orthonormalise_(x_, others)) return false;
    x_ = joined(x_, others);
    return true;
  }

  /// Images of X, and the best vectors in its space.
  bool restart() {
    pencil_.apply(x_.vectors, ax_);
    for (std::size_t j = 0; j < size_; ++j)
      pencil_.learn_norm(pencil_.ops().length(ax_[j]) / pencil_.ops().length(x_.vectors[j]));
    const matrix h = pencil_.gram(x_.vectors, ax_);
    if (!h.is_finite()) return this->fail(this->not_finite);
    double largest = 0;
    for (const wide& one : h.elements()) largest = std::max(largest, magnitude_of(one));
    if (!looks_hermitian(h, pencil<T>::precision(), std::max(largest, pencil_.has_b() ? 0 : pencil_.norm())))
      throw error(errc::invalid_argument, "A is not Hermitian");
    const auto found = eigen_of(h, pencil_.alive());
    take_values(found, wanted_of(found.values, size_, part_));
    replace_x(x_, ax_, columns(found.vectors, wanted_of(found.values, size_, part_)));
    find_residuals();
    return true;
  }

  [[nodiscard]] static matrix columns(const matrix& a, const std::vector<std::size_t>& which) {
    matrix some(a.rows(), which.size());
    for (std::size_t i = 0; i < a.rows(); ++i)
      for (std::size_t j = 0; j < which.size(); ++j) some(i, j) = a(i, which[j]);
    return some;
  }

  void take_values(const small_eigen<wide>& found, const std::vector<std::size_t>& wanted) {
    values_.clear();
    for (const std::size_t j : wanted) values_.push_back(found.values[j]);
    if (!pencil_.has_b()) pencil_.learn_norm(std::max(std::fabs(found.values.front()), std::fabs(found.values.back())));
  }

  /// The best vectors in the space of X, W and P; `active` ones leave a direction.
  bool improve(const with_images<T>& w, const block<T>& aw, const std::vector<std::size_t>& active) {
    const with_images<T> s = joined(joined(x_, w), p_);
    block<T> as = ax_;
    as.insert(as.end(), aw.begin(), aw.end());
    as.insert(as.end(), ap_.begin(), ap_.end());
    const matrix with_w = pencil_.gram(s.vectors, aw);
    if (!with_w.is_finite()) return this->fail(this->not_finite);
    const matrix h = projected(with_w, s.size());
    const auto found = eigen_of(h, pencil_.alive());
    const auto wanted = wanted_of(found.values, size_, part_);
    take_values(found, wanted);
    const matrix of_x = columns(found.vectors, wanted);
    const matrix of_p = directions(of_x, active);
    h_of_p_ = adjoint_product(of_p, product(h, of_p));

    with_images<T> p;
    block<T> ap = pool_.take(of_p.cols());
    p.vectors = pool_.take(of_p.cols());
    pencil_.combine(s.vectors, of_p, p.vectors);
    pencil_.combine(as, of_p, ap);
    if (pencil_.has_b()) {
      p.images = pool_.take(of_p.cols());
      pencil_.combine(s.images, of_p, p.images);
    }
    replace_x(s, as, of_x);
    drop(p_, ap_);
    p_ = std::move(p);
    ap_ = std::move(ap);
    find_residuals();
    return true;
  }

  /// S^H A S, of which the columns of W are given and the rest is known: X and P were made in one step from
  /// eigenvectors and what is orthogonal to them.
  [[nodiscard]] matrix projected(const matrix& with_w, std::size_t size) const {
    matrix h(size, size);
    const std::size_t of_w = with_w.cols();
    for (std::size_t j = 0; j < size_; ++j) h(j, j) = wide(values_[j]);
    for (std::size_t j = 0; j < of_w; ++j)
      for (std::size_t i = 0; i < size; ++i)
        if (i < size_ || i >= size_ + of_w || i <= size_ + j) {
          h(i, size_ + j) = with_w(i, j);
          h(size_ + j, i) = conjugate(with_w(i, j));
        }
    const std::size_t first = size_ + of_w;
    for (std::size_t i = 0; i < p_.size(); ++i)
      for (std::size_t j = 0; j < p_.size(); ++j) h(first + i, first + j) = h_of_p_(i, j);
    return h;
  }

  /// What the active vectors have moved, made orthogonal to the new vectors and to each other in the small space; the
  /// second round takes away what rounding errors of the first have left.
  [[nodiscard]] matrix directions(const matrix& of_x, const std::vector<std::size_t>& active) const {
    const std::size_t m = of_x.rows();
    std::vector<std::vector<wide>> basis;
    for (std::size_t j = 0; j < of_x.cols(); ++j) {
      basis.emplace_back(m);
      for (std::size_t i = 0; i < m; ++i) basis.back()[i] = of_x(i, j);
    }
    const std::size_t known = basis.size();
    for (const std::size_t j : active) {
      std::vector<wide> one(m);
      for (std::size_t i = size_; i < m; ++i) one[i] = of_x(i, j);
      const double least = pencil<T>::precision() * static_cast<double>(m);
      bool is_new = true;
      for (int round = 0; round < 2 && is_new; ++round) {
        const double before = length(one);
        for (const auto& other : basis) {
          wide along{};
          for (std::size_t i = 0; i < m; ++i) along += multiply(conjugate(other[i]), one[i]);
          for (std::size_t i = 0; i < m; ++i) one[i] -= multiply(along, other[i]);
        }
        const double behind = length(one);
        is_new = behind > (round == 0 ? least * before : before / 2) && behind > least;
        for (std::size_t i = 0; i < m && is_new; ++i) one[i] = multiply(1 / behind, one[i]);
      }
      if (is_new) basis.push_back(std::move(one));
    }
    matrix all(m, basis.size() - known);
    for (std::size_t j = 0; j < all.cols(); ++j)
      for (std::size_t i = 0; i < m; ++i) all(i, j) = basis[known + j][i];
    return all;
  }
  [[nodiscard]] static double length(const std::vector<wide>& x) {
    double sum = 0;
    for (const wide& one : x) sum += std::norm(one);
    return std::sqrt(sum);
  }

  /// X = S C, with its images.
  void replace_x(const with_images<T>& s, const block<T>& as, const matrix& factors) {
    block<T> next = pool_.take(size_);
    block<T> next_a = pool_.take(size_);
    pencil_.combine(s.vectors, factors, next);
    pencil_.combine(as, factors, next_a);
    if (pencil_.has_b()) {
      block<T> next_b = pool_.take(size_);
      pencil_.combine(s.images, factors, next_b);
      pool_.give(x_.images);
      x_.images = std::move(next_b);
    }
    pool_.give(x_.vectors);
    pool_.give(ax_);
    x_.vectors = std::move(next);
    ax_ = std::move(next_a);
  }

  void find_residuals() {
    residuals_.resize(size_);
    limits_.resize(size_);
    for (std::size_t j = 0; j < size_; ++j) {
      pencil_.residual(ax_[j], x_.of_b()[j], values_[j], r_[j]);
      residuals_[j] = pencil_.ops().length(r_[j]);
      limits_[j] = pencil_.has_b() ? pencil_.limit(values_[j], pencil_.ops().length(x_.vectors[j]),
                                                   pencil_.ops().length(x_.images[j]))
                                   : pencil_.limit(values_[j]);
    }
  }

  pencil<T>& pencil_;
  vector_pool<T> pool_;
  orthonormaliser<T> orthonormalise_;
  std::size_t pairs_;
  std::size_t size_;
  eigen_part part_;
  with_images<T> x_;
  with_images<T> p_;
  block<T> ax_;
  block<T> ap_;
  block<T> r_;                  ///< the residuals of X
  std::vector<double> values_;  ///< the most wanted first
  std::vector<double> residuals_;
  std::vector<double> limits_;
  matrix h_of_p_;  ///< P^H A P
};

}  // namespace

template <value T>
std::unique_ptr<eigen_iteration<T>> make_lobpcg(pencil<T>& p, std::size_t pairs, std::size_t vectors, eigen_part part) {
  return std::make_unique<lobpcg<T>>(p, pairs, vectors, part);
}

#define LACIS_INSTANTIATE(T) \
  template std::unique_ptr<eigen_iteration<T>> make_lobpcg(pencil<T>&, std::size_t, std::size_t, eigen_part);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::solver

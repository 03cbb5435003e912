// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Lanczos with thick restarts (Wu and Simon 2000): when the basis is full, the best vectors in it and the direction
// that would come next are the new basis. Every new vector is made orthogonal to all others, and the products on the
// way are the projected matrix, so it is right whatever the vectors of the basis are.
#include <algorithm>
#include <memory>

#include <lacis/error.hpp>

#include "solve/eigen/copies.hpp"
#include "solve/eigen/iteration.hpp"
#include "solve/eigen/orthonormal.hpp"

namespace lacis::solver {
namespace {

template <value T> class lanczos final : public eigen_iteration<T> {
 public:
  using wide = wide_of<T>;
  using real = real_of<T>;
  using matrix = small_matrix<wide>;
  using vector = space_vector<T>;

  lanczos(pencil<T>& p, std::size_t pairs, std::size_t vectors, eigen_part part)
      : pencil_(p), pool_(p), pairs_(pairs), most_(vectors), part_(part), t_(vectors, vectors) {}

  bool start() override {
    basis_ = pool_.take(1);
    return add_random() ? true : this->fail(this->not_finite);
  }

  bool step() override {
    if (count_ == most_ && !restart()) return false;
    block<T> w = pool_.take(1);
    pencil_.apply(basis_[count_], w[0]);
    // Behind the vectors of a restart, A v has parts along v and the vector before it alone.
    const std::vector<wide> along = pencil_.take_away(basis_, count_ + 1, count_ > kept_ ? 2 : count_ + 1, w[0]);
    const double rest = pencil_.ops().length(w[0]);
    double square = rest * rest;
    for (const wide& one : along) square += std::norm(one);
    if (!std::isfinite(square)) return this->fail(this->not_finite);
    pencil_.learn_norm(std::sqrt(square));
    require_hermitian(along);
    for (std::size_t i = 0; i <= count_; ++i) {
      t_(i, count_) = along[i];
      t_(count_, i) = conjugate(along[i]);
    }
    t_(count_, count_) = wide(std::real(along[count_]));
    ++count_;
    basis_.push_back(w[0]);
    rest_ = rest;
    // Below rounding errors the space is invariant; the next vector may be any that is orthogonal to it.
    if (rest <= pencil<T>::precision() * static_cast<double>(most_) * pencil_.norm()) {
      rest_ = 0;
      if (!add_random()) return this->fail(this->not_finite);
    } else {
      pencil_.ops().scale(T(static_cast<real>(1 / rest)), basis_.back());
    }
    if (count_ == most_) examine();
    return true;
  }

  void exchange(archive<T>& state) override {
    this->exchange_count(state, count_, most_);
    this->exchange_count(state, kept_, count_);
    state.number(rest_);
    auto seed = static_cast<std::int64_t>(seed_);
    state.number(seed);
    seed_ = static_cast<std::uint64_t>(seed);
    state.number(state_.converged);
    state.number(state_.residual);
    this->exchange_flag(state, state_.is_there);
    copies_.exchange(
        pairs_, [&](bool& flag) { this->exchange_flag(state, flag); }, [&](double& one) { state.number(one); });
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = 0; j < count_; ++j) this->exchange_number(state, t_(i, j));
    if (!leading().is_finite()) throw error(errc::bad_input, "a checkpoint has numbers that are not finite");
    this->exchange_block(state, pool_, basis_, count_ + 1);
  }
  void derive() override {
    if (count_ == most_) found_ = eigen_of(leading());
  }

  [[nodiscard]] eigen_state state() const override { return state_; }

  found_pairs<T> pairs() override {
    const small_eigen<wide> found = count_ == most_ ? found_ : eigen_of(leading());
    const auto wanted = wanted_of(found.values, pairs_, part_);
    found_pairs<T> some;
    for (const std::size_t j : wanted) some.values.push_back(found.values[j]);
    some.vectors = combined(found, wanted);
    return some;
  }

  /// The best vectors again, and the residual of the one that is farthest from its limit as the next direction.
  bool refresh() override {
    const found_pairs<T> some = pairs();
    basis_ = some.vectors;
    count_ = kept_ = basis_.size();
    block<T> images = pool_.take(count_);
    pencil_.apply(basis_, images);
    const matrix h = pencil_.gram(basis_, images);
    std::size_t worst = 0;
    double farthest = -1;
    for (std::size_t j = 0; j < count_; ++j) {
      for (std::size_t i = 0; i < count_; ++i) t_(i, j) = h(i, j);
      pencil_.residual(images[j], basis_[j], some.values[j], images[j]);
      const double far = pencil_.ops().length(images[j]) / pencil_.limit(some.values[j]);
      if (far > farthest) {
        farthest = far;
        worst = j;
      }
    }
    basis_.push_back(images[worst]);
    images.erase(images.begin() + static_cast<std::ptrdiff_t>(worst));
    pool_.give(images);
    static_cast<void>(pencil_.take_away(basis_, count_, count_, basis_.back()));
    const double length = pencil_.ops().length(basis_.back());
    if (!(length > 0)) return this->fail(this->nothing_new);
    pencil_.ops().scale(T(static_cast<real>(1 / length)), basis_.back());
    copies_.forget();
    state_ = {};
    return true;
  }

 private:
  /// The last vector of the basis becomes one that is orthogonal to the others and otherwise arbitrary.
  bool add_random() { return pencil_.fill_beside(basis_, basis_.size() - 1, seed_++, basis_.back()); }

  /// Of the vectors behind those that a restart has kept, a product has parts along its own and the one before alone.
  /// Along a kept one it may have a part as large as the residual of that.
  void require_hermitian(const std::vector<wide>& along) const {
    for (std::size_t i = kept_; i + 1 < count_; ++i)
      if (magnitude_of(along[i]) > std::sqrt(pencil<T>::precision()) * pencil_.norm())
        throw error(errc::invalid_argument, "A is not Hermitian");
  }

  [[nodiscard]] matrix leading() const {
    matrix some(count_, count_);
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = 0; j < count_; ++j) some(i, j) = t_(i, j);
    return some;
  }

  [[nodiscard]] block<T> combined(const small_eigen<wide>& found, const std::vector<std::size_t>& which) {
    matrix factors(count_, which.size());
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = 0; j < which.size(); ++j) factors(i, j) = found.vectors(i, which[j]);
    block<T> made = pool_.take(which.size());
    pencil_.combine(std::span<const vector>(basis_).first(count_), factors, made);
    return made;
  }

  /// What a full basis has found.
  void examine() {
    found_ = eigen_of(leading());
    pencil_.learn_norm(std::max(std::fabs(found_.values.front()), std::fabs(found_.values.back())));
    const auto wanted = wanted_of(found_.values, pairs_, part_);
    state_ = copies_.examine(found_values{
        found_.values, wanted, [&](std::size_t j) { return rest_ * magnitude_of(found_.vectors(most_ - 1, j)); },
        [&](double w) { return pencil_.limit(w); }});
  }

  /// Keeps the best vectors; where it begins to look for copies, the wanted ones alone.
  bool restart() {
    const auto which = wanted_of(found_.values, copies_.begins() ? pairs_ : pairs_ + (most_ - pairs_) / 2, part_);
    block<T> next = combined(found_, which);
    next.push_back(basis_.back());
    basis_.pop_back();
    pool_.give(basis_);
    basis_ = std::move(next);
    t_ = matrix(most_, most_);
    for (std::size_t j = 0; j < which.size(); ++j) t_(j, j) = wide(found_.values[which[j]]);
    count_ = kept_ = which.size();
    if (copies_.begins() && !add_random()) return this->fail(this->not_finite);
    copies_.has_begun();
    return true;
  }

  pencil<T>& pencil_;
  vector_pool<T> pool_;
  std::size_t pairs_;
  std::size_t most_;
  eigen_part part_;
  block<T> basis_;         ///< count_ vectors, and the next one
  std::size_t count_ = 0;  ///< vectors whose products are in t_
  std::size_t kept_ = 0;   ///< vectors of the last restart
  matrix t_;               ///< basis^H A basis
  double rest_ = 0;        ///< what the last product has outside of the basis
  small_eigen<wide> found_;
  eigen_state state_;
  copy_search copies_;
  std::uint64_t seed_ = 0;
};

}  // namespace

template <value T>
std::unique_ptr<eigen_iteration<T>> make_lanczos(pencil<T>& p, std::size_t pairs, std::size_t vectors,
                                                 eigen_part part) {
  return std::make_unique<lanczos<T>>(p, pairs, vectors, part);
}

#define LACIS_INSTANTIATE(T) \
  template std::unique_ptr<eigen_iteration<T>> make_lanczos(pencil<T>&, std::size_t, std::size_t, eigen_part);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::solver

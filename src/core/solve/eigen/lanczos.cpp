// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Lanczos with thick restarts (Wu and Simon 2000), two vectors at a time: when the basis is full, the best vectors in
// it and the directions that would come next are the new basis. Every new vector is made orthogonal to all others, and
// the products on the way are the projected matrix, so it is right whatever the vectors of the basis are.
//
// Two vectors take more products than one until the wanted values have converged, but the basis is read once for both,
// and what is there once only needs no look for copies (copies.hpp).
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

  lanczos(pencil<T>& p, const lanczos_sizes& sizes, eigen_part part)
      : pencil_(p),
        pool_(p),
        pairs_(sizes.pairs),
        width_(sizes.width),
        first_(sizes.vectors),
        limit_(sizes.most),
        most_(sizes.vectors),
        part_(part),
        t_(most_, most_),
        rest_(width_, width_) {}

  bool start() override { return fill_up() ? true : this->fail(this->not_finite); }

  bool step() override {
    if (is_full() && !restart()) return false;
    block<T> w = pool_.take(width_);
    pencil_.apply(std::span<const vector>(basis_).subspan(count_, width_), w);
    // Behind the vectors of a restart, A v has parts along the last and the last but one block alone.
    const std::size_t size = count_ + width_;
    const matrix along = pencil_.take_away(basis_, size, count_ > kept_ ? 2 * width_ : size, w);
    const std::vector<double> left = pencil_.lengths_left();
    for (std::size_t j = 0; j < width_; ++j) {
      double square = left[j] * left[j];
      for (std::size_t i = 0; i < size; ++i) square += std::norm(along(i, j));
      if (!std::isfinite(square)) return this->fail(this->not_finite);
      pencil_.learn_norm(std::sqrt(square));
    }
    require_hermitian(along);
    for (std::size_t j = 0; j < width_; ++j) {
      for (std::size_t i = 0; i <= count_ + j; ++i) {
        if (i < kept_ && settled_[i]) continue;
        t_(i, count_ + j) = along(i, j);
        t_(count_ + j, i) = conjugate(along(i, j));
      }
      t_(count_ + j, count_ + j) = wide(std::real(along(count_ + j, j)));
    }
    count_ = size;
    if (!add_rest(w, left)) return this->fail(this->not_finite);
    if (is_full()) examine();
    return true;
  }

  void exchange(archive<T>& state) override {
    this->exchange_count(state, restarts_, std::size_t{1} << 52);
    grow();
    if (t_.rows() != most_) t_ = matrix(most_, most_);
    this->exchange_count(state, count_, most_);
    this->exchange_count(state, kept_, count_);
    settled_.resize(kept_);
    for (std::size_t i = 0; i < kept_; ++i) {
      bool flag = settled_[i];
      this->exchange_flag(state, flag);
      settled_[i] = flag;
    }
    for (std::size_t i = 0; i < width_; ++i)
      for (std::size_t j = 0; j < width_; ++j) this->exchange_number(state, rest_(i, j));
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
    this->exchange_block(state, pool_, basis_, count_ + width_);
  }
  void derive() override {
    if (is_full()) found_ = eigen_of(leading(), pencil_.alive());
  }

  [[nodiscard]] eigen_state state() const override { return state_; }

  found_pairs<T> pairs() override {
    const bool is_known = is_full() && !found_.values.empty();
    const small_eigen<wide> found = is_known ? found_ : eigen_of(leading(), pencil_.alive());
    const auto wanted = wanted_of(found.values, pairs_, part_);
    found_pairs<T> some;
    for (const std::size_t j : wanted) some.values.push_back(found.values[j]);
    some.vectors = combined(found, wanted);
    return some;
  }

  /// The vectors of a restart, which include what comes next behind the wanted ones, and the residuals of those of
  /// these that are farthest from their limits as the next directions.
  bool refresh() override {
    const auto which = wanted_of(found_.values, kept_by_restarts(), part_);
    block<T> kept = combined(found_, which);
    pool_.give(basis_);
    basis_ = std::move(kept);
    count_ = kept_ = basis_.size();
    settled_.assign(count_, false);
    block<T> images = pool_.take(count_);
    pencil_.apply(basis_, images);
    const matrix h = pencil_.gram(basis_, images);
    for (std::size_t j = 0; j < count_; ++j)
      for (std::size_t i = 0; i < count_; ++i) t_(i, j) = h(i, j);
    std::vector<std::pair<double, std::size_t>> far;
    for (std::size_t j = 0; j < pairs_; ++j) {
      const double value = found_.values[which[j]];
      pencil_.residual(images[j], basis_[j], value, images[j]);
      const double length = pencil_.ops().length(images[j]);
      far.emplace_back(-length / pencil_.limit(value), j);
      if (length > pencil_.floor() / 2) continue;
      settled_[j] = true;
      for (std::size_t i = 0; i < count_; ++i)
        if (i != j) t_(i, j) = t_(j, i) = wide(0);
    }
    std::sort(far.begin(), far.end());
    for (std::size_t next = 0; next < width_; ++next) {
      if (next < far.size()) {
        const vector& residual = images[far[next].second];
        static_cast<void>(pencil_.take_away(basis_, basis_.size(), basis_.size(), residual));
        const double length = pencil_.ops().length(residual);
        if (next == 0 && !(length > 0)) return this->fail(this->nothing_new);
        if (length > 0) {
          basis_.push_back(pool_.take(1)[0]);
          pencil_.ops().axpby(T(static_cast<real>(1 / length)), residual, T(0), basis_.back());
          continue;
        }
      }
      if (!add_random()) return this->fail(this->not_finite);
    }
    pool_.give(images);
    state_ = {};
    return true;
  }

 private:
  [[nodiscard]] bool is_full() const { return count_ + width_ > most_; }
  [[nodiscard]] std::size_t kept_by_restarts() const { return std::min(pairs_ + (most_ - pairs_) / 2, most_ - width_); }

  /// One more vector of the basis, orthogonal to the others and otherwise arbitrary.
  bool add_random() {
    basis_.push_back(pool_.take(1)[0]);
    return pencil_.fill_beside(basis_, basis_.size() - 1, seed_++, basis_.back());
  }

  /// Arbitrary vectors where next ones are missing.
  bool fill_up() {
    while (basis_.size() < count_ + width_)
      if (!add_random()) return false;
    return true;
  }

  /// What the products have outside of the basis, of the given lengths, becomes the next vectors: w = Q R, and R is
  /// `rest_`. False where something is not finite.
  bool add_rest(const block<T>& w, const std::vector<double>& lengths) {
    rest_ = matrix(width_, width_);
    for (std::size_t j = 0; j < width_; ++j) {
      const auto others = std::span<const vector>(basis_);
      const std::vector<wide> along = pencil_.take_away(others.subspan(count_), j, j, w[j]);
      double length = j == 0 ? lengths[0] : pencil_.lengths_left()[0];
      double taken = 0;
      for (std::size_t i = 0; i < j; ++i) {
        rest_(i, j) = along[i];
        taken += std::norm(along[i]);
      }
      // Below rounding errors the space is invariant; the next vector may be any that is orthogonal to it.
      if (length <= pencil<T>::precision() * static_cast<double>(most_) * pencil_.norm()) {
        block<T> unused = {w[j]};
        pool_.give(unused);
        if (!add_random()) return false;
        continue;
      }
      if (taken > length * length) {
        static_cast<void>(pencil_.take_away(others, others.size(), others.size(), w[j]));
        length = pencil_.lengths_left()[0];
      }
      rest_(j, j) = wide(length);
      pencil_.ops().scale(T(static_cast<real>(1 / length)), w[j]);
      basis_.push_back(w[j]);
    }
    return true;
  }

  /// Of the vectors behind those that a restart has kept, products have parts along their own block and the one before
  /// alone. Along a kept one they may have a part as large as the residual of that.
  void require_hermitian(const matrix& along) const {
    for (std::size_t i = kept_; i + width_ < count_; ++i)
      for (std::size_t j = 0; j < width_; ++j)
        if (magnitude_of(along(i, j)) > std::sqrt(pencil<T>::precision()) * pencil_.norm())
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

  /// The length of A x - w x of number j: x's part in the last block times what that block's products have outside.
  [[nodiscard]] double estimate(std::size_t j) const {
    double square = 0;
    for (std::size_t i = 0; i < width_; ++i) {
      wide sum{};
      for (std::size_t k = i; k < width_; ++k) sum += multiply(rest_(i, k), found_.vectors(count_ - width_ + k, j));
      square += std::norm(sum);
    }
    return std::sqrt(square);
  }

  /// What a full basis has found.
  void examine() {
    found_ = {};  // a monitor may end it here
    found_ = eigen_of(leading(), pencil_.alive());
    pencil_.learn_norm(std::max(std::fabs(found_.values.front()), std::fabs(found_.values.back())));
    const auto wanted = wanted_of(found_.values, pairs_, part_);
    state_ = copies_.examine(found_values{found_.values, wanted, [&](std::size_t j) { return estimate(j); },
                                          [&](double w) { return pencil_.limit(w); }, pencil_.floor()},
                             width_ - std::min(width_, pencil_.given_starts()));
  }

  /// The basis doubles after every so many restarts: many vectors find close eigenvalues with far fewer products.
  void grow() {
    constexpr std::size_t often = 32;
    most_ = first_;
    for (std::size_t left = restarts_; left >= often && most_ < limit_; left -= often)
      most_ = std::min(2 * most_, limit_);
  }

  /// Keeps the best vectors; where it begins to look for copies, the wanted ones alone. A vector whose residual is
  /// rounding errors is settled: a copy that is found later would mix with it until both have converged.
  bool restart() {
    const auto which = wanted_of(found_.values, copies_.begins() ? pairs_ : kept_by_restarts(), part_);
    settled_.clear();
    for (const std::size_t j : which) settled_.push_back(estimate(j) <= pencil_.floor() / 10);
    block<T> next = combined(found_, which);
    if (!copies_.begins()) {
      next.insert(next.end(), basis_.end() - static_cast<std::ptrdiff_t>(width_), basis_.end());
      basis_.resize(count_);
    }
    pool_.give(basis_);
    basis_ = std::move(next);
    ++restarts_;
    grow();
    t_ = matrix(most_, most_);
    for (std::size_t j = 0; j < which.size(); ++j) t_(j, j) = wide(found_.values[which[j]]);
    count_ = kept_ = which.size();
    if (!fill_up()) return this->fail(this->not_finite);
    copies_.has_begun();
    return true;
  }

  pencil<T>& pencil_;
  vector_pool<T> pool_;
  std::size_t pairs_;
  std::size_t width_;  ///< vectors that a step multiplies
  std::size_t first_;  ///< vectors of the basis at first
  std::size_t limit_;  ///< its vectors at most
  std::size_t most_;   ///< its vectors now
  eigen_part part_;
  block<T> basis_;             ///< count_ vectors, and the next ones
  std::size_t count_ = 0;      ///< vectors whose products are in t_
  std::size_t kept_ = 0;       ///< vectors of the last restart
  std::vector<bool> settled_;  ///< which of these no longer change
  std::size_t restarts_ = 0;
  matrix t_;     ///< basis^H A basis
  matrix rest_;  ///< what the last products have outside of the basis, in terms of the next vectors
  small_eigen<wide> found_;
  eigen_state state_;
  copy_search copies_;
  std::uint64_t seed_ = 0;
};

}  // namespace

template <value T>
std::unique_ptr<eigen_iteration<T>> make_lanczos(pencil<T>& p, const lanczos_sizes& sizes, eigen_part part) {
  return std::make_unique<lanczos<T>>(p, sizes, part);
}

#define LACIS_INSTANTIATE(T) \
  template std::unique_ptr<eigen_iteration<T>> make_lanczos(pencil<T>&, const lanczos_sizes&, eigen_part);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::solver

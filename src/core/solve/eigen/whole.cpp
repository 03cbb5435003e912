// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// All eigenvalues of a small matrix, which products with the columns of the identity make dense. Also what is wanted of
// a list of eigenvalues.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <lacis/error.hpp>

#include "solve/eigen/iteration.hpp"
#include "solve/eigen/orthonormal.hpp"

namespace lacis::solver {

std::vector<std::size_t> wanted_of(const std::vector<double>& ascending, std::size_t count, eigen_part part) {
  std::vector<std::size_t> wanted;
  std::size_t low = 0;
  std::size_t high = ascending.size();
  while (wanted.size() < count && low < high) {
    bool from_high = part == eigen_part::largest;
    if (part == eigen_part::both) from_high = wanted.size() % 2 == 0;
    if (part == eigen_part::largest_magnitude) from_high = std::fabs(ascending[high - 1]) >= std::fabs(ascending[low]);
    wanted.push_back(from_high ? --high : low++);
  }
  return wanted;
}

namespace {

template <value T> class whole final : public eigen_iteration<T> {
 public:
  using wide = wide_of<T>;

  whole(pencil<T>& p, std::size_t pairs, eigen_part part) : pencil_(p), pool_(p), pairs_(pairs), part_(part) {}

  bool start() override {
    const auto size = static_cast<std::size_t>(pencil_.size());
    x_.vectors = pool_.take(size);
    for (std::size_t j = 0; j < size; ++j) pencil_.fill_unit(x_.vectors[j], j);
    if (pencil_.has_b()) {
      if (!orthonormaliser<T>(pencil_, pool_)({}, x_)) return this->fail(this->not_finite);
      if (x_.size() < size) return this->fail(this->not_definite);
    }
    if (!project()) return false;
    while (size <= at_once && !is_done_) static_cast<void>(step());
    return true;
  }
  /// One sweep of rotations.
  bool step() override {
    is_done_ = !rotations_->sweep(pencil_.alive());
    return true;
  }
  bool refresh() override { return this->fail("all eigenvalues have been computed"); }
  [[nodiscard]] bool has_states() const override { return false; }
  void exchange(archive<T>&) override { throw error(errc::bad_input, "a search in the whole space has no states"); }
  void derive() override {}
  [[nodiscard]] eigen_state state() const override {
    return is_done_ ? eigen_state{static_cast<std::int64_t>(pairs_), 0, true} : eigen_state{};
  }

  found_pairs<T> pairs() override {
    const std::size_t size = x_.size();
    const auto all = rotations_->found();
    if (!pencil_.has_b()) pencil_.learn_norm(std::max(std::fabs(all.values.front()), std::fabs(all.values.back())));
    small_matrix<wide> factors(size, pairs_);
    const auto wanted = wanted_of(all.values, pairs_, part_);
    found_pairs<T> some;
    for (std::size_t j = 0; j < pairs_; ++j) {
      some.values.push_back(all.values[wanted[j]]);
      for (std::size_t i = 0; i < size; ++i) factors(i, j) = all.vectors(i, wanted[j]);
    }
    some.vectors = pool_.take(pairs_);
    pencil_.combine(x_.vectors, factors, some.vectors);
    return some;
  }

 private:
  /// Small matrices are done in no time: their sweeps are no iterations.
  static constexpr std::size_t at_once = 64;

  /// The dense matrix, some columns at a time.
  bool project() {
    const std::size_t size = x_.size();
    constexpr std::size_t work = std::size_t{1} << 26;  // elements that a group of columns reads
    const std::size_t group = std::clamp<std::size_t>(work / (size * size), 1, size);
    small_matrix<wide> h(size, size);
    block<T> ax = pool_.take(group);
    for (std::size_t first = 0; first < size; first += group) {
      const std::size_t count = std::min(group, size - first);
      const auto x = std::span<const space_vector<T>>(x_.vectors).subspan(first, count);
      const auto images = std::span<const space_vector<T>>(ax).first(count);
      pencil_.apply(x, images);
      const auto columns = pencil_.gram(x_.vectors, images);
      for (std::size_t j = 0; j < count; ++j) {
        pencil_.learn_norm(pencil_.ops().length(ax[j]) / pencil_.ops().length(x[j]));
        for (std::size_t i = 0; i < size; ++i) h(i, first + j) = columns(i, j);
      }
      if (size > at_once && pencil_.alive()) pencil_.alive()();
    }
    pool_.give(ax);
    if (!h.is_finite()) return this->fail(this->not_finite);
    double largest = 0;
    for (const wide& one : h.elements()) largest = std::max(largest, magnitude_of(one));
    if (!looks_hermitian(h, pencil<T>::precision(), largest)) throw error(errc::invalid_argument, "A is not Hermitian");
    rotations_.emplace(std::move(h));
    return true;
  }

  pencil<T>& pencil_;
  vector_pool<T> pool_;
  std::size_t pairs_;
  eigen_part part_;
  with_images<T> x_;
  std::optional<jacobi_rotations<wide>> rotations_;
  bool is_done_ = false;
};

}  // namespace

template <value T> std::unique_ptr<eigen_iteration<T>> make_whole(pencil<T>& p, std::size_t pairs, eigen_part part) {
  return std::make_unique<whole<T>>(p, pairs, part);
}

#define LACIS_INSTANTIATE(T) \
  template std::unique_ptr<eigen_iteration<T>> make_whole(pencil<T>&, std::size_t, eigen_part);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::solver

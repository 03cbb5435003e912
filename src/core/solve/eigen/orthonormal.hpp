// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Blocks of vectors made orthonormal, in the inner product x^H B y where there is a B.
#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include "solve/eigen/pencil.hpp"

namespace lacis::solver {

/// Vectors that are not in use at the moment. All ranks take and give the same.
template <value T> class vector_pool {
 public:
  explicit vector_pool(pencil<T>& p) : pencil_(p) {}

  [[nodiscard]] block<T> take(std::size_t count) {
    block<T> some;
    for (std::size_t i = 0; i < count; ++i) {
      if (free_.empty()) free_.push_back(pencil_.zeros());
      some.push_back(std::move(free_.back()));
      free_.pop_back();
    }
    return some;
  }
  void give(block<T>& some) {
    for (auto& one : some) free_.push_back(std::move(one));
    some.clear();
  }

 private:
  pencil<T>& pencil_;
  block<T> free_;
};

/// Vectors with their images under B; without a B they are their own images.
template <value T> struct with_images {
  block<T> vectors;
  block<T> images;
  [[nodiscard]] const block<T>& of_b() const { return images.empty() ? vectors : images; }
  [[nodiscard]] std::size_t size() const { return vectors.size(); }
};

template <value T> class orthonormaliser {
 public:
  using wide = wide_of<T>;

  orthonormaliser(pencil<T>& p, vector_pool<T>& pool) : pencil_(p), pool_(pool) {}

  /// Makes w orthonormal and orthogonal to `basis`, which is orthonormal; what depends on the rest is left out of w.
  /// False where something is not finite.
  ///
  /// Projection and normalisation by the eigenvectors of the Gram matrix (SVQB, Stathopoulos and Wu 2002), twice. The
  /// first pass leaves out what is below machine precision times the number of vectors, relative to the largest
  /// eigenvalue: such a direction has no correct digit. The second begins with vectors that are orthonormal but for
  /// rounding errors: what then loses half of its square was such an error.
  [[nodiscard]] bool operator()(const with_images<T>& basis, with_images<T>& w) {
    for (std::size_t i = 0; i < w.size();) {
      const double length = pencil_.ops().length(w.vectors[i]);
      if (!std::isfinite(length)) return false;
      if (length == 0) {
        leave_out(w, i);
        continue;
      }
      pencil_.ops().scale(T(static_cast<real_of<T>>(1 / length)), w.vectors[i]);
      ++i;
    }
    if (pencil_.has_b()) {
      w.images = pool_.take(w.size());
      pencil_.apply_b(w.vectors, w.images);
    }
    for (const bool is_first : {true, false}) {
      if (w.size() == 0) return true;
      if (basis.size() > 0) project(basis, w);
      if (!normalise(w, is_first)) return false;
    }
    return true;
  }

 private:
  void leave_out(with_images<T>& w, std::size_t i) {
    block<T> one = {w.vectors[i]};
    pool_.give(one);
    w.vectors.erase(w.vectors.begin() + static_cast<std::ptrdiff_t>(i));
  }

  /// w = w - basis basis^H B w.
  void project(const with_images<T>& basis, with_images<T>& w) {
    auto factors = pencil_.gram(basis.of_b(), w.vectors);
    for (std::size_t i = 0; i < factors.rows(); ++i)
      for (std::size_t j = 0; j < factors.cols(); ++j) factors(i, j) = -factors(i, j);
    block<T> part = pool_.take(w.size());
    const auto take_away = [&](const block<T>& from, const block<T>& of) {
      pencil_.combine(from, factors, part);
      for (std::size_t j = 0; j < of.size(); ++j) pencil_.ops().axpy(T(1), part[j], of[j]);
    };
    take_away(basis.vectors, w.vectors);
    if (pencil_.has_b()) take_away(basis.images, w.images);
    pool_.give(part);
  }

  [[nodiscard]] bool normalise(with_images<T>& w, bool is_first) {
    auto gram = pencil_.gram(w.vectors, w.of_b());
    if (!gram.is_finite()) return false;
    const std::size_t size = w.size();
    std::vector<double> scale(size, 1.0);
    if (is_first)
      for (std::size_t i = 0; i < size; ++i) {
        const double square = std::real(gram(i, i));
        scale[i] = square > 0 ? 1 / std::sqrt(square) : 0;
      }
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) gram(i, j) = multiply(scale[i] * scale[j], gram(i, j));
    const auto found = eigen_of(std::move(gram), pencil_.alive());
    const double least = is_first ? pencil<T>::precision() * static_cast<double>(size) * found.values.back() : 0.5;
    std::vector<std::size_t> kept;
    for (std::size_t j = 0; j < size; ++j)
      if (found.values[j] > least) kept.push_back(j);
    small_matrix<wide> factors(size, kept.size());
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < kept.size(); ++j)
        factors(i, j) = multiply(scale[i] / std::sqrt(found.values[kept[j]]), found.vectors(i, kept[j]));
    replace(w.vectors, factors);
    if (pencil_.has_b()) replace(w.images, factors);
    return true;
  }

  /// x = x C.
  void replace(block<T>& x, const small_matrix<wide>& factors) {
    block<T> next = pool_.take(factors.cols());
    pencil_.combine(x, factors, next);
    pool_.give(x);
    x = std::move(next);
  }

  pencil<T>& pencil_;
  vector_pool<T>& pool_;
};

}  // namespace lacis::solver

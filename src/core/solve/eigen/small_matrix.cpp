// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of small dense Hermitian matrices by Jacobi rotations.
#include "solve/eigen/small_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace lacis::solver {
namespace {

/// Calls the pulse after every so many elements that were rotated: some ten times a second.
class work_meter {
 public:
  explicit work_meter(const pulse& alive) : alive_(alive) {}
  void add(std::size_t elements) {
    done_ += elements;
    if (done_ < enough || !alive_) return;
    done_ = 0;
    alive_();
  }

 private:
  static constexpr std::size_t enough = std::size_t{1} << 24;
  const pulse& alive_;
  std::size_t done_ = 0;
};

/// What a rotation multiplies the elements of two rows with.
template <class T> struct rotation {
  double cosine;
  double sine;
  T phase;  ///< of length 1
};

/// x = c x - s u y, y = s x + c u y, element by element.
template <class T> void rotate(const rotation<T>& by, T phase, T* x, T* y, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    const T turned = multiply(phase, y[k]);
    const T before = x[k];
    x[k] = multiply(by.cosine, before) - multiply(by.sine, turned);
    y[k] = multiply(by.sine, before) + multiply(by.cosine, turned);
  }
}

/// Makes element (p, q) zero; rows of `vectors` are the eigenvectors so far.
template <class T> void rotate_away(small_matrix<T>& a, small_matrix<T>& vectors, std::size_t p, std::size_t q) {
  const T corner = a(p, q);
  const double size = magnitude_of(corner);
  const double low = std::real(a(p, p));
  const double high = std::real(a(q, q));
  const double ratio = (high - low) / (2 * size);
  const double tangent = (ratio >= 0 ? 1.0 : -1.0) / (std::fabs(ratio) + length_of(ratio, 1.0));
  rotation<T> by;
  by.cosine = 1 / length_of(tangent, 1.0);
  by.sine = tangent * by.cosine;
  by.phase = divide(conjugate(corner), T(size));
  rotate(by, conjugate(by.phase), a.row(p), a.row(q), a.cols());
  a(p, p) = T(low - tangent * size);
  a(q, q) = T(high + tangent * size);
  a(p, q) = a(q, p) = T(0);
  for (std::size_t k = 0; k < a.rows(); ++k)
    if (k != p && k != q) {
      a(k, p) = conjugate(a(p, k));
      a(k, q) = conjugate(a(q, k));
    }
  rotate(by, by.phase, vectors.row(p), vectors.row(q), vectors.cols());
}

}  // namespace

template <class T>
jacobi_rotations<T>::jacobi_rotations(small_matrix<T> a) : a_(std::move(a)), vectors_(a_.rows(), a_.rows()) {
  const std::size_t n = a_.rows();
  double largest = 0;
  for (const T& one : a_.elements()) largest = std::max(largest, magnitude_of(one));
  for (std::size_t i = 0; i < n; ++i) {
    vectors_(i, i) = T(1);
    a_(i, i) = T(std::real(a_(i, i)));
    for (std::size_t j = i + 1; j < n; ++j) a_(j, i) = conjugate(a_(i, j));
  }
  // The largest element is at most the norm, and at least the norm divided by n.
  negligible_ = std::numeric_limits<double>::epsilon() * largest / static_cast<double>(2 * n + 1);
}

template <class T> bool jacobi_rotations<T>::sweep(const pulse& alive) {
  if (sweeps_ == most_sweeps) return false;
  ++sweeps_;
  const std::size_t n = a_.rows();
  work_meter work(alive);
  bool has_turned = false;
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t q = p + 1; q < n; ++q)
      if (magnitude_of(a_(p, q)) > negligible_) {
        rotate_away(a_, vectors_, p, q);
        has_turned = true;
      }
    work.add(n * (n - p));
  }
  return has_turned;
}

template <class T> small_eigen<T> jacobi_rotations<T>::found() const {
  const std::size_t n = a_.rows();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return std::real(a_(x, x)) < std::real(a_(y, y)); });
  small_eigen<T> all{std::vector<double>(n), small_matrix<T>(n, n)};
  for (std::size_t j = 0; j < n; ++j) {
    all.values[j] = std::real(a_(order[j], order[j]));
    for (std::size_t i = 0; i < n; ++i) all.vectors(i, j) = vectors_(order[j], i);
  }
  return all;
}

template <class T> small_eigen<T> eigen_of(small_matrix<T> a, const pulse& alive) {
  jacobi_rotations<T> rotations(std::move(a));
  while (rotations.sweep(alive)) {
  }
  return rotations.found();
}

namespace {

template <class T> T inner(const T* x, const T* y, std::size_t count) {
  T sum{};
  for (std::size_t k = 0; k < count; ++k) sum += multiply(conjugate(x[k]), y[k]);
  return sum;
}
template <class T> double length(const T* x, std::size_t count) { return std::sqrt(std::real(inner(x, x, count))); }

/// Rotates rows p and q of `columns`, which are columns of the matrix, where they are not orthogonal.
template <class T>
bool make_orthogonal(small_matrix<T>& columns, small_matrix<T>& right, std::size_t p, std::size_t q) {
  const std::size_t n = columns.cols();
  const double of_p = std::real(inner(columns.row(p), columns.row(p), n));
  const double of_q = std::real(inner(columns.row(q), columns.row(q), n));
  const T between = inner(columns.row(p), columns.row(q), n);
  const double size = magnitude_of(between);
  if (!(size > std::numeric_limits<double>::epsilon() * std::sqrt(of_p) * std::sqrt(of_q)) || size == 0) return false;
  const double ratio = (of_q - of_p) / (2 * size);
  const double tangent = (ratio >= 0 ? 1.0 : -1.0) / (std::fabs(ratio) + length_of(ratio, 1.0));
  rotation<T> by;
  by.cosine = 1 / length_of(tangent, 1.0);
  by.sine = tangent * by.cosine;
  by.phase = divide(conjugate(between), T(size));
  rotate(by, by.phase, columns.row(p), columns.row(q), n);
  rotate(by, by.phase, right.row(p), right.row(q), n);
  return true;
}

/// A vector of length one beside those that there are, in the place of one of length zero.
template <class T> std::vector<T> beside(const std::vector<std::vector<T>>& others, std::size_t n) {
  for (std::size_t unit = 0; unit < n; ++unit) {
    std::vector<T> one(n);
    one[unit] = T(1);
    for (int round = 0; round < 2; ++round)
      for (const auto& other : others) {
        const T along = inner(other.data(), one.data(), n);
        for (std::size_t k = 0; k < n; ++k) one[k] -= multiply(along, other[k]);
      }
    const double size = length(one.data(), n);
    if (size * static_cast<double>(2 * n) < 1) continue;  // one of the units has a part of 1 / sqrt(n) at least
    for (T& element : one) element = multiply(1 / size, element);
    return one;
  }
  return std::vector<T>(n);
}

}  // namespace

template <class T> small_svd<T> svd_of(const small_matrix<T>& a, const pulse& alive) {
  const std::size_t n = a.rows();
  small_matrix<T> columns(n, n);
  small_matrix<T> right(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    right(i, i) = T(1);
    for (std::size_t j = 0; j < n; ++j) columns(j, i) = a(i, j);
  }
  constexpr int most_sweeps = 60;
  work_meter work(alive);
  bool has_turned = true;
  for (int sweep = 0; sweep < most_sweeps && has_turned; ++sweep) {
    has_turned = false;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q)
        if (make_orthogonal(columns, right, p, q)) has_turned = true;
      work.add(n * (n - p));
    }
  }
  std::vector<double> lengths(n);
  std::vector<std::size_t> order(n);
  for (std::size_t j = 0; j < n; ++j) lengths[j] = length(columns.row(j), n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return lengths[x] > lengths[y]; });
  small_svd<T> found{std::vector<double>(n), small_matrix<T>(n, n), small_matrix<T>(n, n)};
  std::vector<std::vector<T>> lefts;
  for (std::size_t j = 0; j < n; ++j) {
    const T* const column = columns.row(order[j]);
    const double size = found.values[j] = lengths[order[j]];
    if (size > 0) {
      lefts.emplace_back(column, column + n);
      for (T& element : lefts.back()) element = divide(element, T(size));
    } else {
      lefts.push_back(beside(lefts, n));
    }
    for (std::size_t i = 0; i < n; ++i) {
      found.left(i, j) = lefts.back()[i];
      found.right(i, j) = right(order[j], i);
    }
  }
  return found;
}

#define LACIS_INSTANTIATE(T)                                       \
  template class jacobi_rotations<T>;                              \
  template small_eigen<T> eigen_of(small_matrix<T>, const pulse&); \
  template small_svd<T> svd_of(const small_matrix<T>&, const pulse&);
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::solver

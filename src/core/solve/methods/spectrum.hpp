// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Between which bounds the eigenvalues of M A lie, from the coefficients of a few conjugate gradients.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/operations.hpp"

namespace lacis::solver {

struct interval {
  double smallest = 0;
  double largest = 0;
};

/// The k-th eigenvalue (from below) of a symmetric tridiagonal matrix, by bisection on the signs of its pivots
/// (Parlett, The Symmetric Eigenvalue Problem, section 3.3).
inline double tridiagonal_eigenvalue(const std::vector<double>& diagonal, const std::vector<double>& beside,
                                     std::size_t k) {
  double low = diagonal[0];
  double high = diagonal[0];
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double radius = (i > 0 ? std::fabs(beside[i - 1]) : 0) + (i + 1 < diagonal.size() ? std::fabs(beside[i]) : 0);
    low = std::min(low, diagonal[i] - radius);
    high = std::max(high, diagonal[i] + radius);
  }
  const auto below = [&](double bound) {
    std::size_t count = 0;
    double pivot = 1;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      pivot = diagonal[i] - bound - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
      if (pivot == 0) pivot = -1e-300;
      if (pivot < 0) ++count;
    }
    return count;
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (below(middle) > k ? high : low) = middle;
  }
  return (low + high) / 2;
}

/// Both ends, widened: Ritz values lie inside the spectrum. A smallest of 0 or less says that A is not definite.
template <value T> interval estimate_spectrum(operations<T>& ops, const space_vector<T>& b, int steps = 40) {
  const std::int64_t n = ops.rows();
  const auto r = ops.zeros(n), p = ops.zeros(n), q = ops.zeros(n), z = ops.zeros(n);
  ops.copy(b, r);
  ops.precondition(r, z);
  ops.copy(z, p);
  double rho = static_cast<double>(std::real(ops.dot(r, z)));
  const double first = rho;
  std::vector<double> diagonal;
  std::vector<double> beside;
  double alpha_before = 1;
  double beta = 0;
  for (int k = 0; k < steps && rho > first * 1e-20; ++k) {
    const double curvature = static_cast<double>(std::real(ops.apply_and_dot(p, q)));
    if (!(curvature > 0)) return {0, 0};
    const double alpha = rho / curvature;
    diagonal.push_back(1 / alpha + beta / alpha_before);
    ops.axpy(T(static_cast<real_of<T>>(-alpha)), q, r);
    ops.precondition(r, z);
    const double next = static_cast<double>(std::real(ops.dot(r, z)));
    beta = next / rho;
    beside.push_back(std::sqrt(beta) / alpha);
    ops.axpby(T(1), z, T(static_cast<real_of<T>>(beta)), p);
    rho = next;
    alpha_before = alpha;
  }
  if (diagonal.empty()) return {1, 1.1};
  const double smallest = tridiagonal_eigenvalue(diagonal, beside, 0);
  const double largest = tridiagonal_eigenvalue(diagonal, beside, diagonal.size() - 1);
  return {0.7 * smallest, 1.1 * largest};
}

}  // namespace lacis::solver

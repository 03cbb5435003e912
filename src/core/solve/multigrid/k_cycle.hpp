// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The K-cycle (Y. Notay and P. Vassilevski, Numer. Linear Algebra Appl. 15, 2008): a level is solved by one or two
// steps of a Krylov method, preconditioned by a cycle through the coarser ones.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include <lacis/operator.hpp>

#include "solve/scalars.hpp"

namespace lacis::multigrid {

/// The vectors of a level, on one process or on ranks.
template <value S> struct krylov_vectors {
  space_vector<S> b;  ///< right-hand side, then the residual of the first step
  space_vector<S> x;  ///< what a cycle gives, then the solution
  space_vector<S> first;
  space_vector<S> image_of_first;
  space_vector<S> image;  ///< A x of the second step
};

/// cycle() leaves in x about the solution of A x = b; multiply(u, v) is v = A u. Where A is Hermitian the steps are
/// those of flexible conjugate gradients, which minimise the error in the norm of A; elsewhere those of generalised
/// conjugate residuals, which minimise the residual. The two differ in what a direction is multiplied with: itself or
/// its image. Dot products have the fixed order of the space.
template <value S, class Cycle, class Multiply>
void krylov_steps(vector_space<S>& space, const krylov_vectors<S>& v, bool hermitian, Cycle&& cycle,
                  Multiply&& multiply) {
  using real = real_of<S>;
  using vector = space_vector<S>;
  /// The second step is left out where the first has reduced the residual to that share.
  constexpr real enough = real(0.25);
  constexpr real rounding = 16 * std::numeric_limits<real>::epsilon();
  const auto over = [](S number, real by) {
    if constexpr (is_complex<S>)
      return S(number.real() / by, number.imag() / by);
    else
      return number / by;
  };
  std::array<S, 2> products;
  // a^H x and b^H x in one reduction.
  const auto dots = [&](const vector& a, const vector& b, const vector& x) {
    space.dots(std::array<vector, 2>{a, b}, x, products);
  };

  cycle();
  space.axpby(S(1), v.x, S(0), v.first);
  multiply(v.first, v.image_of_first);
  const vector& tested = hermitian ? v.first : v.image_of_first;
  const real square = std::real(space.dot(tested, v.image_of_first));
  dots(v.b, tested, v.b);
  const real before = std::real(products[0]);
  const S alpha = over(products[1], square);
  if (!(square > 0) || !solver::is_finite(alpha)) return;  // no direction to go along: what the cycle gave
  const real after = std::real(space.axpy_and_square(-alpha, v.image_of_first, v.b));
  if (after <= enough * enough * before) return space.axpby(S(0), v.x, alpha, v.x);

  cycle();
  multiply(v.x, v.image);
  const vector& second = hermitian ? v.x : v.image;
  dots(v.image_of_first, v.image, second);
  const S along = products[0];
  const real whole = std::real(products[1]);
  // Of the second direction, made orthogonal to the first.
  const real rest = whole - std::real(solver::multiply(solver::conjugate(along), along)) / square;
  const S beta = over(space.dot(second, v.b), rest);
  if (!(rest > rounding * whole) || !solver::is_finite(beta)) return space.axpby(alpha, v.first, S(0), v.x);
  space.axpby(solver::subtract(alpha, over(solver::multiply(along, beta), square)), v.first, beta, v.x);
}

}  // namespace lacis::multigrid

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Chebyshev polynomial in D^-1 A that is small on the upper part of its spectrum, as smoothers take it.
#pragma once

#include <string>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/operator.hpp>

#include "base/text.hpp"
#include "solve/methods/spectrum.hpp"
#include "solve/operations.hpp"
#include "solve/precondition/spare_vectors.hpp"
#include "summation/environment.hpp"

namespace lacis::solver {

/// p(A) over products with A and with the inverse of its diagonal, in any space.
template <value T> class polynomial {
 public:
  using vector = space_vector<T>;

  /// Both operators must outlive it.
  polynomial(const linear_operator<T>& a, const linear_operator<T>& diagonal, int degree)
      : a_(a), diagonal_(diagonal), degree_(degree), scratch_(a.space(), a.rows()) {
    if (degree < 1) throw error(errc::invalid_argument, "a Chebyshev preconditioner has a degree of 1 at least");
    auto& all = a.space();
    const auto scratch = scratch_.take();
    const vector& r = scratch[0];
    // A right-hand side that has something of every eigenvector.
    const auto first = static_cast<std::size_t>(all.place(r).first);
    std::vector<T> start(static_cast<std::size_t>(a.rows()));
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = T(static_cast<real_of<T>>(1 + (first + i) * 7 % 13) / 16);
    all.from_host(start, r);
    const summation::rounding_guard guard;
    operations<T> ops(a, &diagonal);
    const interval found = estimate_spectrum(ops, r, 20);
    if (!(found.largest > 0))
      throw error(errc::invalid_matrix, "chebyshev: the matrix is not positive definite; use jacobi or ilu0");
    spectrum_ = {found.largest / 30, found.largest};
  }

  [[nodiscard]] std::string describe() const {
    return detail::text("Chebyshev polynomial of degree ", degree_, " between ", spectrum_.smallest, " and ",
                        spectrum_.largest);
  }

  /// y = p(A) x: `degree` steps of Chebyshev's iteration from y = 0.
  void apply(const vector& x, const vector& y) const {
    using real = real_of<T>;
    auto& all = a_.space();
    const auto middle = static_cast<real>((spectrum_.largest + spectrum_.smallest) / 2);
    const auto half = static_cast<real>((spectrum_.largest - spectrum_.smallest) / 2);
    const auto scratch = scratch_.take();
    const vector& r = scratch[0];
    const vector& d = scratch[1];
    const vector& q = scratch[2];
    all.axpby(T(1), x, T(0), r);
    diagonal_.apply(r, d);
    all.axpby(T(0), d, T(1 / middle), d);
    all.axpby(T(1), d, T(0), y);
    real rho = half / middle;
    for (int k = 1; k < degree_; ++k) {
      a_.apply(d, q);
      all.axpby(T(-1), q, T(1), r);
      diagonal_.apply(r, q);
      const real next = 1 / (2 * middle / half - rho);
      all.axpby(T(2 * next / half), q, T(next * rho), d);
      all.axpby(T(1), d, T(1), y);
      rho = next;
    }
  }

 private:
  const linear_operator<T>& a_;
  const linear_operator<T>& diagonal_;
  int degree_;
  interval spectrum_;
  spare_vectors<T, 3> scratch_;
};

}  // namespace lacis::solver

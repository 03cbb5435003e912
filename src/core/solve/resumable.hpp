// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A solution that can be left and gone on with, as if it had never been left.
#pragma once

#include <memory>
#include <span>

#include <lacis/solve.hpp>

namespace lacis::solver {

template <value T> class resumable {
 public:
  virtual ~resumable() = default;
  /// Goes on until `iterations` are done in all. True: it has ended, well or not; false: it can go on from here.
  virtual bool go_on(std::int64_t until) = 0;
  /// Writes x and tells what happened; it cannot go on after that.
  virtual solve_report report() = 0;
  /// It has ended where the residual is not told from the rounding errors of a product: a wall for other methods too,
  /// unless their x is smaller.
  [[nodiscard]] virtual bool is_at_rounding_errors() const { return false; }
  /// Iterations, history and seconds until now.
  [[nodiscard]] virtual const solve_report& so_far() const = 0;
};

/// solve() in pieces. What is given must outlive it.
template <value T>
[[nodiscard]] std::unique_ptr<resumable<T>> make_resumable(solve_method method, const linear_operator<T>& a,
                                                           std::span<const T> b, std::span<T> x,
                                                           const solve_options& options,
                                                           const linear_operator<T>* preconditioner);

}  // namespace lacis::solver

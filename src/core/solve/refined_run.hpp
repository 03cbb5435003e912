// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Mixed-precision refinement in pieces.
#pragma once

#include <utility>

#include "solve/refine.hpp"
#include "solve/resumable.hpp"

namespace lacis::solver {

/// refine(), left and gone on with from its x.
template <class T> class refined_run final : public resumable<T> {
 public:
  refined_run(solve_method method, const linear_operator<T>& a, const linear_operator<narrow_of<T>>& narrow,
              int exponent, std::span<const T> b, std::span<T> x, const solve_options& options,
              const linear_operator<narrow_of<T>>* preconditioner)
      : method_(method),
        a_(a),
        narrow_(narrow),
        exponent_(exponent),
        b_(b),
        x_(x),
        options_(options),
        preconditioner_(preconditioner) {}

  bool go_on(std::int64_t until) override {
    solve_options how = options_;
    how.max_iterations = until - report_.iterations;
    solve_report now = refine<T>(method_, a_, narrow_, exponent_, b_, x_, how, preconditioner_);
    now.iterations += report_.iterations;
    now.seconds += report_.seconds;
    now.history.insert(now.history.begin(), report_.history.begin(), report_.history.end());
    report_ = std::move(now);
    return report_.outcome != solve_outcome::max_iterations;
  }
  solve_report report() override { return report_; }
  [[nodiscard]] const solve_report& so_far() const override { return report_; }

 private:
  solve_method method_;
  const linear_operator<T>& a_;
  const linear_operator<narrow_of<T>>& narrow_;
  int exponent_;
  std::span<const T> b_;
  std::span<T> x_;
  const solve_options& options_;
  const linear_operator<narrow_of<T>>* preconditioner_;
  solve_report report_;
};

}  // namespace lacis::solver

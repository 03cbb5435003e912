// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix as an operator, with and without its adjoint, and the preconditioners that have been made from it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <lacis/solve_auto.hpp>

#include "plan/layout.hpp"

namespace lacis::solver {

template <class T, class Index> class prepared_matrix {
 public:
  /// With a plan of A, if there is one, which must outlive this.
  prepared_matrix(const csr_view<T, Index>& a, const auto_options& options, const plan<T, Index>* given = nullptr)
      : a_(a), options_(options), given_(given) {}

  /// What the method needs, made at the first call and kept.
  const linear_operator<T>& product_for(solve_method method) {
    return *(traits_of(method).least_squares ? made(both_, true) : made(plain_, false));
  }
  [[nodiscard]] const std::string& layout() const { return layout_; }
  [[nodiscard]] double read_gbs() const { return read_gbs_; }

  /// Null for none; the attempt gets what it says of itself.
  const preconditioner<T>* preconditioner_for(solve_attempt& attempt) {
    const solver_choice& choice = attempt.choice;
    if (!choice.preconditioner) return nullptr;
    auto& one = preconditioners_[*choice.preconditioner];
    if (one == nullptr)
      one = detail::make_preconditioner(a_, {.kind = *choice.preconditioner,
                                             .threads = options_.threads,
                                             .device = options_.device,
                                             .multigrid = options_.multigrid});
    attempt.preconditioner = one->describe();
    if (one->hierarchy() != nullptr) attempt.hierarchy = *one->hierarchy();
    return one.get();
  }

 private:
  using held = std::unique_ptr<linear_operator<T>>;

  const held& made(held& one, bool adjoint) {
    if (one != nullptr) return one;
    plan_options how{.device = options_.device, .threads = options_.threads};
    (is_complex<T> ? how.conjugate_transpose : how.transpose) = adjoint;
    const auto plan = is_given(adjoint) ? *given_ : detail::multiply_inspect(a_, how);
    one = make_operator(plan);
    layout_ = plan.layout();
    read_gbs_ = plan.report().read_gbs;
    return one;
  }

  [[nodiscard]] bool is_given(bool adjoint) const {
    if (given_ == nullptr || !adjoint) return given_ != nullptr;
    const plan_options& holds = given_->internals()->options;
    return holds.conjugate_transpose || (!is_complex<T> && holds.transpose);
  }

  csr_view<T, Index> a_;
  const auto_options& options_;
  const plan<T, Index>* given_;
  held plain_;
  held both_;
  std::string layout_;
  double read_gbs_ = 0;
  std::map<preconditioner_kind, std::unique_ptr<preconditioner<T>>> preconditioners_;
};

}  // namespace lacis::solver

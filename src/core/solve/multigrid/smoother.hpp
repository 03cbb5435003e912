// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Smoothing on one level: steps of Chebyshev's iteration, or of Jacobi's, taken with the product.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <lacis/operator.hpp>
#include <lacis/plan.hpp>

#include "base/internal.hpp"
#include "base/parallel.hpp"
#include "cpu/vector/kernels.hpp"
#include "plan/layout.hpp"
#include "plan/powers.hpp"
#include "solve/precondition/polynomial.hpp"

namespace lacis::multigrid {

/// The vectors of one level while a cycle works on it.
template <class S> struct level_vectors {
  buffer<S> b;  ///< right-hand side
  buffer<S> x;  ///< solution so far
  buffer<S> r;  ///< residual
  buffer<S> directions[2];
  // Of the two steps of a K-cycle; empty elsewhere.
  std::unique_ptr<vector_space<S>> space;
  buffer<S> first;           ///< direction
  buffer<S> image_of_first;  ///< A times it

  level_vectors(std::int64_t rows, std::unique_ptr<vector_space<S>> of_steps)
      : b(rows),
        x(rows),
        r(rows),
        directions{buffer<S>(rows), buffer<S>(rows)},
        space(std::move(of_steps)),
        first(space ? rows : 0),
        image_of_first(space ? rows : 0) {}
};

/// Where the vectors of a level are.
template <class S> struct smoothed_vectors {
  std::int64_t rows;
  const S* b;
  S* x;
  S* r;
  S* directions[2];

  smoothed_vectors(std::int64_t count, const S* right, S* solution, S* residual, S* one, S* other)
      : rows(count), b(right), x(solution), r(residual), directions{one, other} {}
  explicit smoothed_vectors(level_vectors<S>& v)
      : smoothed_vectors(v.x.size(), v.b.data(), v.x.data(), v.r.data(), v.directions[0].data(),
                         v.directions[1].data()) {}
};

/// d_1 = steps[0].of_residual D^-1 r, then d_k = steps[k].of_residual D^-1 r + steps[k].of_direction d_{k-1}; after
/// each r = r - A d and x = x + d.
template <class S> using smoothing_steps = std::vector<solver::chebyshev_step<S>>;

/// One smoothing as a chain of products with A: the vectors of a row are worked on while they are in cache.
template <class S> class smoothing_chain final : public detail::product_chain<S> {
 public:
  /// `from_zero`: x is zero before, and the first direction needs no product. `with_residual`: r is b - A x afterwards.
  smoothing_chain(const cpu::vector_table<S>& kernels, std::span<const S> inverse, const smoothing_steps<S>& steps,
                  const smoothed_vectors<S>& v, bool from_zero, bool with_residual)
      : kernels_(kernels),
        inverse_(inverse),
        steps_(steps),
        v_(v),
        from_zero_(from_zero),
        with_residual_(with_residual) {}

  [[nodiscard]] std::int64_t products() const {
    return static_cast<std::int64_t>(steps_.size()) - (from_zero_ ? 1 : 0) + (with_residual_ ? 1 : 0);
  }
  [[nodiscard]] const S* from(std::int64_t k) const override {
    return !from_zero_ && k == 1 ? v_.x : direction(step_after(k) - 1);
  }
  [[nodiscard]] S* to(std::int64_t k) const override { return direction(step_after(k)); }
  void finish(std::int64_t k, std::int64_t begin, std::int64_t end) const override {
    constexpr std::int64_t piece = 1024;  // a few vectors of it stay in L1
    for (std::int64_t first = begin; first < end; first += piece) finish_piece(k, first, std::min(piece, end - first));
  }

  /// What comes before the products: from zero, the first direction.
  void start(std::int64_t begin, std::int64_t end) const {
    if (!from_zero_) return;
    kernels_.scale(inverse_.data() + begin, v_.b + begin, direction(0) + begin, end - begin);
    kernels_.axpby(S(0), direction(0) + begin, steps_[0].of_residual, direction(0) + begin, end - begin);
    kernels_.axpby(S(1), direction(0) + begin, S(0), v_.x + begin, end - begin);
  }
  /// What comes after them: x of a single step, which its product has read.
  void end(std::int64_t begin, std::int64_t end) const {
    if (!from_zero_ && products() == 1) add_direction(0, begin, end - begin);
  }

 private:
  /// The direction that is made of what product k gives: 0 for the first one.
  [[nodiscard]] std::int64_t step_after(std::int64_t k) const { return from_zero_ ? k : k - 1; }
  [[nodiscard]] S* direction(std::int64_t step) const { return v_.directions[step % 2]; }
  void add_direction(std::int64_t step, std::int64_t begin, std::int64_t count) const {
    kernels_.axpby(S(1), direction(step) + begin, S(1), v_.x + begin, count);
  }

  void finish_piece(std::int64_t k, std::int64_t begin, std::int64_t count) const {
    const std::int64_t step = step_after(k);
    S* const product = to(k) + begin;
    S* const r = v_.r + begin;
    if (k == 1) kernels_.axpby(S(1), v_.b + begin, S(0), r, count);
    kernels_.axpby(S(-1), product, S(1), r, count);
    // The product of the last direction is for the residual alone, and x no longer read.
    if (!from_zero_ && k == 2) add_direction(0, begin, count);
    if (step == static_cast<std::int64_t>(steps_.size())) return;
    const solver::chebyshev_step<S>& how = steps_[static_cast<std::size_t>(step)];
    kernels_.scale(inverse_.data() + begin, r, product, count);
    if (step == 0)
      kernels_.axpby(S(0), product, how.of_residual, product, count);
    else
      kernels_.axpby(how.of_direction, direction(step - 1) + begin, how.of_residual, product, count);
    if (step > 0) add_direction(step, begin, count);
  }

  const cpu::vector_table<S>& kernels_;
  std::span<const S> inverse_;
  const smoothing_steps<S>& steps_;
  smoothed_vectors<S> v_;
  bool from_zero_;
  bool with_residual_;
};

/// The steps of a chain, whose products multiply() computes.
template <class S, class Multiply>
void smooth_by(const smoothing_chain<S>& chain, std::int64_t rows, bool from_zero, Multiply&& multiply) {
  if (from_zero)
    detail::parallel_ranges(rows, [&](std::int64_t begin, std::int64_t end) {
      const summation::rounding_guard guard;
      chain.start(begin, end);
    });
  if (chain.products() > 0) multiply();
  detail::parallel_ranges(rows, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    chain.end(begin, end);
  });
}

/// Smooths A x = b in the level's vectors.
template <class S, class Index>
void smooth(const plan<S, Index>& a, std::span<const S> inverse, const smoothing_steps<S>& steps, level_vectors<S>& v,
            bool from_zero, bool with_residual) {
  const smoothing_chain<S> chain(cpu::vector_kernels_for<S>(a.internals()->set), inverse, steps, smoothed_vectors<S>(v),
                                 from_zero, with_residual);
  smooth_by(chain, v.x.size(), from_zero, [&] {
    constexpr int vectors = 6;  // both directions, r, x, b and the diagonal
    auto memory = detail::take_workspace(a);
    detail::multiply_chain(a, chain, chain.products(), vectors, *memory);
    detail::put_back(a, std::move(memory));
  });
}

/// The same with products multiply(from, to) of a matrix that is elsewhere: the bits are the same.
template <class S>
LACIS_INTERNAL void smooth(const std::function<void(const S*, S*)>& multiply, std::span<const S> inverse,
                           const smoothing_steps<S>& steps, const smoothed_vectors<S>& v, bool from_zero,
                           bool with_residual);

}  // namespace lacis::multigrid

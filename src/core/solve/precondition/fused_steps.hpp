// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Steps of Chebyshev's iteration on the processor, several with one reading of the matrix.
#pragma once

#include <cstdint>
#include <span>

#include "cpu/vector/kernels.hpp"
#include "plan/layout.hpp"
#include "plan/powers.hpp"
#include "solve/precondition/polynomial.hpp"

namespace lacis::solver {

/// The bits are those of the steps one by one. Directions are in two vectors in turn: where a step computes a row, no
/// other row needs the direction of the step before the last one there, and the product goes to its place.
template <value T> class chebyshev_chain final : public detail::product_chain<T> {
 public:
  chebyshev_chain(const cpu::vector_table<T>& kernels, std::span<const T> inverse,
                  std::span<const chebyshev_step<T>> steps, T* r, T* d, T* q, T* y)
      : kernels_(kernels), inverse_(inverse), steps_(steps), r_(r), directions_{d, q}, y_(y) {}

  [[nodiscard]] const T* from(std::int64_t k) const override { return directions_[(k - 1) % 2]; }
  [[nodiscard]] T* to(std::int64_t k) const override { return directions_[k % 2]; }
  void finish(std::int64_t k, std::int64_t begin, std::int64_t end) const override {
    const chebyshev_step<T>& step = steps_[static_cast<std::size_t>(k - 1)];
    const std::int64_t count = end - begin;
    T* const d = to(k) + begin;
    T* const r = r_ + begin;
    const T* const inverse = inverse_.data() + begin;
    kernels_.axpby(T(-1), d, T(1), r, count);
    kernels_.scale(inverse, r, d, count);
    kernels_.axpby(step.of_direction, from(k) + begin, step.of_residual, d, count);
    kernels_.axpby(T(1), d, T(1), y_ + begin, count);
  }

 private:
  const cpu::vector_table<T>& kernels_;
  std::span<const T> inverse_;
  std::span<const chebyshev_step<T>> steps_;
  T* r_;
  T* directions_[2];
  T* y_;
};

/// For a plan on the processor and the inverse of its diagonal, both of which must outlive what is returned. `cache`:
/// bytes that a thread's rows are to stay in, 0 for those of L2.
template <class T, class Index>
[[nodiscard]] typename polynomial<T>::all_steps fused_steps(const plan<T, Index>& a, std::span<const T> inverse,
                                                            std::int64_t cache = 0) {
  using vector = space_vector<T>;
  return [&a, inverse, cache](std::span<const chebyshev_step<T>> steps, const vector& r, const vector& d,
                              const vector& q, const vector& y) {
    constexpr int vectors = 5;  // both directions, r, y and the diagonal
    const chebyshev_chain<T> chain(cpu::vector_kernels_for<T>(a.internals()->set), inverse, steps, r.data(), d.data(),
                                   q.data(), y.data());
    auto memory = detail::take_workspace(a);
    detail::multiply_chain(a, chain, static_cast<std::int64_t>(steps.size()), vectors, *memory, cache);
    detail::put_back(a, std::move(memory));
  };
}

}  // namespace lacis::solver

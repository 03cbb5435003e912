// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels on vectors in plain C++: the `scalar` instruction set, and dot products of different types.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/spmv/portable.hpp"
#include "cpu/vector/kernels.hpp"
#include "summation/scale.hpp"

namespace lacis::cpu::portable {

static_assert(lane_count == block_lanes, "blocks of vectors and chunks of rows share lanes_sum");

template <class A, class B> [[nodiscard]] product_of<A, B> dot(const A* x, const B* y, std::int64_t count) {
  return lanes_sum<product_of<A, B>>(count, [&](std::int64_t k) { return summation::multiply(x[k], y[k]); });
}

template <class A, class B> [[nodiscard]] product_of<A, B> dotc(const A* x, const B* y, std::int64_t count) {
  return lanes_sum<product_of<A, B>>(count, [&](std::int64_t k) { return summation::multiply_conjugated(x[k], y[k]); });
}

template <class T> [[nodiscard]] real_of<T> sum_of_squares(const T* x, std::int64_t count, real_of<T> factor) {
  return lanes_sum<real_of<T>>(count, [&](std::int64_t k) { return summation::square(x[k], factor); });
}

template <class T> [[nodiscard]] real_of<T> largest(const T* x, std::int64_t count) {
  real_of<T> most = 0;
  for (std::int64_t k = 0; k < count; ++k) most = std::max(most, summation::largest_part(x[k]));
  return most;
}

template <class T> void axpby(T alpha, const T* x, T beta, T* y, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k)
    y[k] = summation::combine(alpha, [&] { return x[k]; }, beta, [&] { return y[k]; });
}

template <class T> void scale(const T* w, const T* x, T* y, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) y[k] = summation::add(T{}, summation::multiply(w[k], x[k]));
}

}  // namespace lacis::cpu::portable

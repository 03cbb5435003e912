// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums over vectors: dot products and norms in blocks of the global index range, and the elementwise updates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/types.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"
#include "summation/orders.hpp"
#include "summation/scale.hpp"
#include "summation/sum.hpp"
#include "summation/tree.hpp"

namespace lacis::summation {

/// sum_terms in the order `blocked`, on threads: each takes adjacent blocks, and ranges of nodes join to the same bits.
template <value T, class Term> [[nodiscard]] T sum_in_blocks(std::int64_t count, Term&& term) {
  const rounding_guard guard;
  const auto step = [&](T sum, std::int64_t k) { return add(sum, static_cast<T>(term(k))); };
  const std::int64_t blocks = chunks_of(count, blocked.chunk);
  std::vector<node_range<T>> parts(static_cast<std::size_t>(detail::threads_for(count)));
  detail::on_threads(static_cast<int>(parts.size()), [&](int t, int threads) {
    const rounding_guard guard_of_thread;
    parts[static_cast<std::size_t>(t)] = sum_of_chunks<T>(
        detail::even_cut(blocks, t, threads), detail::even_cut(blocks, t + 1, threads), count, step, blocked);
  });
  for (std::size_t t = 1; t < parts.size(); ++t) parts[0].append(parts[t]);
  return parts[0].total();
}

inline void require_same_length(std::size_t x, std::size_t y) {
  if (x != y)
    throw error(errc::invalid_argument, detail::text("vectors of ", x, " and ", y, " elements do not go together"));
}

/// x^T y.
template <value A, value B> [[nodiscard]] product_of<A, B> dot(std::span<const A> x, std::span<const B> y) {
  require_same_length(x.size(), y.size());
  return sum_in_blocks<product_of<A, B>>(static_cast<std::int64_t>(x.size()), [&](std::int64_t i) {
    return multiply(x[static_cast<std::size_t>(i)], y[static_cast<std::size_t>(i)]);
  });
}

/// x^H y.
template <value A, value B> [[nodiscard]] product_of<A, B> dotc(std::span<const A> x, std::span<const B> y) {
  require_same_length(x.size(), y.size());
  return sum_in_blocks<product_of<A, B>>(static_cast<std::int64_t>(x.size()), [&](std::int64_t i) {
    return multiply_conjugated(x[static_cast<std::size_t>(i)], y[static_cast<std::size_t>(i)]);
  });
}

/// The 2-norm of element(0) .. element(count - 1): the root of the sum of their squares, rescued as root_of_squares
/// says. Overflows only when the norm itself does.
template <value T, class Element> [[nodiscard]] real_of<T> norm_of(std::int64_t count, Element&& element) {
  using real = real_of<T>;
  const rounding_guard guard;
  const auto sum_at = [&](real factor) {
    return sum_in_blocks<real>(count, [&](std::int64_t i) { return square(static_cast<T>(element(i)), factor); });
  };
  const auto largest = [&] {
    real most = 0;
    for (std::int64_t i = 0; i < count; ++i) most = std::max(most, largest_part(static_cast<T>(element(i))));
    return most;
  };
  return root_of_squares<real>(sum_at, largest);
}

template <value T> [[nodiscard]] real_of<T> norm(std::span<const T> x) {
  return norm_of<T>(static_cast<std::int64_t>(x.size()),
                    [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; });
}

/// y = alpha x + beta y, each element by `combine`.
template <value Scalar, value T> void axpby(Scalar alpha, std::span<const T> x, Scalar beta, std::span<T> y) {
  require_same_length(x.size(), y.size());
  const rounding_guard guard;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = combine(alpha, [&] { return x[i]; }, beta, [&] { return y[i]; });
}

/// y = alpha x + y. alpha = 0 leaves y as it is and does not read x.
template <value Scalar, value T> void axpy(Scalar alpha, std::span<const T> x, std::span<T> y) {
  axpby(alpha, x, Scalar(1), y);
}

/// x = alpha x. alpha = 0 writes +0 and reads nothing.
template <value Scalar, value T> void scale_vector(Scalar alpha, std::span<T> x) {
  const rounding_guard guard;
  for (T& element : x) element = combine(Scalar(0), [] { return T{}; }, alpha, [&] { return element; });
}

}  // namespace lacis::summation

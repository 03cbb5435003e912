// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operations on vectors: dot products, the norm, and elementwise updates.
#pragma once

#include <span>
#include <type_traits>

#include <lacis/export.hpp>
#include <lacis/multiply_options.hpp>
#include <lacis/ranges.hpp>
#include <lacis/types.hpp>

namespace lacis {

namespace detail {

template <class A, class B>
LACIS_API product_of<A, B> dot(std::span<const A> x, std::span<const B> y, const multiply_options& options);
template <class A, class B>
LACIS_API product_of<A, B> dotc(std::span<const A> x, std::span<const B> y, const multiply_options& options);
template <class T> LACIS_API real_of<T> norm(std::span<const T> x, const multiply_options& options);
template <class T>
LACIS_API void axpby(T alpha, std::span<const T> x, T beta, std::span<T> y, const multiply_options& options);
template <class T> LACIS_API void scale(T alpha, std::span<T> x, const multiply_options& options);

}  // namespace detail

// The bits of every result are those of the order of summation, for any number of threads and every instruction set.
// Vectors whose lengths differ are error(invalid_argument).

/// x^T y. The elements of x and y may be of different types; x and y may overlap.
template <vector_range X, vector_range Y>
[[nodiscard]] auto dot(const X& x, const Y& y, const multiply_options& options = {}) {
  return detail::dot(detail::elements(x), detail::elements(y), options);
}

/// x^H y: as dot, with the conjugates of x.
template <vector_range X, vector_range Y>
[[nodiscard]] auto dotc(const X& x, const Y& y, const multiply_options& options = {}) {
  return detail::dotc(detail::elements(x), detail::elements(y), options);
}

/// The 2-norm. Overflows only when the norm itself does and keeps its accuracy down to the smallest numbers; NaN when
/// an element is, also beside an infinite one.
template <vector_range X> [[nodiscard]] auto norm(const X& x, const multiply_options& options = {}) {
  return detail::norm(detail::elements(x), options);
}

/// y = alpha x + beta y. Both products are rounded, then their sum; alpha = 1 and beta = 1 skip their product. alpha =
/// 0 does not read x, beta = 0 does not read y (a NaN there does not survive): axpby(1, x, 0, y) copies, and both 0
/// fill with +0. The elements of x and y have the same type, which is that of alpha and beta too. x and y are apart or
/// the same vector; any other overlap is error(invalid_argument).
template <vector_range X, vector_range Y>
void axpby(detail::element_of<Y> alpha, const X& x, detail::element_of<Y> beta, Y&& y,
           const multiply_options& options = {}) {
  static_assert(std::is_same_v<detail::element_of<X>, detail::element_of<Y>>,
                "the elements of x and y must have the same type");
  detail::axpby(alpha, detail::elements(x), beta, detail::writable_elements(y), options);
}

/// y = alpha x + y, as axpby with beta = 1: alpha = 0 leaves y as it is.
template <vector_range X, vector_range Y>
void axpy(detail::element_of<Y> alpha, const X& x, Y&& y, const multiply_options& options = {}) {
  axpby(alpha, x, detail::element_of<Y>(1), y, options);
}

/// x = alpha x. alpha = 0 writes +0 and reads nothing, alpha = 1 leaves x as it is.
template <vector_range X> void scale(detail::element_of<X> alpha, X&& x, const multiply_options& options = {}) {
  detail::scale(alpha, detail::writable_elements(x), options);
}

}  // namespace lacis

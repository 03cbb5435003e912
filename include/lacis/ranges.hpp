// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What products and operations on vectors take: numbers that lie one after the other, or a dense_view.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#include <lacis/dense.hpp>
#include <lacis/types.hpp>

namespace lacis {

namespace detail {

/// Eigen's objects tell by their types how far their elements lie apart and whether they are vectors; their iterators
/// are not contiguous ones to the standard library.
template <class X>
concept has_inner_stride = requires {
  std::remove_cvref_t<X>::InnerStrideAtCompileTime;
  std::remove_cvref_t<X>::IsVectorAtCompileTime;
};

template <class X> inline constexpr bool is_vector = false;
template <class T> inline constexpr bool is_vector<std::vector<T>> = !std::is_same_v<T, bool>;

template <class X> consteval bool has_contiguous_elements() {
  if constexpr (is_vector<std::remove_cvref_t<X>>)
    return true;  // at once: the concepts, which come with <span>, take compilers long
  else
    return std::ranges::contiguous_range<X> && std::ranges::sized_range<X>;
}
template <class X> inline constexpr bool is_contiguous = has_contiguous_elements<X>();
template <has_inner_stride X>
inline constexpr bool is_contiguous<X> = std::remove_cvref_t<X>::InnerStrideAtCompileTime == 1 &&
                                         std::remove_cvref_t<X>::IsVectorAtCompileTime && requires(X& x) {
                                           x.data();
                                           x.size();
                                         };

template <class X> struct element {
  using type = void;
};
template <class X>
  requires is_contiguous<X>
struct element<X> {
  using type = std::remove_cvref_t<decltype(*std::data(std::declval<const X&>()))>;
};
template <class T> struct element<dense_view<T>> {
  using type = std::remove_cv_t<T>;
};
/// The type of an operand's elements; void for what is no operand.
template <class X> using element_of = typename element<std::remove_cvref_t<X>>::type;

template <class T> inline constexpr bool is_dense_view = false;
template <class T> inline constexpr bool is_dense_view<dense_view<T>> = true;

}  // namespace detail

/// A vector: a contiguous range of numbers (std::span, std::vector, std::array, buffer), or an Eigen vector whose type
/// says that its elements lie side by side.
template <class X>
concept vector_range = detail::is_contiguous<X> && value<detail::element_of<X>>;

/// An operand of a product: a vector or dense columns.
template <class X>
concept dense_operand =
    vector_range<X> || (detail::is_dense_view<std::remove_cvref_t<X>> && value<detail::element_of<X>>);

namespace detail {

/// The elements of a vector.
template <class X> [[nodiscard]] auto elements(const X& x) {
  return std::span<const element_of<X>>(std::data(x), static_cast<std::size_t>(std::size(x)));
}
template <class Y> [[nodiscard]] auto writable_elements(Y& y) {
  static_assert(!std::is_const_v<std::remove_reference_t<decltype(*std::data(y))>>,
                "the elements that are to be written are const");
  return std::span<element_of<Y>>(std::data(y), static_cast<std::size_t>(std::size(y)));
}

/// What a product reads, as the library's functions take it.
template <class X> [[nodiscard]] auto operand(const X& x) {
  if constexpr (is_dense_view<X>)
    return dense_view<const element_of<X>>{x.data, x.rows, x.cols, x.row_stride, x.col_stride};
  else
    return elements(x);
}
/// What a product writes.
template <class Y> [[nodiscard]] auto target(Y& y) {
  if constexpr (is_dense_view<std::remove_cv_t<Y>>) {
    static_assert(!std::is_const_v<std::remove_pointer_t<decltype(y.data)>>,
                  "the elements that are to be written are const");
    return y;
  } else {
    return writable_elements(y);
  }
}

/// Whether x and y are operands of a product y = A x; the reason why not is a compiler's error.
template <class A, class X, class Y> consteval bool are_operands() {
  constexpr bool taken = dense_operand<X> && dense_operand<Y>;
  static_assert(taken,
                "x and y must be contiguous ranges of float, double or their complex numbers, or dense_views: elements "
                "that lie apart (a row of a column-major matrix) and matrices of other libraries are given as a "
                "dense_view with their strides");
  if constexpr (taken) {
    static_assert(is_dense_view<std::remove_cvref_t<X>> == is_dense_view<std::remove_cvref_t<Y>>,
                  "x and y must be two vectors or two dense_views");
    static_assert(std::is_same_v<element_of<Y>, product_of<A, element_of<X>>>,
                  "the elements of y must have the product type of the elements of A and x");
  }
  return taken;
}

}  // namespace detail

}  // namespace lacis

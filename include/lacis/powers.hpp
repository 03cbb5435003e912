// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Several products in a row: A x, A^2 x, ..., and three-term recurrences, with as few readings of A as possible.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <lacis/dense.hpp>
#include <lacis/export.hpp>
#include <lacis/plan.hpp>
#include <lacis/ranges.hpp>

namespace lacis {

/// One step of a recurrence: y_k = alpha A y_{k-1} + beta y_{k-1} + gamma y_{k-2}.
template <value T> struct recurrence_step {
  T alpha = T(1);  ///< of the product
  T beta = T(0);   ///< of the vector that is multiplied
  T gamma = T(0);  ///< of the vector before it
};

namespace detail {
// `cache`: bytes that a thread's rows are to stay in; 0: those of the processor's L2.
template <class T, class Index>
LACIS_API void multiply_powers(const plan<T, Index>& p, std::span<const T> x, const dense_view<T>& y, workspace& memory,
                               std::int64_t cache = 0);
template <class T, class Index>
LACIS_API void multiply_recurrence(const plan<T, Index>& p, std::span<const T> before, std::span<const T> x,
                                   std::span<const recurrence_step<T>> steps, const dense_view<T>& y, workspace& memory,
                                   std::int64_t cache = 0);
template <class T, class Index>
LACIS_API std::string explain_powers(const plan<T, Index>& p, int power, std::int64_t cache = 0);
}  // namespace detail

// A is square. y has a column per product, each contiguous (column_major). The bits are those of one product after the
// other, whether products share a reading of A or not: explain_powers() says which. Where one is fused, a thread
// computes rows of several products while what they share is in its L2 cache. x and y do not overlap. A first call
// computes how far entries are from the diagonal, later ones allocate nothing.

/// Columns of y: A x, A^2 x, ..., A^p x, with p the number of columns.
template <value T, index Index, vector_range X>
  requires std::is_same_v<detail::element_of<X>, T>
void multiply_powers(const plan<T, Index>& a, const X& x, const dense_view<T>& y, workspace& memory) {
  detail::multiply_powers(a, detail::elements(x), y, memory);
}
/// The same with a workspace that the plan keeps.
template <value T, index Index, vector_range X>
  requires std::is_same_v<detail::element_of<X>, T>
void multiply_powers(const plan<T, Index>& a, const X& x, const dense_view<T>& y) {
  auto memory = detail::take_workspace(a);
  multiply_powers(a, x, y, *memory);
  detail::put_back(a, std::move(memory));
}

/// Columns of y by a recurrence with one step per column: y_0 is x, and y_{-1} is `before`, which may be empty where
/// the first gamma is 0. The bits are those of
///
///     multiply(alpha, A, y_{k-1}, 0, y_k);  axpy(beta, y_{k-1}, y_k);  axpy(gamma, y_{k-2}, y_k);
template <value T, index Index, vector_range B, vector_range X>
  requires std::is_same_v<detail::element_of<X>, T> && std::is_same_v<detail::element_of<B>, T>
void multiply_recurrence(const plan<T, Index>& a, const B& before, const X& x,
                         std::span<const std::type_identity_t<recurrence_step<T>>> steps, const dense_view<T>& y,
                         workspace& memory) {
  detail::multiply_recurrence(a, detail::elements(before), detail::elements(x), steps, y, memory);
}

/// Whether so many products share readings of A, how, what each of them moves, or why they do not, in a sentence.
template <value T, index Index> [[nodiscard]] std::string explain_powers(const plan<T, Index>& a, int power) {
  return detail::explain_powers(a, power);
}

}  // namespace lacis

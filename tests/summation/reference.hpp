// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The order once more, written differently: recursion instead of loops, wider arithmetic rounded back instead of the
// machine's.
#pragma once

#include <bit>
#include <complex>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <lacis/csr.hpp>

#include "summation/arithmetic.hpp"
#include "support/matrices.hpp"

namespace lacis::test {

/// A type with more than twice the digits: an operation in it, rounded back, is the operation rounded once.
#ifdef __SIZEOF_FLOAT128__
__extension__ using quadruple = __float128;
#else
using quadruple = long double;
#endif
template <class Real> using wider = std::conditional_t<std::is_same_v<Real, float>, double, quadruple>;

template <class Real> Real wide_add(Real a, Real b) {
  return static_cast<Real>(static_cast<wider<Real>>(a) + static_cast<wider<Real>>(b));
}
template <class Real> Real wide_multiply(Real a, Real b) {
  return static_cast<Real>(static_cast<wider<Real>>(a) * static_cast<wider<Real>>(b));
}

template <class T> T reference_add(T a, T b) {
  if constexpr (is_complex<T>)
    return {wide_add(a.real(), b.real()), wide_add(a.imag(), b.imag())};
  else
    return wide_add(a, b);
}

template <value A, value B> auto reference_multiply(A a, B b) {
  using T = product_of<A, B>;
  using real = real_of<T>;
  const auto re = [](auto z) { return static_cast<real>(std::real(z)); };
  const auto im = [](auto z) { return static_cast<real>(std::imag(z)); };
  if constexpr (is_complex<A> && is_complex<B>)
    return T(wide_add(wide_multiply(re(a), re(b)), -wide_multiply(im(a), im(b))),
             wide_add(wide_multiply(re(a), im(b)), wide_multiply(im(a), re(b))));
  else if constexpr (is_complex<A>)
    return T(wide_multiply(re(a), re(b)), wide_multiply(im(a), re(b)));
  else if constexpr (is_complex<B>)
    return T(wide_multiply(re(a), re(b)), wide_multiply(re(a), im(b)));
  else
    return wide_multiply(re(a), re(b));
}

/// The neighbour tree told from the top: the left subtree holds the largest power of two below the number of leaves.
template <class T> T tree_from_the_top(std::span<const T> leaves) {
  if (leaves.size() == 1) return leaves[0];
  const std::size_t left = std::bit_ceil(leaves.size()) / 2;
  return reference_add(tree_from_the_top(leaves.first(left)), tree_from_the_top(leaves.subspan(left)));
}

/// Lane t of `width` lanes: itself and its partner of the level twice as wide; at the widest, every `lanes`-th term.
template <class T> T lane_by_recursion(std::span<const T> terms, std::size_t t, std::size_t width, std::size_t lanes) {
  if (width < lanes)
    return reference_add(lane_by_recursion(terms, t, 2 * width, lanes),
                         lane_by_recursion(terms, t + width, 2 * width, lanes));
  T sum{};
  for (std::size_t k = t; k < terms.size(); k += lanes) sum = reference_add(sum, terms[k]);
  return sum;
}

/// The canonical sum of the terms (short_limit 32, chunks of 1024), or that of vectors (0, 4096).
template <class T>
T reference_sum(std::span<const T> terms, std::size_t short_limit = 32, std::size_t chunk = 1024,
                std::size_t lanes = 32) {
  if (terms.size() <= short_limit || terms.empty()) return lane_by_recursion(terms, 0, 1, 1);
  std::vector<T> chunks;
  for (; terms.size() > chunk; terms = terms.subspan(chunk))
    chunks.push_back(lane_by_recursion(terms.first(chunk), 0, 1, lanes));
  chunks.push_back(lane_by_recursion(terms, 0, 1, lanes));
  return tree_from_the_top<T>(chunks);
}

/// The rounded products of row i with x.
template <value A, index Index, value X>
auto products_of_row(const csr_view<A, Index>& a, std::int64_t i, std::span<const X> x) {
  std::vector<product_of<A, X>> products;
  for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++k)
    products.push_back(
        reference_multiply(a.values[k], x[static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)])]));
  return products;
}

}  // namespace lacis::test

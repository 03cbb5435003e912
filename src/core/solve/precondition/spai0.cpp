// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// SPAI(0): the diagonal matrix M with the smallest |I - M A|_F (Broeker and Grote 2002). Row i of I - M A is row i of I
// minus m_i times row i of A, so that m_i = conj(a_ii) / (the sum of all |a_ij|^2). For a Hermitian positive definite A
// all m_i are positive.
#include <algorithm>
#include <cmath>

#include "solve/precondition/block_preconditioner.hpp"
#include "solve/precondition/make.hpp"
#include "solve/scalars.hpp"

namespace lacis::solver {
namespace {

template <class T> T times_power(T a, int exponent) {
  if constexpr (is_complex<T>)
    return {std::scalbn(a.real(), exponent), std::scalbn(a.imag(), exponent)};
  else
    return std::scalbn(a, exponent);
}

/// m of row `i`. The row is brought near one by a power of two first: squares stay in range and change no digit.
template <class T, class Index>
bool nearest_element(const csr_view<T, Index>& a, std::int64_t shift, std::int64_t i, std::int64_t,
                     std::vector<T>& block) {
  using real = real_of<T>;
  const std::int64_t begin = a.row_offsets[static_cast<std::size_t>(i)];
  const std::int64_t end = a.row_offsets[static_cast<std::size_t>(i + 1)];
  T diagonal(0);
  real largest = 0;
  for (std::int64_t e = begin; e < end; ++e) {
    if (a.columns[static_cast<std::size_t>(e)] - shift == i) diagonal = a.values[e];
    largest = std::max({largest, std::fabs(std::real(a.values[e])), std::fabs(std::imag(a.values[e]))});
  }
  if (diagonal == T(0) || !std::isfinite(largest)) return false;
  const int exponent = std::ilogb(largest);
  T squares(0);
  for (std::int64_t e = begin; e < end; ++e) {
    const T entry = times_power(a.values[e], -exponent);
    squares = summation::add(squares, multiply(conjugate(entry), entry));
  }
  const T m = divide(conjugate(times_power(diagonal, -exponent)), T(std::real(squares)));
  block.assign(1, times_power(m, -exponent));
  return is_finite(block[0]) && block[0] != T(0);
}

}  // namespace

template <class T, class Index>
std::unique_ptr<preconditioner<T>> make_spai0(const csr_view<T, Index>& a, std::int64_t first,
                                              const preconditioner_options& options) {
  return std::make_unique<block_preconditioner<T, Index>>(
      a, first, options, 1, "SPAI(0): the diagonal that is nearest to the inverse", nearest_element<T, Index>);
}

#define LACIS_INSTANTIATE(T, Index) LACIS_INSTANTIATE_MAKE(make_spai0, T, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver

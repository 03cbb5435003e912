// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Residuals by code that shares nothing with the library: plain loops in long double, whose range no product of doubles
// leaves.
#pragma once

#include <cmath>
#include <complex>
#include <span>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::torture {

using wide = long double;

template <class T> std::complex<wide> widened(T x) {
  return {static_cast<wide>(std::real(x)), static_cast<wide>(std::imag(x))};
}

inline wide length(const std::vector<std::complex<wide>>& v) {
  wide sum = 0;
  for (const auto& element : v) sum += element.real() * element.real() + element.imag() * element.imag();
  return std::sqrt(sum);
}

struct judgement {
  wide residual = 0;       ///< |b - A x| / |b|, or |A x| where b is zero
  wide least_squares = 0;  ///< |A^H r| / (|A| |r|), |A| in the norm of Frobenius
};

template <class T> judgement judge(const csr_matrix<T, std::int32_t>& a, std::span<const T> b, std::span<const T> x) {
  std::vector<std::complex<wide>> r;
  std::vector<std::complex<wide>> right;
  std::vector<std::complex<wide>> back(static_cast<std::size_t>(a.cols));
  wide square_of_a = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    std::complex<wide> sum = widened(b[static_cast<std::size_t>(i)]);
    right.push_back(sum);
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const auto entry = widened(a.values[k]);
      const auto element = widened(x[static_cast<std::size_t>(a.columns[k])]);
      sum -= std::complex<wide>(entry.real() * element.real() - entry.imag() * element.imag(),
                                entry.real() * element.imag() + entry.imag() * element.real());
      square_of_a += entry.real() * entry.real() + entry.imag() * entry.imag();
    }
    r.push_back(sum);
  }
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const auto entry = std::conj(widened(a.values[k]));
      const auto element = r[static_cast<std::size_t>(i)];
      back[static_cast<std::size_t>(a.columns[k])] +=
          std::complex<wide>(entry.real() * element.real() - entry.imag() * element.imag(),
                             entry.real() * element.imag() + entry.imag() * element.real());
    }
  const wide all = length(right);
  const wide rest = length(r);
  const wide both = std::sqrt(square_of_a) * rest;
  return {all > 0 ? rest / all : rest, both > 0 ? length(back) / both : 0};
}

}  // namespace lacis::torture

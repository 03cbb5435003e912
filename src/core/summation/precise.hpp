// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How far rounding can take the sums of a product, and residuals in twice the digits, to decide where that matters.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <lacis/types.hpp>

#include "summation/sum.hpp"

namespace lacis::summation {

/// Roundings on the longest way from an entry of a row to its sum, in the order of summation: a product, then sums. The
/// first sum of every accumulator is exact.
[[nodiscard]] inline std::int64_t roundings_of_row(std::int64_t entries) {
  constexpr order o{};
  if (entries <= o.short_limit) return entries;
  const std::int64_t in_chunk = entries < o.chunk ? entries : o.chunk;
  const auto levels = [](std::int64_t leaves) {
    return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(leaves - 1)));
  };
  return chunks_of(in_chunk, o.lanes) + levels(o.lanes) + levels(chunks_of(entries, o.chunk));
}

/// A bound of the rounding errors of a row's sum, whose terms have the magnitudes |a_ij| |x_j| with that sum. The bound
/// of n roundings is n u / (1 - n u); one more than there are covers the quotient and the roundings of this one. A
/// complex product takes two more (Higham, Accuracy and Stability, section 3.6).
template <value T> [[nodiscard]] real_of<T> bound_of_row(std::int64_t entries, double magnitudes) {
  if (entries == 0) return 0;
  constexpr double unit = std::numeric_limits<real_of<T>>::epsilon() / 2;
  const std::int64_t roundings = roundings_of_row(entries) + (is_complex<T> ? 3 : 1);
  return static_cast<real_of<T>>(static_cast<double>(roundings) * unit * magnitudes);
}

/// |a| |x|, for such a sum.
template <value T> [[nodiscard]] double magnitude_of_product(T a, T x) {
  if constexpr (is_complex<T>)
    return std::abs(std::complex<double>(a)) * std::abs(std::complex<double>(x));
  else
    return std::fabs(static_cast<double>(a)) * std::fabs(static_cast<double>(x));
}

/// A sum of products of Real with twice its digits: of floats in double, of doubles as a number and what it rounds off
/// (Ogita, Rump and Oishi 2005).
template <class Real> class precise_sum {
 public:
  explicit precise_sum(Real first) : sum_(static_cast<double>(first)) {}

  void add_product(Real a, Real b) {
    if constexpr (std::is_same_v<Real, float>) {
      sum_ += static_cast<double>(a) * static_cast<double>(b);
    } else {
      const double product = a * b;
      const double sum = sum_ + product;
      const double taken = sum - sum_;
      rest_ += ((sum_ - (sum - taken)) + (product - taken)) + std::fma(a, b, -product);
      // The rest stays what the sum rounds off, so that its own roundings are of that size.
      sum_ = sum + rest_;
      rest_ -= sum_ - sum;
    }
  }
  [[nodiscard]] Real rounded() const { return static_cast<Real>(sum_ + rest_); }

 private:
  double sum_;
  double rest_ = 0;
};

/// What precise_sum leaves of the bound of a row, up to rows of millions of entries.
template <class Real> [[nodiscard]] constexpr double precise_share() {
  constexpr int spare = std::is_same_v<Real, float> ? 29 : 51;  // digits beyond those of Real
  constexpr int room = 16;                                      // entries over roundings_of_row
  return 1.0 / static_cast<double>(std::int64_t{1} << (spare - room));
}

/// b_i - the sum of a_ij x_j.
template <value T> class precise_row {
 public:
  explicit precise_row(T b) : real_(std::real(b)), imaginary_(std::imag(b)) {}

  void subtract(T a, T x) {
    if constexpr (is_complex<T>) {
      real_.add_product(-a.real(), x.real());
      real_.add_product(a.imag(), x.imag());
      imaginary_.add_product(-a.real(), x.imag());
      imaginary_.add_product(-a.imag(), x.real());
    } else {
      real_.add_product(-a, x);
    }
  }
  [[nodiscard]] T rounded() const {
    if constexpr (is_complex<T>)
      return {real_.rounded(), imaginary_.rounded()};
    else
      return real_.rounded();
  }

 private:
  precise_sum<real_of<T>> real_;
  precise_sum<real_of<T>> imaginary_;
};

}  // namespace lacis::summation

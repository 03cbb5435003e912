// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The canaries: a lane reduction and a complex product that a broken compiler gets wrong, compiled at -O3 with AVX-512
// where there is one.
#include <cmath>
#include <cstring>

#include "canary.hpp"

namespace lacis::test {

// What the bug needs: a copy of all lanes by memcpy, a shifted distance, and a sum over all lanes instead of the lower
// half. Written with `half /= 2` it does not show.
double lanes_as_gcc12_breaks_them(const double* left, const double* right, int count) {
  constexpr int width = 8;
  double lane[width];
  for (int t = 0; t < width; ++t) {
    double sum = 0;
    for (int k = t; k < count; k += width) sum = std::fma(left[k], right[k], sum);
    lane[t] = sum;
  }
  for (int half = width / 2; half; half >>= 1) {
    double before[width];
    std::memcpy(before, lane, sizeof before);
    for (int t = 0; t < width; ++t) lane[t] = before[t] + (t + half < width ? before[t + half] : 0.0);
  }
  return lane[0];
}

std::complex<double> complex_product_as_gcc12_fuses_it(std::complex<double> a, std::complex<double> b) {
  const double real = a.real() * b.real() - a.imag() * b.imag();
  const double imaginary = a.real() * b.imag() + a.imag() * b.real();
  return {real, imaginary};
}

}  // namespace lacis::test

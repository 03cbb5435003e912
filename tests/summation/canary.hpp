// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Functions of the canary test that are compiled with flags of their own; see canary_test.cpp.
#pragma once

#include <complex>

namespace lacis::test {

/// left . right by eight fused lanes: legal C++ in the one shape that g++ 12 at -O3 with AVX-512 is known to get wrong.
double lanes_as_gcc12_breaks_them(const double* left, const double* right, int count);

/// The product by its formula in plain C++: g++ 12.2 fuses it where there are fused instructions, -ffp-contract=off or
/// not.
std::complex<double> complex_product_as_gcc12_fuses_it(std::complex<double> a, std::complex<double> b);

/// left . right by sum_products in the canonical order, and in eight fused lanes, compiled as the name says.
struct library_sums {
  double canonical;
  double eight_fused_lanes;
};
/// The library's complex product, and its square of a magnitude.
struct library_products {
  std::complex<double> product;
  double square;
};
library_sums sums_o2(const double* left, const double* right, int count);
library_products products_o2(std::complex<double> a, std::complex<double> b);
library_sums sums_o3(const double* left, const double* right, int count);
library_products products_o3(std::complex<double> a, std::complex<double> b);
library_sums sums_o3_avx512(const double* left, const double* right, int count);
library_products products_o3_avx512(std::complex<double> a, std::complex<double> b);

}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Functions of the canary test that are compiled with flags of their own; see canary_test.cpp.
#pragma once

namespace lacis::test {

/// left . right by eight fused lanes: legal C++ in the one shape that g++ 12 at -O3 with AVX-512 is known to get wrong.
double lanes_as_gcc12_breaks_them(const double* left, const double* right, int count);

/// left . right by sum_products in the canonical order, and in eight fused lanes, compiled as the name says.
struct library_sums {
  double canonical;
  double eight_fused_lanes;
};
library_sums sums_o2(const double* left, const double* right, int count);
library_sums sums_o3(const double* left, const double* right, int count);
library_sums sums_o3_avx512(const double* left, const double* right, int count);

}  // namespace lacis::test

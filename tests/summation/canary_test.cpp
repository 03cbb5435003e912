// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Does this compiler break sums, and do ours survive it? g++ 12.2 vectorises one legal shape of a lane reduction
// wrongly
// (-O3, AVX-512), and fuses complex products though -ffp-contract=off forbids it (-O2 on, FMA). An affected compiler
// does not fail the test; it is recorded, and the library's own sums and products are held to exact results under the
// same flags.
#include "canary.hpp"

#include <gtest/gtest.h>
#include <iostream>
#include <vector>

namespace lacis::test {
namespace {

constexpr int longest = 3000;

bool machine_has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

double triangular(int n) { return 0.5 * n * (n + 1); }

struct operands {
  std::vector<double> left;
  std::vector<double> right = std::vector<double>(longest, 1.0);
  operands() {
    for (int k = 1; k <= longest; ++k) left.push_back(k);
  }
};

TEST(Canary, TellsWhetherThisCompilerMiscompilesLaneReductions) {
  if (!machine_has_avx512()) GTEST_SKIP() << "this machine has no AVX-512";
  const operands in;
  int wrong = 0;
  for (int n = 0; n <= 100; ++n)
    wrong += lanes_as_gcc12_breaks_them(in.left.data(), in.right.data(), n) != triangular(n);
  RecordProperty("lengths_summed_wrongly_of_101", wrong);
  std::cout << "compiler " << __VERSION__ << (wrong == 0 ? " is not affected: " : " is AFFECTED: ") << wrong
            << " of 101 lengths summed wrongly at -O3 with AVX-512\n";
}

// (1 + d)(1 + d) rounds to 1 + 2d: rounded products cancel to 0, a fused step leaves d^2.
constexpr double d = 0x1p-30;
constexpr std::complex<double> z(1 + d, 1 + d);

TEST(Canary, TellsWhetherThisCompilerFusesComplexProducts) {
  if (!machine_has_avx512()) GTEST_SKIP() << "this machine has no AVX-512";
  const bool fused = complex_product_as_gcc12_fuses_it(z, z).real() != 0;
  RecordProperty("complex_products_fused", fused);
  std::cout << "compiler " << __VERSION__ << (fused ? " is AFFECTED: it fuses" : " is not affected: it rounds")
            << " complex products at -O3 with FMA\n";
}

void expect_rounded(library_products (*products)(std::complex<double>, std::complex<double>)) {
  const auto [product, square] = products(z, z);
  EXPECT_EQ(product, std::complex<double>(0, 2 + 0x1p-28));
  EXPECT_EQ(square, 2 + 0x1p-28);
}

void expect_exact(library_sums (*sums)(const double*, const double*, int)) {
  const operands in;
  for (int n = 0; n <= longest; ++n) {
    const auto [canonical, eight_fused_lanes] = sums(in.left.data(), in.right.data(), n);
    ASSERT_EQ(canonical, triangular(n)) << n;
    ASSERT_EQ(eight_fused_lanes, triangular(n)) << n;
  }
}

TEST(Canary, FindsTheLibraryRightAtO2) {
  expect_exact(sums_o2);
  expect_rounded(products_o2);
}

TEST(Canary, FindsTheLibraryRightAtO3) {
  expect_exact(sums_o3);
  expect_rounded(products_o3);
}

TEST(Canary, FindsTheLibraryRightAtO3WithAvx512) {
  if (!machine_has_avx512()) GTEST_SKIP() << "this machine has no AVX-512";
  expect_exact(sums_o3_avx512);
  expect_rounded(products_o3_avx512);
}

}  // namespace
}  // namespace lacis::test

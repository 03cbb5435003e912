// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Hashes of results, and the floating-point modes that other libraries may have left behind.
#include "summation/environment.hpp"

#include <cfenv>
#include <cmath>
#include <gtest/gtest.h>
#include <omp.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "summation/hash.hpp"
#include "summation/reference.hpp"
#include "summation/spmv.hpp"
#include "summation/vector.hpp"

namespace lacis::test {
namespace {

double times(double a, double b) {
  volatile double left = a;
  volatile double right = b;
  return left * right;
}

#if defined(__x86_64__)

constexpr unsigned flush_to_zero = 0x8000;
constexpr unsigned denormals_are_zero = 0x0040;
constexpr unsigned round_up = 0x4000;

/// Puts MXCSR back however a test ends.
struct restore_modes {
  unsigned saved = _mm_getcsr();
  ~restore_modes() { _mm_setcsr(saved); }
};

TEST(RoundingGuard, KeepsSubnormalsWhereSomeoneSetFlushToZeroAndPutsItBack) {
  const restore_modes restore;
  _mm_setcsr(_mm_getcsr() | flush_to_zero | denormals_are_zero);
  EXPECT_EQ(times(0x1p-1000, 0x1p-60), 0.0);
  {
    const summation::rounding_guard guard;
    EXPECT_EQ(times(0x1p-1000, 0x1p-60), 0x1p-1060);
    EXPECT_EQ(times(0x1p-1060, 0x1p10), 0x1p-1050);
  }
  EXPECT_EQ(times(0x1p-1000, 0x1p-60), 0.0);
  EXPECT_EQ(_mm_getcsr() & (flush_to_zero | denormals_are_zero), flush_to_zero | denormals_are_zero);
}

TEST(RoundingGuard, RoundsToNearestAndPutsTheFormerDirectionBack) {
  const restore_modes restore;
  _mm_setcsr(_mm_getcsr() | round_up);
  EXPECT_NE(times(1.0 / 3.0, 0x1.fffffffffffffp-1), 0x1.5555555555554p-2);
  {
    const summation::rounding_guard guard;
    EXPECT_EQ(std::fegetround() == FE_TONEAREST, (_mm_getcsr() & 0x6000) == 0);
    EXPECT_EQ(_mm_getcsr() & 0x6000, 0u);
    {
      const summation::rounding_guard inner;
    }
    EXPECT_EQ(_mm_getcsr() & 0x6000, 0u);
  }
  EXPECT_EQ(_mm_getcsr() & 0x6000, round_up);
}

TEST(RoundingGuard, LeavesExceptionFlagsThatTheWorkRaised) {
  const restore_modes restore;
  _mm_setcsr((_mm_getcsr() & ~0x3fu) | flush_to_zero);
  {
    const summation::rounding_guard guard;
    volatile double zero = 0;
    volatile double quotient = 1 / zero;
    EXPECT_TRUE(std::isinf(quotient));
  }
  EXPECT_NE(_mm_getcsr() & 0x04u, 0u);  // divide by zero
  EXPECT_EQ(_mm_getcsr() & flush_to_zero, flush_to_zero);
}

TEST(RoundingGuard, ProtectsProductsAndNormsOnEveryThread) {
  const auto a = from_rows<double, std::int32_t>(3000, 3000, entries::reals,
                                                 [](auto i) { return random_columns(i, 1 + i % 60, 3000, 31); });
  auto x = full_numbers<double>(3000);
  for (double& element : x) element *= 0x1p-1060;
  std::vector<double> right(3000);
  summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, right);
  const double norm = summation::norm<double>(x);
  const auto many = full_numbers<double>(50000);
  const double dot = summation::dot<double, double>(many, many);
  std::vector<double> flushed(3000);
  double flushed_norm = 0;
  double flushed_dot = 0;
  const auto on_every_thread = [](unsigned set, unsigned clear) {
#pragma omp parallel
    _mm_setcsr((_mm_getcsr() & ~clear) | set);
  };
  on_every_thread(flush_to_zero | denormals_are_zero | round_up, 0);
  summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, flushed);
  flushed_norm = summation::norm<double>(x);
  flushed_dot = summation::dot<double, double>(many, many);
  on_every_thread(0, flush_to_zero | denormals_are_zero | round_up);
  EXPECT_EQ(summation::solution_hash<double>(flushed), summation::solution_hash<double>(right));
  EXPECT_EQ(flushed_norm, norm);
  EXPECT_EQ(flushed_dot, dot);
  EXPECT_GT(norm, 0);
}

#endif

TEST(RoundingGuard, ChangesNothingWhereNothingWasChanged) {
  const summation::rounding_guard guard;
  EXPECT_EQ(times(0x1p-1000, 0x1p-60), 0x1p-1060);
}

TEST(SolutionHash, IsTheOneThatItsDocumentationDefines) {
  // Computed by a separate program from the definition.
  EXPECT_EQ(summation::solution_hash<double>(std::vector<double>{}), 0u);
  EXPECT_EQ(summation::solution_hash<double>(std::vector<double>{1.0, -2.5}), 0xaf66ac75d8cfdbe0u);
  EXPECT_EQ(summation::solution_hash<float>(std::vector<float>{1.0f, -2.5f}), 0xcbd90bfc3cb030c4u);
  EXPECT_EQ(summation::solution_hash<double>(std::vector<double>{std::nan("5")}), 0xca09afc7c56a7f6au);
}

TEST(SolutionHash, TakesAllNaNsForOneAndTellsZerosApart) {
  const auto hash = [](double x) { return summation::solution_hash<double>(std::vector<double>{1, x}); };
  EXPECT_EQ(hash(std::nan("1")), hash(-std::nan("77")));
  EXPECT_NE(hash(0.0), hash(-0.0));
  EXPECT_NE(hash(1.0), hash(std::nextafter(1.0, 2.0)));
}

TEST(SolutionHash, DependsOnTheOrderOfElementsAndAddsUpFromParts) {
  auto x = full_numbers<std::complex<float>>(100);
  const auto whole = summation::solution_hash<std::complex<float>>(x);
  for (std::int64_t cut = 0; cut <= 100; cut += 9) {
    const auto parts = std::span<const std::complex<float>>(x);
    EXPECT_EQ(summation::solution_hash(parts.first(static_cast<std::size_t>(cut))) +
                  summation::solution_hash(parts.subspan(static_cast<std::size_t>(cut)), cut),
              whole);
  }
  std::swap(x[3], x[4]);
  EXPECT_NE(summation::solution_hash<std::complex<float>>(x), whole);
}

TEST(CanonicalNaN, LeavesNumbersAlone) {
  EXPECT_TRUE(std::signbit(summation::canonical_nan(-0.0)));
  const auto z = summation::canonical_nan(std::complex<double>(-0.0, -std::nan("3")));
  EXPECT_TRUE(std::signbit(z.real()));
  EXPECT_EQ(summation::bits_of(z.imag()), 0x7ff8000000000000u);
}

}  // namespace
}  // namespace lacis::test

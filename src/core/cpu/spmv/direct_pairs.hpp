// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The pairs of types of a matrix and x that have a product of their own.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "cpu/spmv/kernels.hpp"

namespace lacis::cpu {

/// x of the matrix's type, and pairs with SIMD kernels. Other pairs are rare; they are computed as products with one
/// dense column, whose code reads rows and serves all formats and layouts.
template <class A, class Index, class X>
inline constexpr bool is_direct = std::is_same_v<A, X> || has_simd<A, Index, X>;

/// x in the precision of the product. The conversion is exact and the product begins with it, so bits stay.
template <class A, class X>
using widened_of =
    std::conditional_t<is_complex<X>, std::complex<real_of<product_of<A, X>>>, real_of<product_of<A, X>>>;

/// Whether x is narrower than the product: it is converted first, so such pairs need no kernels.
template <class A, class X> inline constexpr bool is_widened = !std::is_same_v<X, widened_of<A, X>>;

}  // namespace lacis::cpu

/// Expands Macro(A, Index, X) for every direct pair.
#define LACIS_FOR_EACH_DIRECT_PAIR(Macro)                                                                            \
  Macro(float, std::int64_t, float) Macro(double, std::int64_t, double)                                              \
      Macro(std::complex<float>, std::int64_t, std::complex<float>)                                                  \
          Macro(std::complex<double>, std::int64_t, std::complex<double>) Macro(float, std::int32_t, float)          \
              Macro(double, std::int32_t, double) Macro(std::complex<float>, std::int32_t, std::complex<float>)      \
                  Macro(std::complex<double>, std::int32_t, std::complex<double>) Macro(float, std::int32_t, double) \
                      Macro(float, std::int32_t, std::complex<float>)                                                \
                          Macro(double, std::int32_t, std::complex<double>)                                          \
                              Macro(std::complex<float>, std::int32_t, std::complex<double>)

/// The same for the pairs that are neither direct nor widened.
#define LACIS_FOR_EACH_RARE_PAIR(Macro)                                                                            \
  Macro(float, std::int32_t, std::complex<double>) Macro(std::complex<float>, std::int32_t, float)                 \
      Macro(std::complex<float>, std::int32_t, double) Macro(std::complex<double>, std::int32_t, double)           \
          Macro(float, std::int64_t, double) Macro(float, std::int64_t, std::complex<float>)                       \
              Macro(float, std::int64_t, std::complex<double>) Macro(double, std::int64_t, std::complex<double>)   \
                  Macro(std::complex<float>, std::int64_t, float) Macro(std::complex<float>, std::int64_t, double) \
                      Macro(std::complex<float>, std::int64_t, std::complex<double>)                               \
                          Macro(std::complex<double>, std::int64_t, double)

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels on contiguous vectors, one table for each instruction set and type. A kernel knows nothing of threads.
#pragma once

#include <complex>
#include <cstdint>

#include <lacis/isa.hpp>
#include <lacis/types.hpp>

#include "summation/orders.hpp"

namespace lacis::cpu {

/// Sums over vectors are taken in blocks of this many elements, counted from the first.
inline constexpr std::int64_t block_size = summation::blocked.chunk;
inline constexpr std::int64_t block_lanes = summation::blocked.lanes;

template <value T> struct vector_table {
  using real = real_of<T>;

  /// The sum of the products of at most block_size elements in lanes.
  T (*dot)(const T* x, const T* y, std::int64_t count);
  /// The same with the conjugates of x.
  T (*dotc)(const T* x, const T* y, std::int64_t count);
  /// The sum of |factor x_i|^2 of at most block_size elements in lanes.
  real (*sum_of_squares)(const T* x, std::int64_t count, real factor);
  /// The largest |re| or |im| of elements none of which is NaN; 0 when there are none.
  real (*largest)(const T* x, std::int64_t count);
  /// y = alpha x + beta y as summation::combine says; x is y or apart from it.
  void (*axpby)(T alpha, const T* x, T beta, T* y, std::int64_t count);
  /// y_i = 0 + w_i x_i, as a product with a diagonal matrix; x is y or apart from it.
  void (*scale)(const T* w, const T* x, T* y, std::int64_t count);
};

/// The kernels for an instruction set that is supported.
template <value T> [[nodiscard]] const vector_table<T>& vector_kernels_for(isa set);

// Fills a table; one definition for each target of Highway.
#define LACIS_DECLARE_SIMD_KERNELS(target)                            \
  namespace target {                                                  \
  template <class T> void set_vector_kernels(vector_table<T>& table); \
  }
LACIS_DECLARE_SIMD_KERNELS(N_AVX2)
LACIS_DECLARE_SIMD_KERNELS(N_AVX3)
#undef LACIS_DECLARE_SIMD_KERNELS

}  // namespace lacis::cpu

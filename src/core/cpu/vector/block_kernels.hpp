// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels on several vectors at once, one table for each instruction set and type. Each element and each sum has
// the bits that the kernels on single vectors (kernels.hpp) give one after the other.
#pragma once

#include <complex>
#include <cstdint>

#include <lacis/isa.hpp>
#include <lacis/types.hpp>

namespace lacis::cpu {

template <value T> struct block_table {
  /// products[i ys + j] = the sum of conj(x[i]) y[j] over elements begin .. begin + count, at most block_size, in
  /// lanes. With `upper` only those with j >= i are wanted, the others may or may not be written.
  void (*gram)(const T* const* x, std::int64_t xs, const T* const* y, std::int64_t ys, std::int64_t begin,
               std::int64_t count, bool upper, T* products);
  /// y[j] = 0 + factors[j] x[0] + factors[ys + j] x[1] + ... in elements begin .. begin + count; with `onto` y[j] takes
  /// the place of 0. Factors of 0 leave their x unread. y is apart from x.
  void (*combine)(const T* factors, const T* const* x, std::int64_t xs, T* const* y, std::int64_t ys,
                  std::int64_t begin, std::int64_t count, bool onto);
};

/// The kernels for an instruction set that is supported.
template <value T> [[nodiscard]] const block_table<T>& block_kernels_for(isa set);

// Fills a table; one definition for each target of Highway.
#define LACIS_DECLARE_SIMD_KERNELS(target)                          \
  namespace target {                                                \
  template <class T> void set_block_kernels(block_table<T>& table); \
  }
LACIS_DECLARE_SIMD_KERNELS(N_AVX2)
LACIS_DECLARE_SIMD_KERNELS(N_AVX3)
#undef LACIS_DECLARE_SIMD_KERNELS

}  // namespace lacis::cpu

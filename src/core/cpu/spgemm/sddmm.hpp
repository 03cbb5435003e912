// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of dense products at the places of a pattern.
#pragma once

#include <array>
#include <cstdint>

#include <lacis/isa.hpp>

#include "summation/arithmetic.hpp"

namespace lacis::cpu {

/// What the entries of one row are made of: x_k is x[k x_step], y_kj is y[k y_step + j y_column].
template <class T> struct sddmm_row {
  const T* x = nullptr;
  std::int64_t x_step = 1;
  const T* y = nullptr;
  std::int64_t y_step = 1;
  std::int64_t y_column = 0;
  std::int64_t depth = 0;  ///< how many k there are
};

/// sums[e] = sum over k of x_k y_kj for the columns j = columns[e], e < count, in ascending k.
template <class T, class Index>
using sddmm_kernel = void(const sddmm_row<T>& row, const Index* columns, std::int64_t count, T* sums);

/// Entries whose sums grow side by side: an addition takes four cycles, and a sum waits for the one before it.
inline constexpr std::int64_t sddmm_side_by_side = 8;

template <std::int64_t Count, class T, class Index>
void sddmm_portable_entries(const sddmm_row<T>& row, const Index* columns, T* sums) {
  std::array<T, static_cast<std::size_t>(Count)> sum = {};
  std::array<const T*, static_cast<std::size_t>(Count)> y;
  for (std::size_t e = 0; e < y.size(); ++e) y[e] = row.y + columns[e] * row.y_column;
  for (std::int64_t k = 0; k < row.depth; ++k) {
    const T x = row.x[k * row.x_step];
    for (std::size_t e = 0; e < y.size(); ++e)
      sum[e] = summation::add(sum[e], summation::multiply(x, y[e][k * row.y_step]));
  }
  for (std::size_t e = 0; e < y.size(); ++e) sums[e] = sum[e];
}

/// For any strides, without SIMD.
template <class T, class Index>
void sddmm_portable(const sddmm_row<T>& row, const Index* columns, std::int64_t count, T* sums) {
  std::int64_t e = 0;
  for (; e + sddmm_side_by_side <= count; e += sddmm_side_by_side)
    sddmm_portable_entries<sddmm_side_by_side>(row, columns + e, sums + e);
  for (; e < count; ++e) sddmm_portable_entries<1>(row, columns + e, sums + e);
}

/// The kernel for columns of Y that are contiguous (y_step = 1) and an instruction set that is supported.
template <class T, class Index> [[nodiscard]] sddmm_kernel<T, Index>* sddmm_kernel_for(isa set);

}  // namespace lacis::cpu

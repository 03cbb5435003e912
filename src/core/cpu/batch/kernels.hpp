// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels on groups of small systems, one table for each instruction set and type. A lane is a system.
//
// Vectors of a group have one element per lane next to each other: element i of lane l is x[i * lanes + l]. Every lane
// performs the operations of a single system in their order, so that it has its bits.
#pragma once

#include <cstdint>

#include <lacis/isa.hpp>

namespace lacis::cpu {

/// Systems in a group: what 64 bytes hold, whatever the instruction set.
template <class T> inline constexpr std::int64_t batch_lanes = 64 / static_cast<std::int64_t>(sizeof(T));

/// The pattern of every matrix of a batch; rows are canonical.
struct batch_pattern {
  std::int64_t rows = 0;
  const std::int64_t* row_offsets = nullptr;
  const std::int32_t* columns = nullptr;
};

/// `rows` is the length of vectors. A factor is one number per lane; where it is 0 its term is neither read nor added,
/// as summation::combine says. Sums have one number per lane and the order of dot products.
template <class T> struct batch_table {
  /// y = A x.
  void (*product)(const batch_pattern& a, const T* values, const T* x, T* y);
  /// y = A x, and x^T y.
  void (*product_and_dot)(const batch_pattern& a, const T* values, const T* x, T* y, T* sums);
  void (*dot)(std::int64_t rows, const T* x, const T* y, T* sums);
  /// y = y + alpha x.
  void (*axpy)(std::int64_t rows, const T* alpha, const T* x, T* y);
  /// The same, and y^T y.
  void (*axpy_and_square)(std::int64_t rows, const T* alpha, const T* x, T* y, T* sums);
  /// x = x + alpha p, then p = z + beta p.
  void (*advance)(std::int64_t rows, const T* alpha, T* x, const T* z, const T* beta, T* p);
  /// p = r + beta (p + alpha v).
  void (*redirect)(std::int64_t rows, const T* alpha, const T* v, const T* r, const T* beta, T* p);
  /// r = b - r.
  void (*subtract_from)(std::int64_t rows, const T* b, T* r);
  /// z = m r, element by element, as the product with a diagonal matrix.
  void (*diagonal_product)(std::int64_t rows, const T* m, const T* r, T* z);
  /// y = (first x) second.
  void (*scale_twice)(std::int64_t rows, const T* first, const T* second, const T* x, T* y);

  /// Band matrices of `width` places per row; row i holds columns i - lower .. i - lower + width - 1. LU factors with
  /// the largest pivot of each column: `pivots` are distances of rows. `state` becomes 0 where a pivot is 0 or not
  /// finite.
  void (*band_lu)(std::int64_t rows, std::int64_t lower, std::int64_t width, T* band, T* pivots, T* state);
  /// x = A^-1 x with these factors.
  void (*band_lu_solve)(std::int64_t rows, std::int64_t lower, std::int64_t width, const T* band, const T* pivots,
                        T* x);
  /// The factor L of A = L L^T in the lower half of the band; `state` becomes 0 where A is not positive definite.
  void (*band_cholesky)(std::int64_t rows, std::int64_t lower, std::int64_t width, T* band, T* state);
  void (*band_cholesky_solve)(std::int64_t rows, std::int64_t lower, std::int64_t width, const T* band, T* x);
};

/// The kernels for an instruction set that is supported; T is float or double.
template <class T> [[nodiscard]] const batch_table<T>& batch_kernels_for(isa set);

}  // namespace lacis::cpu

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Repeated products with the transpose of a matrix in the caller's arrays, without a plan of the caller's own.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include <lacis/csc.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/multiply.hpp>
#include <lacis/multiply_options.hpp>
#include <lacis/plan.hpp>
#include <lacis/types.hpp>

namespace lacis {

class product_memory;

namespace detail {
/// A plan of the transpose of `stored`, when this is not the first product with it. Its columns are the rows of
/// `stored`: without a plan where they need 64 bits.
template <class Value, class Index, class Offset>
LACIS_API std::optional<plan<Value, std::int32_t>> remembered_transpose(product_memory& memory,
                                                                        const csr_view<Value, Index, Offset>& stored,
                                                                        const multiply_options& options);
struct remembered_matrix;
}  // namespace detail

/// Remembers the matrix of the last product of a CSC matrix, such as `transposed(a)`. The first product scatters or
/// transposes. The second one makes a plan of the matrix, and later ones use it. Every product reads the arrays of the
/// matrix and compares their hash, so you may change them at any time: a changed matrix is a new matrix.
///
/// Pass the same object to every product with the same matrix. Several threads may use it at a time. The plan takes
/// about as much memory as the matrix.
class product_memory {
 public:
  /// `memory_limit`: bytes that the plan may take; 0: a quarter of the memory that is available when it is made.
  /// Without room for a plan, products are computed as if there were no product_memory.
  LACIS_API explicit product_memory(std::int64_t memory_limit = 0);
  LACIS_API ~product_memory();
  product_memory(const product_memory&) = delete;
  product_memory& operator=(const product_memory&) = delete;

  /// Bytes that are held now.
  [[nodiscard]] LACIS_API std::int64_t storage_bytes() const;
  /// Forgets the matrix and frees its plan.
  LACIS_API void clear();

  /// For the library alone.
  [[nodiscard]] detail::remembered_matrix& internals() { return *held_; }

 private:
  detail::remembered_matrix* held_;
};

/// y = alpha A x + beta y, or Y = alpha A X + beta Y, as without `memory` and with the same bits; faster from the
/// second product with the same matrix on.
template <class Scalar, value Value, index Index, index Offset, class X, class Y>
void multiply(const Scalar& alpha, const csc_view<Value, Index, Offset>& a, const X& x,
              const std::type_identity_t<Scalar>& beta, Y&& y, product_memory& memory,
              const multiply_options& options = {}) {
  if (const auto plan = detail::remembered_transpose(memory, transposed(a), options)) {
    auto work = detail::take_workspace(*plan);
    multiply(alpha, *plan, x, beta, y, *work);
    detail::put_back(*plan, std::move(work));
  } else {
    multiply(alpha, a, x, beta, y, options);
  }
}

/// y = A x.
template <value Value, index Index, index Offset, class X, class Y>
void multiply(const csc_view<Value, Index, Offset>& a, const X& x, Y&& y, product_memory& memory,
              const multiply_options& options = {}) {
  if constexpr (detail::are_operands<Value, X, Y>()) {
    using T = detail::element_of<Y>;
    multiply(T(1), a, x, T(0), y, memory, options);
  }
}

}  // namespace lacis

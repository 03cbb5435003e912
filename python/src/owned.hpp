// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices that lacis made, as arrays of NumPy that keep them alive.
#pragma once

#include <lacis/any_csr.hpp>
#include <lacis/types.hpp>

#include "arrays.hpp"

namespace lacis_python {

class owned_matrix {
 public:
  owned_matrix() = default;
  owned_matrix(const owned_matrix&) = delete;
  owned_matrix& operator=(const owned_matrix&) = delete;
  ~owned_matrix() { lacis_matrix_free(matrix_); }

  [[nodiscard]] lacis_matrix** address() { return &matrix_; }
  /// (rows, cols, indptr, indices, data, iso); the arrays own the matrix from now on, and nothing is copied.
  [[nodiscard]] nb::tuple arrays();

 private:
  lacis_matrix* matrix_ = nullptr;
};

template <class T> constexpr element kind_of() {
  return lacis::is_complex<T> ? (sizeof(T) == 8 ? element::complex64 : element::complex128)
                              : (sizeof(T) == 4 ? element::float32 : element::float64);
}

/// A matrix of the C++ library as (rows, cols, indptr, indices, data, iso), with arrays that own it.
[[nodiscard]] nb::tuple arrays_of(lacis::any_csr&& made);

/// For `product_counts` of the module.
void count_product();
void count_sparse_product();

}  // namespace lacis_python

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices that lacis made, as arrays of NumPy that keep them alive.
#pragma once

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

/// For `product_counts` of the module.
void count_product();
void count_sparse_product();

}  // namespace lacis_python

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Jacobi: the inverse of the diagonal.
#include "solve/precondition/block_preconditioner.hpp"
#include "solve/precondition/make.hpp"

namespace lacis::solver {

template <class T, class Index>
std::unique_ptr<preconditioner<T>> make_jacobi(const csr_view<T, Index>& a, std::int64_t first,
                                               const preconditioner_options& options) {
  return std::make_unique<block_preconditioner<T, Index>>(a, first, options, 1, "Jacobi: divides by the diagonal");
}

#define LACIS_INSTANTIATE(T, Index) LACIS_INSTANTIATE_MAKE(make_jacobi, T, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver

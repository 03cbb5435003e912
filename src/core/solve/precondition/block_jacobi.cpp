// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Block Jacobi: the inverses of dense blocks on the diagonal.
#include "solve/precondition/block_preconditioner.hpp"
#include "solve/precondition/make.hpp"

namespace lacis::solver {

template <class T, class Index>
std::unique_ptr<preconditioner<T>> make_block_jacobi(const csr_view<T, Index>& a, std::int64_t first,
                                                     const preconditioner_options& options) {
  if (options.block < 1 || options.block > 32)
    throw error(errc::invalid_argument, detail::text("blocks of ", options.block, " rows; 1 to 32 are possible"));
  return std::make_unique<block_preconditioner<T, Index>>(
      a, first, options, options.block,
      options.block == 1
          ? "Jacobi: divides by the diagonal"
          : detail::text("block Jacobi: solves with the blocks of ", options.block, " rows on the diagonal"));
}

#define LACIS_INSTANTIATE(T, Index) LACIS_INSTANTIATE_MAKE(make_block_jacobi, T, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver

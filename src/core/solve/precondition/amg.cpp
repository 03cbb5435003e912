// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Algebraic multigrid, which is in solve/multigrid.
#include "solve/multigrid/preconditioner.hpp"
#include "solve/precondition/make.hpp"

namespace lacis::solver {

template <class T, class Index>
std::unique_ptr<preconditioner<T>> make_amg(const csr_view<T, Index>& a, std::int64_t,
                                            const preconditioner_options& options) {
  return multigrid::make_multigrid_preconditioner(a, options);
}

#define LACIS_INSTANTIATE(T, Index) LACIS_INSTANTIATE_MAKE(make_amg, T, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One cycle of multigrid as a preconditioner of a distributed matrix.
#pragma once

#include <memory>

#include <lacis/mpi.hpp>
#include <lacis/precondition.hpp>

namespace lacis::dist {

/// A is square; `space` is that of its vectors. The vectors of options.multigrid.near_null_space have this rank's rows.
template <value T>
[[nodiscard]] std::unique_ptr<preconditioner<T>> make_multigrid_preconditioner(const distributed_csr<T>& a,
                                                                               vector_space<T>& space,
                                                                               const preconditioner_options& options);

}  // namespace lacis::dist

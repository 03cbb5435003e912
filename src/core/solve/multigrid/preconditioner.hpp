// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One cycle of multigrid as a preconditioner.
#pragma once

#include <memory>

#include <lacis/precondition.hpp>

namespace lacis::multigrid {

/// The rows of A are canonical, and as many as its columns.
template <class T, class Index>
[[nodiscard]] std::unique_ptr<preconditioner<T>> make_multigrid_preconditioner(const csr_view<T, Index>& a,
                                                                               const preconditioner_options& options);

}  // namespace lacis::multigrid

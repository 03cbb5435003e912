// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners that solve with triangles.
#pragma once

#include <memory>

#include <lacis/precondition.hpp>

namespace lacis::solver {

/// ssor, ilu0 or ic0 of a canonical square matrix.
template <class T, class Index>
[[nodiscard]] std::unique_ptr<preconditioner<T>> make_triangular_preconditioner(const csr_view<T, Index>& a,
                                                                                const preconditioner_options& options);

}  // namespace lacis::solver

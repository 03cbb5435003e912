// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A method and a preconditioner for a distributed matrix.
#pragma once

#include <optional>

#include <lacis/mpi.hpp>
#include <lacis/solve_auto.hpp>

#include "base/internal.hpp"

namespace lacis::dist {

/// The number that solver::asymmetry_of has for the whole matrix, which is square.
template <value T> [[nodiscard]] std::optional<double> asymmetry_of(const distributed_csr<T>& a);

/// What the options ask for, and for the rest what the matrix suggests; `facts` are told. One method is tried, not
/// several interleaved.
template <value T>
[[nodiscard]] LACIS_INTERNAL solver_choice choose(const distributed_csr<T>& a, const auto_options& options,
                                                  system_facts& facts);

}  // namespace lacis::dist

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products on the test matrices and on larger pairs, for one type of matrix entry.
#pragma once

#include <lacis/types.hpp>

#include "verify/ledger.hpp"
#include "verify/sweep.hpp"

namespace lacis::verification {

/// How often `stepped` is called for each type of entry.
[[nodiscard]] int steps_of_spgemm_sweep();

/// Every product of matrices with entries of type T, with both types of columns. Instantiated in
/// spgemm_sweep_<type>.cpp.
template <value T> void sweep_spgemm(const sweep_options& options, ledger& book);

}  // namespace lacis::verification

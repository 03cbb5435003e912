// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with dense columns: matrices, formats, plans, numbers of columns and arrangements, for one type of entry.
#pragma once

#include <cstdint>
#include <string_view>

#include <lacis/plan_layout.hpp>
#include <lacis/types.hpp>

#include "verify/ledger.hpp"
#include "verify/sweep.hpp"

namespace lacis::verification {

/// One of each number that kernels treat in another way: fewer than a vector, whole vectors and more, blocks of several
/// vectors, and more than a panel.
inline constexpr std::int64_t column_counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 32, 64, 65};

/// The row of the table for plans in a layout: "plan, csr".
[[nodiscard]] std::string_view plan_row(plan_layout layout);

/// How often `stepped` is called for each type of entry.
[[nodiscard]] int steps_of_spmm_sweep();

/// Every product of matrices with entries of type A and dense columns. Instantiated in spmm_sweep_<type>.cpp.
template <value A> void sweep_spmm(const sweep_options& options, ledger& book);

}  // namespace lacis::verification

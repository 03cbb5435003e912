// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plan without an inspection.
#pragma once

#include <lacis/csr.hpp>
#include <lacis/plan.hpp>

namespace lacis::detail {

/// A plan that multiplies with the rows of A where they are. Their columns ascend strictly; nothing is looked at,
/// compared or measured, and what multiply_inspect would take a pass over A for each is not known of it.
template <class Value, class Index>
[[nodiscard]] plan<Value, Index> borrow_rows(const csr_view<Value, Index>& a, const plan_options& options);

}  // namespace lacis::detail

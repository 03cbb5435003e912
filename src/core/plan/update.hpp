// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// New values for a plan from someone who still has its pattern.
#pragma once

#include <lacis/csr.hpp>
#include <lacis/plan.hpp>

namespace lacis::detail {

/// update_values(p, a.values) where `a` is canonical and has the pattern that was inspected: it need not be taken out
/// of the plan's arrays.
template <class Value, class Index>
void update_values_in_pattern(plan<Value, Index>& p, const csr_view<Value, Index>& a);

}  // namespace lacis::detail

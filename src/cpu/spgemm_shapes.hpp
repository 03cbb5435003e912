// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows that repeat the pattern of the row before, moved by one column: what stencils and bands are made of.
#pragma once

namespace lacis::cpu {

template <class T, class Index> struct spgemm_shapes {};

}  // namespace lacis::cpu

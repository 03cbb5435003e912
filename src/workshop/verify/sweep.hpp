// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What is multiplied: matrices, formats, plans, instruction sets and threads, for one type of matrix entry.
#pragma once

#include <functional>
#include <span>

#include <lacis/isa.hpp>
#include <lacis/types.hpp>

#include "verify/ledger.hpp"

namespace lacis::verification {

struct sweep_options {
  bool all = false;
  std::span<const isa> sets;
  std::span<const int> threads;
  std::function<void()> stepped;  ///< called steps_of_sweep times for each type of entry
};

/// How often `stepped` is called.
inline constexpr int steps_of_sweep = 2 * 63;

/// Every product of matrices with entries of type A, with all types of x and both of columns.
/// Instantiated in sweep_<type>.cpp.
template <value A> void sweep(const sweep_options& options, ledger& book);

}  // namespace lacis::verification

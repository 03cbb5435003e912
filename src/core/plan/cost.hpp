// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product costs in each layout: the bytes that it moves, the reads of x that wait, the work of the kernel.
#pragma once

#include <cstdint>
#include <vector>

#include <lacis/machine.hpp>
#include <lacis/plan.hpp>

#include "plan/features.hpp"

namespace lacis::detail {

/// Rates of a machine whose own nobody has measured.
[[nodiscard]] const machine& built_in_machine();

/// How fast a machine is with a number of threads.
struct thread_rates {
  int threads = 1;
  double read_bytes = 0;  ///< a second, from memory
  const lacis::machine* of = nullptr;

  thread_rates(const lacis::machine& m, int threads);
  /// Seconds that pass for each read of an element at a random place of so many bytes.
  [[nodiscard]] double random_read(std::int64_t bytes) const;
};

/// Sizes of the numbers in a matrix.
struct number_sizes {
  std::int64_t value = 8;
  std::int64_t index = 4;
  std::int64_t kept = 8;  ///< of a value in its form
};

/// A candidate and its layout.
struct costed_layout {
  layout_choice choice;
  plan_candidate cost;
};

/// Every layout that makes sense for the matrix, csr first.
[[nodiscard]] std::vector<costed_layout> candidates_for(const features& f, const number_sizes& sizes,
                                                        const thread_rates& rates, const plan_options& options);

}  // namespace lacis::detail

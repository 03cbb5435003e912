// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels by number: what the library expects a plugin to have.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/internal.hpp"

namespace lacis::device {

/// The number of kernels, and of them with their types.
struct kernel_counts {
  int kernels = 0;
  int instantiations = 0;
};
[[nodiscard]] LACIS_INTERNAL kernel_counts count_kernels();
/// What lacis_runtime::kernels must be.
[[nodiscard]] LACIS_INTERNAL std::uint64_t hash_of_kernels();
/// "csr_row, double, 32-bit" of every kernel whose count is 0; counts as runtime::count_launches makes them.
[[nodiscard]] LACIS_INTERNAL std::vector<std::string> never_launched(std::span<const std::int64_t> launches);

}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the operating system reports of processors and programs, and what this process may use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/internal.hpp"

namespace lacis::detail {

/// The name of the processor, or empty when unknown.
[[nodiscard]] LACIS_INTERNAL std::string processor_model();
/// Instruction sets that sparse kernels can use and this processor has, oldest first.
[[nodiscard]] LACIS_INTERNAL std::vector<std::string> instruction_sets();
/// Bytes of a processor's L2 cache; one MiB where it is unknown.
[[nodiscard]] LACIS_INTERNAL std::int64_t l2_cache_bytes();
/// Bytes of the cache that processors share; 32 MiB where it is unknown.
[[nodiscard]] LACIS_INTERNAL std::int64_t last_cache_bytes();
/// How many hardware threads this process may run on.
[[nodiscard]] LACIS_INTERNAL int allowed_processors();
/// The word in brackets of a sysfs choice: "madvise" of "always [madvise] never".
[[nodiscard]] LACIS_INTERNAL std::string chosen_word(std::string_view choices);
/// When memory is given out in huge pages: "always", "madvise", "never", or empty when unknown.
[[nodiscard]] LACIS_INTERNAL std::string huge_page_mode();

/// Where a program is on the PATH, or empty. Folders that are named relative to the current one are passed over.
[[nodiscard]] LACIS_INTERNAL std::string find_program(std::string_view name);

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Freed pages that wait to be used again.
#pragma once

#include <cstdint>

#include <lacis/export.hpp>

namespace lacis {

// The first touch of a page costs more than most arithmetic on it, so pages of large arrays that are freed are kept for
// the next large array. The system may take them back at any time (MADV_FREE): they count as this process's memory
// only while nothing else needs them. Of arrays between 32 KiB and 4 MiB up to 64 MiB are kept as they are.

/// Bytes that are kept at this moment.
[[nodiscard]] LACIS_API std::int64_t recycled_memory();
/// The most that is kept from now on; a quarter of the machine's memory (and those 64 MiB) unless set. 0 keeps nothing.
LACIS_API void set_recycled_memory_limit(std::int64_t bytes);
/// Gives back what is kept.
LACIS_API void release_recycled_memory();

}  // namespace lacis

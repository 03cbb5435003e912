// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory for arrays too large for the allocator's caches and too small for pages of their own, recycled.
#pragma once

#include <cstddef>

namespace lacis::detail {

/// 64-byte aligned; null: there is none.
[[nodiscard]] void* allocate_block(std::size_t bytes) noexcept;
/// Frees what was allocated with the same number of bytes, or with one that takes as much memory.
void release_block(void* data, std::size_t bytes) noexcept;
[[nodiscard]] bool takes_as_much(std::size_t bytes, std::size_t others) noexcept;

// What is kept, how much of it at most, and giving it back.
inline constexpr std::size_t most_kept_blocks = std::size_t{64} << 20;
[[nodiscard]] std::size_t kept_blocks();
void limit_blocks(std::size_t bytes);
void drop_blocks();

}  // namespace lacis::detail

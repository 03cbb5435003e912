// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Pages for large arrays, straight from the system or recycled.
#pragma once

#include <cstddef>

namespace lacis::detail {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// From here on arrays have pages of their own.
[[nodiscard]] constexpr bool has_own_pages(std::size_t bytes) { return bytes >= 2 * huge_page; }

/// Address space that becomes memory where it is touched. It begins at a multiple of 2 MiB with recycled pages.
struct page_range {
  void* data = nullptr;  ///< null: the system has no such address space
  std::size_t bytes = 0;
  std::size_t recycled = 0;  ///< so many bytes from the start are memory already
};

/// Far more than there is memory may be reserved; whoever touches it answers for how much. Takes at most that share of
/// the recycled pages.
[[nodiscard]] page_range reserve_pages(std::size_t bytes, double share_of_recycled) noexcept;
/// The same for bytes that will all be touched: the system refuses what it can tell it does not have.
[[nodiscard]] page_range allocate_pages(std::size_t bytes) noexcept;
/// Gives up what lies behind the first `used` bytes, which then are as if they alone had been reserved.
void trim_pages(const page_range& range, std::size_t used) noexcept;
/// Frees what was reserved or allocated, or what trim_pages left of it.
void release_pages(void* data, std::size_t bytes) noexcept;

// What is kept, how much of it at most, and giving it back.
[[nodiscard]] std::size_t kept_pages();
void limit_pages(std::size_t bytes);
void drop_pages();

}  // namespace lacis::detail

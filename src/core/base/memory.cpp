// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory for arrays: aligned, large ones on huge pages, recycled.
#include <algorithm>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>
#include <lacis/memory.hpp>

#include "base/blocks.hpp"
#include "base/checked.hpp"
#include "base/pages.hpp"

namespace lacis::detail {

void* allocate_array(std::int64_t count, std::size_t element_size) {
  if (count < 0) throw error(errc::invalid_argument, text("the number of elements must not be negative: ", count));
  const auto bytes = static_cast<std::size_t>(
      checked_multiply(count, static_cast<std::int64_t>(element_size), "the bytes of an array"));
  void* data = has_own_pages(bytes) ? allocate_pages(bytes).data : allocate_block(bytes);
  if (data == nullptr)
    throw error(errc::out_of_memory, text("no memory for an array of ", count, " elements (", bytes, " bytes)"));
  return data;
}

void release_array(void* data, std::int64_t count, std::size_t element_size) noexcept {
  const std::size_t bytes = static_cast<std::size_t>(count) * element_size;
  if (has_own_pages(bytes))
    release_pages(data, bytes);
  else
    release_block(data, bytes);
}

}  // namespace lacis::detail

namespace lacis {

std::int64_t recycled_memory() { return static_cast<std::int64_t>(detail::kept_pages() + detail::kept_blocks()); }

void set_recycled_memory_limit(std::int64_t bytes) {
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0));
  const std::size_t of_blocks = std::min(most / 8, detail::most_kept_blocks);
  detail::limit_blocks(of_blocks);
  detail::limit_pages(most - of_blocks);
}

void release_recycled_memory() {
  detail::drop_pages();
  detail::drop_blocks();
}

}  // namespace lacis

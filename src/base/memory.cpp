// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory for large arrays: aligned, and on huge pages.
#include <new>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>

#include "base/checked.hpp"
#include "base/pages.hpp"

namespace lacis::detail {
namespace {

constexpr std::align_val_t cache_line{64};

}  // namespace

void* allocate_array(std::int64_t count, std::size_t element_size) {
  if (count < 0) throw error(errc::invalid_argument, text("an array of ", count, " elements makes no sense"));
  const auto bytes = static_cast<std::size_t>(
      checked_multiply(count, static_cast<std::int64_t>(element_size), "the bytes of an array"));
  void* data = has_own_pages(bytes) ? allocate_pages(bytes).data : ::operator new(bytes, cache_line, std::nothrow);
  if (data == nullptr)
    throw error(errc::out_of_memory, text("no memory for an array of ", count, " elements (", bytes, " bytes)"));
  return data;
}

void release_array(void* data, std::int64_t count, std::size_t element_size) noexcept {
  const std::size_t bytes = static_cast<std::size_t>(count) * element_size;
  if (has_own_pages(bytes))
    release_pages(data, bytes);
  else
    ::operator delete(data, cache_line);
}

}  // namespace lacis::detail

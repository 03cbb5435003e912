// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory for large arrays: aligned, and on huge pages.
#include <new>
#include <sys/mman.h>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>

#include "base/checked.hpp"

namespace lacis::detail {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t cache_line = 64;

bool wants_huge_pages(std::size_t bytes) { return bytes >= 2 * huge_page; }
std::align_val_t alignment_for(std::size_t bytes) {
  return std::align_val_t{wants_huge_pages(bytes) ? huge_page : cache_line};
}

}  // namespace

void* allocate_array(std::int64_t count, std::size_t element_size) {
  if (count < 0) throw error(errc::invalid_argument, text("an array of ", count, " elements makes no sense"));
  const auto bytes = static_cast<std::size_t>(
      checked_multiply(count, static_cast<std::int64_t>(element_size), "the bytes of an array"));
  void* data = ::operator new(bytes, alignment_for(bytes), std::nothrow);
  if (data == nullptr)
    throw error(errc::out_of_memory, text("no memory for an array of ", count, " elements (", bytes, " bytes)"));
  if (wants_huge_pages(bytes)) madvise(data, bytes, MADV_HUGEPAGE);
  return data;
}

void release_array(void* data, std::int64_t count, std::size_t element_size) noexcept {
  ::operator delete(data, alignment_for(static_cast<std::size_t>(count) * element_size));
}

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Growing memory by remapping its pages.
#include "io/bytes/byte_store.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

#include <lacis/error.hpp>

#include "base/text.hpp"

namespace lacis::detail {
namespace {

constexpr std::size_t smallest = std::size_t{64} << 10;
constexpr std::size_t worth_huge_pages = std::size_t{4} << 20;

}  // namespace

byte_store::~byte_store() {
  if (data_ != nullptr) munmap(data_, capacity_);
}

byte_store byte_store::of_size(std::size_t size) {
  byte_store store;
  if (size > 0) store.reserve(size);
  store.size_ = size;
  return store;
}

void byte_store::reserve(std::size_t capacity) {
  void* data = data_ == nullptr ? mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                : mremap(data_, capacity_, capacity, MREMAP_MAYMOVE);
  if (data == MAP_FAILED) throw error(errc::out_of_memory, detail::text("no memory for ", capacity, " bytes of input"));
  data_ = static_cast<char*>(data);
  capacity_ = capacity;
  if (capacity >= worth_huge_pages) madvise(data_, capacity_, MADV_HUGEPAGE);
}

std::span<char> byte_store::room() {
  if (capacity_ - size_ < smallest) reserve(std::max(2 * smallest, 2 * capacity_));
  return {data_ + size_, capacity_ - size_};
}

void byte_store::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::span<char> free = room();
    const std::size_t part = std::min(free.size(), bytes.size());
    std::memcpy(free.data(), bytes.data(), part);
    grow(part);
    bytes.remove_prefix(part);
  }
}

}  // namespace lacis::detail

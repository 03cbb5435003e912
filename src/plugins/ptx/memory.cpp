// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Arrays of the device.
#include "ptx/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace lacis::ptx {
namespace {

constexpr std::size_t alignment = 256;
constexpr int new_byte = 0xcb;  // of memory that was never written

}  // namespace

void storage::free_memory::operator()(char* memory) const { std::free(memory); }

storage::storage(std::size_t bytes)
    : bytes_(bytes),
      memory_(static_cast<char*>(std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment))) {
  if (memory_ == nullptr) throw std::bad_alloc();
  clear();
}

void storage::clear() {
  std::memset(memory_.get(), new_byte, bytes_);
  filled_.assign(bytes_, 0);
  ++uses_;
}

void storage::copy_filled(const char* to, const storage& from, const char* begin, std::size_t bytes) {
  std::memmove(filled_.data() + offset_of(to), from.filled_.data() + from.offset_of(begin), bytes);
}

void* device_memory::allocate(std::size_t bytes) {
  if (bytes > free_bytes()) return nullptr;
  const auto spare = spare_.find(bytes);
  storage made = spare != spare_.end() ? std::move(spare->second) : storage(bytes);
  if (spare != spare_.end()) {
    spare_.erase(spare);
    made.clear();
  }
  char* const begin = made.begin();
  arrays_.emplace(begin, std::move(made));
  used_ += bytes;
  return begin;
}

bool device_memory::release(void* memory) {
  const auto found = arrays_.find(static_cast<const char*>(memory));
  if (found == arrays_.end()) return false;
  used_ -= found->second.bytes();
  last_ = nullptr;
  constexpr std::size_t most_spare = 64;
  if (spare_.size() >= most_spare) spare_.erase(spare_.begin());
  spare_.emplace(found->second.bytes(), std::move(found->second));
  arrays_.erase(found);
  return true;
}

storage* device_memory::search(const char* begin, std::size_t bytes) {
  auto next = arrays_.upper_bound(begin);
  if (next == arrays_.begin()) return nullptr;
  storage& found = std::prev(next)->second;
  if (!found.contains(begin, bytes)) return nullptr;
  return last_ = &found;
}

}  // namespace lacis::ptx

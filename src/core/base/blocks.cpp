// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Freed blocks wait in stacks, one a size, four sizes between powers of two. An allocator that gives such memory back
// to the system at once, and glibc's does, has its pages faulted in anew by every product.
#include "base/blocks.hpp"

#include <array>
#include <bit>
#include <mutex>
#include <new>

#include "base/pages.hpp"

namespace lacis::detail {
namespace {

constexpr std::align_val_t cache_line{64};
constexpr std::size_t smallest = std::size_t{1} << 15;
constexpr std::size_t most_of_a_size = 16;

struct size_class {
  std::size_t index;
  std::size_t bytes;
};

/// The smallest of four sizes between powers of two that is enough.
constexpr size_class class_of(std::size_t bytes) {
  const int power = std::bit_width(bytes - 1) - 1;
  const std::size_t quarter = std::size_t{1} << (power - 2);
  const std::size_t quarters = (bytes + quarter - 1) / quarter;
  return {static_cast<std::size_t>(power) * 4 + quarters - 5, quarters * quarter};
}
constexpr std::size_t first_class = class_of(smallest + 1).index;
constexpr std::size_t classes = class_of(2 * huge_page).index - first_class + 1;

/// Never waited for: in the child of a fork the lock may be held for ever.
class block_pool {
 public:
  void* take(std::size_t which, std::size_t bytes) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || counts_[which] == 0) return nullptr;
    kept_ -= bytes;
    return blocks_[which][--counts_[which]];
  }

  bool keep(void* data, std::size_t which, std::size_t bytes) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || kept_ + bytes > limit_ || counts_[which] == most_of_a_size) return false;
    blocks_[which][counts_[which]++] = data;
    kept_ += bytes;
    return true;
  }

  std::size_t kept() {
    const std::scoped_lock lock(mutex_);
    return kept_;
  }

  void limit(std::size_t bytes) {
    {
      const std::scoped_lock lock(mutex_);
      limit_ = bytes;
    }
    clear();
  }

  void clear() {
    const std::scoped_lock lock(mutex_);
    for (std::size_t which = 0; which < classes; ++which)
      while (counts_[which] > 0) ::operator delete(blocks_[which][--counts_[which]], cache_line);
    kept_ = 0;
  }

 private:
  std::mutex mutex_;
  std::array<std::array<void*, most_of_a_size>, classes> blocks_ = {};
  std::array<std::size_t, classes> counts_ = {};
  std::size_t kept_ = 0;
  std::size_t limit_ = most_kept_blocks;
};

/// Never destroyed: arrays with static lifetime may be freed after everything else.
block_pool& pool() {
  static block_pool& all = *new block_pool;
  return all;
}

/// AddressSanitizer must see that a freed block is touched.
#ifdef LACIS_ADDRESS_SANITIZER
constexpr bool is_recycled(std::size_t) { return false; }
#else
constexpr bool is_recycled(std::size_t bytes) { return bytes > smallest; }
#endif

}  // namespace

void* allocate_block(std::size_t bytes) noexcept {
  if (!is_recycled(bytes)) return ::operator new(bytes, cache_line, std::nothrow);
  const size_class size = class_of(bytes);
  void* recycled = pool().take(size.index - first_class, size.bytes);
  return recycled != nullptr ? recycled : ::operator new(size.bytes, cache_line, std::nothrow);
}

void release_block(void* data, std::size_t bytes) noexcept {
  if (is_recycled(bytes)) {
    const size_class size = class_of(bytes);
    if (pool().keep(data, size.index - first_class, size.bytes)) return;
  }
  ::operator delete(data, cache_line);
}

bool takes_as_much(std::size_t bytes, std::size_t others) noexcept {
  if (!is_recycled(bytes) || !is_recycled(others)) return is_recycled(bytes) == is_recycled(others);
  return class_of(bytes).bytes == class_of(others).bytes;
}

std::size_t kept_blocks() { return pool().kept(); }
void limit_blocks(std::size_t bytes) { pool().limit(bytes); }
void drop_blocks() { pool().clear(); }

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Freed blocks wait in stacks, one a size, four sizes between powers of two. An allocator that gives such memory back
// to the system at once, and glibc's does, has its pages faulted in anew by every product.
#include "base/blocks.hpp"

#include <array>
#include <bit>
#include <mutex>
#include <new>
#include <sys/mman.h>

#include "base/pages.hpp"

namespace lacis::detail {
namespace {

/// From a huge page on aligned to it.
constexpr std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= huge_page ? huge_page : 64};
}
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
/// The size that class_of gives for that index.
constexpr std::size_t bytes_of_class(std::size_t index) { return (index % 4 + 5) << (index / 4 - 2); }
static_assert(bytes_of_class(class_of(smallest + 1).index) == class_of(smallest + 1).bytes);
static_assert(bytes_of_class(class_of(2 * huge_page).index) == 2 * huge_page);

constexpr std::size_t first_class = class_of(smallest + 1).index;
constexpr std::size_t classes = class_of(2 * huge_page).index - first_class + 1;

void* new_block(std::size_t bytes) noexcept {
  void* data = ::operator new(bytes, alignment_of(bytes), std::nothrow);
  if (data != nullptr && bytes >= huge_page) madvise(data, bytes / huge_page * huge_page, MADV_HUGEPAGE);
  return data;
}
void give_back(void* data, std::size_t bytes) noexcept { ::operator delete(data, alignment_of(bytes)); }

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
      while (counts_[which] > 0) give_back(blocks_[which][--counts_[which]], bytes_of_class(which + first_class));
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
  if (!is_recycled(bytes)) return new_block(bytes);
  const size_class size = class_of(bytes);
  void* recycled = pool().take(size.index - first_class, size.bytes);
  return recycled != nullptr ? recycled : new_block(size.bytes);
}

void release_block(void* data, std::size_t bytes) noexcept {
  if (!is_recycled(bytes)) return give_back(data, bytes);
  const size_class size = class_of(bytes);
  if (!pool().keep(data, size.index - first_class, size.bytes)) give_back(data, size.bytes);
}

bool takes_as_much(std::size_t bytes, std::size_t others) noexcept {
  if (!is_recycled(bytes) || !is_recycled(others))
    return is_recycled(bytes) == is_recycled(others) && alignment_of(bytes) == alignment_of(others);
  return class_of(bytes).bytes == class_of(others).bytes;
}

std::size_t kept_blocks() { return pool().kept(); }
void limit_blocks(std::size_t bytes) { pool().limit(bytes); }
void drop_blocks() { pool().clear(); }

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Freed huge pages are kept and moved to where the next large array begins: mremap moves page tables, not bytes.
#include "base/pages.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace lacis::detail {
namespace {

constexpr std::size_t page = 4096;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }
constexpr std::size_t round_down(std::size_t bytes, std::size_t unit) { return bytes / unit * unit; }

std::size_t quarter_of_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  return pages <= 0 ? 0 : static_cast<std::size_t>(pages) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 4;
}

/// Runs of whole huge pages that are free. Never waited for: in the child of a fork the lock may be held for ever.
class page_pool {
 public:
  /// Moves up to `most` bytes to `to`, which is mapped, and at most that share of what there is; how many it were.
  std::size_t take(char* to, std::size_t most, double share) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return 0;
    const auto shared = static_cast<std::size_t>(share * static_cast<double>(kept_));
    const std::size_t wanted = std::min(most, round_up(shared, huge_page));
    std::size_t moved = 0;
    while (moved < wanted && !runs_.empty()) {
      run& last = runs_.back();
      const std::size_t bytes = std::min(last.bytes, wanted - moved);
      char* from = last.data + last.bytes - bytes;
      if (mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to + moved) == MAP_FAILED) {
        // The target may be gone: put fresh pages there and leave it at that.
        mmap(to + moved, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        madvise(to + moved, bytes, MADV_HUGEPAGE);
        break;
      }
      moved += bytes;
      kept_ -= bytes;
      last.bytes -= bytes;
      if (last.bytes == 0) runs_.pop_back();
    }
    return moved;
  }

  /// Whether the run is kept; otherwise it is the caller's to unmap.
  bool keep(char* data, std::size_t bytes) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || bytes == 0 || kept_ + bytes > limit_ || runs_.size() == runs_.capacity()) return false;
    if (madvise(data, bytes, MADV_FREE) != 0) return false;
    runs_.push_back({data, bytes});
    kept_ += bytes;
    return true;
  }

  std::size_t kept() {
    const std::scoped_lock lock(mutex_);
    return kept_;
  }

  void set_limit(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    limit_ = bytes;
    while (kept_ > limit_) {
      const run& last = runs_.back();
      munmap(last.data, last.bytes);
      kept_ -= last.bytes;
      runs_.pop_back();
    }
  }

  void clear() {
    const std::scoped_lock lock(mutex_);
    for (const run& one : runs_) munmap(one.data, one.bytes);
    runs_.clear();
    kept_ = 0;
  }

 private:
  struct run {
    char* data;
    std::size_t bytes;
  };

  static std::vector<run> room_for_runs() {
    std::vector<run> runs;
    runs.reserve(1024);
    return runs;
  }

  std::mutex mutex_;
  std::vector<run> runs_ = room_for_runs();
  std::size_t kept_ = 0;
  std::size_t limit_ = quarter_of_memory();
};

/// Never destroyed: arrays with static lifetime may be freed after everything else.
page_pool& pool() {
  static page_pool& all = *new page_pool;
  return all;
}

void unmap(char* data, std::size_t bytes) noexcept {
  if (bytes != 0) munmap(data, bytes);
}

page_range map_pages(std::size_t bytes, int flags, double share_of_recycled) noexcept {
  const std::size_t wanted = round_up(bytes, page);
  void* mapped = mmap(nullptr, wanted + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (mapped == MAP_FAILED) return {};
  char* begin = static_cast<char*>(mapped);
  const std::size_t before =
      round_up(reinterpret_cast<std::uintptr_t>(begin), huge_page) - reinterpret_cast<std::uintptr_t>(begin);
  unmap(begin, before);
  begin += before;
  unmap(begin + wanted, huge_page - before);
  madvise(begin, wanted, MADV_HUGEPAGE);
  return {begin, wanted, pool().take(begin, round_down(wanted, huge_page), share_of_recycled)};
}

}  // namespace

page_range reserve_pages(std::size_t bytes, double share_of_recycled) noexcept {
  return map_pages(bytes, MAP_NORESERVE, share_of_recycled);
}
page_range allocate_pages(std::size_t bytes) noexcept { return map_pages(bytes, 0, 1); }

void trim_pages(const page_range& range, std::size_t used) noexcept {
  char* begin = static_cast<char*>(range.data);
  const std::size_t kept = round_up(used, page);
  const std::size_t whole = round_up(used, huge_page);
  if (range.recycled > whole && pool().keep(begin + whole, range.recycled - whole)) {
    unmap(begin + kept, whole - kept);
    unmap(begin + range.recycled, range.bytes - range.recycled);
  } else {
    unmap(begin + kept, range.bytes - kept);
  }
}

void release_pages(void* data, std::size_t bytes) noexcept {
  char* begin = static_cast<char*>(data);
  const std::size_t mapped = round_up(bytes, page);
  const std::size_t whole = round_down(mapped, huge_page);
  if (pool().keep(begin, whole))
    unmap(begin + whole, mapped - whole);
  else
    unmap(begin, mapped);
}

std::size_t kept_pages() { return pool().kept(); }
void limit_pages(std::size_t bytes) { pool().set_limit(bytes); }
void drop_pages() { pool().clear(); }

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every allocation of a read fails once: the failure comes out as an exception, and nothing is leaked.
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <omp.h>
#include <string>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "io/matrix_market/matrix_market.hpp"

namespace {

std::atomic<bool> watching{false};
std::atomic<std::int64_t> until_failure{0};  // the allocation that makes it 0 fails
std::atomic<std::int64_t> living{0};         // allocated and not yet released while watching

/// The sizes are rounded up because std::aligned_alloc asks for multiples of the alignment.
void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (watching && --until_failure == 0) return nullptr;
  alignment = std::max(alignment, alignof(std::max_align_t));
  void* memory =
      std::aligned_alloc(alignment, (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment);
  if (memory != nullptr) ++living;
  return memory;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

void release(void* memory) noexcept {
  if (memory != nullptr) --living;
  std::free(memory);
}

constexpr std::size_t ordinary = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size, ordinary); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, ordinary); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, ordinary); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, ordinary); }
void* operator new(std::size_t size, std::align_val_t a) { return allocate_or_throw(size, std::size_t(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return allocate_or_throw(size, std::size_t(a)); }
void* operator new(std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(size, std::size_t(a));
}
void* operator new[](std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(size, std::size_t(a));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }

namespace lacis::detail {
namespace {

/// Symmetric, unsorted, with duplicates, and long enough for several chunks: every step of a read has work.
std::string file_of(std::int64_t size) {
  std::string out = text("%%MatrixMarket matrix coordinate real symmetric\n", size, ' ', size, ' ', 3 * size, '\n');
  for (std::int64_t k = 0; k < 3 * size; ++k) {
    const std::int64_t row = k * 7919 % size;
    out += text(row + 1, ' ', k % 5 == 0 ? 1 : row / 2 + 1, ' ', k, '\n');
  }
  return out;
}

enum class outcome { finished, reported, other };

outcome read_failing_at(const text_input& input, std::int64_t allocation) {
  read_report report;
  report.field.reserve(64);
  report.symmetry.reserve(64);
  outcome result = outcome::other;
  until_failure = allocation;
  watching = true;
  try {
    const auto a = parse_matrix_market<double, std::int32_t>(input, {}, report);
    result = outcome::finished;
  } catch (const error& e) {
    if (e.code() == errc::out_of_memory) result = outcome::reported;
  } catch (const std::bad_alloc&) {
    result = outcome::reported;
  }
  watching = false;
  return result;
}

TEST(AllocationFailure, ComesOutOfEveryStepOfAReadAndLeaksNothing) {
  const std::string file = file_of(20011);
  const text_input input{file, "file.mtx"};
  for (const int threads : {1, 2}) {
    omp_set_num_threads(threads);
    ASSERT_EQ(read_failing_at(input, -1), outcome::finished);  // never fails; the threads exist from here on
    bool finished = false;
    std::int64_t k = 1;
    for (; !finished && k < 10000; ++k) {
      const std::int64_t before = living;
      const outcome result = read_failing_at(input, k);
      ASSERT_NE(result, outcome::other) << "allocation " << k;
      ASSERT_EQ(living, before) << "allocation " << k << " of " << threads << " threads leaks";
      // Which thread makes the k-th allocation varies; that all allocations are few does not.
      finished = result == outcome::finished;
    }
    EXPECT_TRUE(finished);
    EXPECT_GT(k, 10) << "the reader allocates more than that: the test does not see it";
  }
}

}  // namespace
}  // namespace lacis::detail

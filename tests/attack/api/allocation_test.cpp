// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A product that is given a workspace which served it before allocates nothing: counted, for every layout.
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/plan.hpp>
#include <lacis/powers.hpp>
#include <lacis/triangular.hpp>

#include "base/blocks.hpp"
#include "plan/multiply.hpp"
#include "support/matrices.hpp"

namespace {

std::atomic<std::int64_t> allocations{0};

[[gnu::noinline]] void* allocate(std::size_t size, std::size_t alignment) noexcept {
  ++allocations;
  alignment = std::max(alignment, alignof(std::max_align_t));
  return std::aligned_alloc(alignment, (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment);
}
[[gnu::noinline]] void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}
/// Not inlined: where it is, g++ takes it for a free() of what new has given.
[[gnu::noinline]] void release(void* memory) { std::free(memory); }
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
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }

namespace lacis::test {
namespace {

/// Blocks are not recycled while it lives, so that every one is counted.
class without_recycling {
 public:
  without_recycling() { detail::limit_blocks(0); }
  ~without_recycling() { detail::limit_blocks(detail::most_kept_blocks); }
};

/// Allocations of the second of two runs.
template <class Work> std::int64_t allocations_of(Work&& work) {
  const without_recycling nothing_kept;
  work();
  const std::int64_t before = allocations;
  work();
  return allocations - before;
}

/// Grid rows, an empty one and one long enough to be cut; no array is so large that it has pages of its own.
csr_matrix<double> sample() {
  return from_rows<double, std::int32_t>(12'000, 12'000, entries::reals, [](std::int64_t i) {
    if (i == 17) return consecutive(0, 12'000);
    if (i == 40) return consecutive(100, 300);
    if (i == 99) return std::vector<std::int64_t>{};
    return consecutive(std::max<std::int64_t>(0, i - 2), std::min<std::int64_t>(12'000, i + 3));
  });
}

TEST(Allocations, AreCounted) {
  EXPECT_EQ(allocations_of([] { static_cast<void>(std::make_unique<double>(1)); }), 1);
  EXPECT_EQ(allocations_of([] { static_cast<void>(buffer<double>(1000)); }), 1);     // from the allocator
  EXPECT_EQ(allocations_of([] { static_cast<void>(buffer<double>(100'000)); }), 1);  // a block that is not recycled
}

TEST(Allocations, OfAProductWithAWorkspaceAreNone) {
  const auto a = sample();
  const std::vector<double> x(static_cast<std::size_t>(a.cols), 1.0);
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  for (const int threads : {1, 2})
    for (const plan_layout layout : plan_layouts) {
      const auto plan = multiply_inspect(a, {.threads = threads, .layout = layout});
      workspace memory;
      EXPECT_EQ(allocations_of([&] { multiply(plan, x, y, memory); }), 0) << name_of(layout) << ", " << threads;
      EXPECT_EQ(allocations_of([&] { multiply(2.0, plan, x, 3.0, y, memory); }), 0) << name_of(layout);
      EXPECT_EQ(allocations_of([&] { multiply(plan, x, y); }), 0) << name_of(layout) << " with its own workspace";
    }
}

TEST(Allocations, OfAProductWithColumnsAndAWorkspaceAreNone) {
  const auto a = sample();
  constexpr std::int64_t columns = 5;
  const std::vector<double> x(static_cast<std::size_t>(a.cols * columns), 1.0);
  std::vector<double> y(static_cast<std::size_t>(a.rows * columns));
  for (const int threads : {1, 2})
    for (const plan_layout layout : plan_layouts) {
      const auto plan = multiply_inspect(a, {.threads = threads, .layout = layout});
      workspace memory;
      const auto by_rows = [&] {
        multiply(plan, row_major(std::span(x), a.cols, columns), row_major(std::span(y), a.rows, columns), memory);
      };
      const auto by_columns = [&] {
        multiply(plan, column_major(std::span(x), a.cols, columns), column_major(std::span(y), a.rows, columns),
                 memory);
      };
      EXPECT_EQ(allocations_of(by_rows), 0) << name_of(layout) << ", " << threads;
      EXPECT_EQ(allocations_of(by_columns), 0) << name_of(layout) << ", " << threads;
    }
}

TEST(Allocations, OfPowersFromTheSecondCallOnAreNone) {
  const auto a = generate<double>("@poisson3d:20", {.values = generated_values::random});
  const std::vector<double> x(static_cast<std::size_t>(a.cols), 1.0);
  std::vector<double> y(x.size() * 3);
  constexpr std::int64_t cache = 32 << 10;
  for (const int threads : {1, 2})
    for (const plan_layout layout : plan_layouts) {
      const auto plan = multiply_inspect(a, {.threads = threads, .layout = layout});
      workspace memory;
      const auto powers = [&] {
        detail::multiply_powers<double>(plan, x, column_major(std::span(y), a.rows, 3), memory, cache);
      };
      EXPECT_EQ(allocations_of(powers), 0) << name_of(layout) << ", " << threads;
      const bool fused = detail::explain_powers(plan, 3, cache).starts_with("3 products");
      EXPECT_TRUE(fused || layout != plan_layout::stencil) << "otherwise this shows nothing of it";
    }
}

TEST(Allocations, OfAProductAndItsDotProductAreNone) {
  const auto grid = generate<double>("@poisson2d:90");
  const auto uneven = sample();
  for (const auto* a : {&grid, &uneven}) {
    const std::vector<double> x(static_cast<std::size_t>(a->cols), 1.0);
    std::vector<double> y(static_cast<std::size_t>(a->rows));
    for (const int threads : {1, 2})
      for (const plan_layout layout : plan_layouts) {
        const auto plan = multiply_inspect(*a, {.threads = threads, .layout = layout});
        workspace memory;
        EXPECT_EQ(allocations_of([&] {
                    static_cast<void>(detail::multiply_and_dot<double, std::int32_t>(plan, x, 0, y, 0, memory));
                  }),
                  0)
            << name_of(layout) << ", " << threads;
      }
  }
}

TEST(Allocations, OfATriangularSolutionWithAWorkspaceAreNone) {
  const auto a = generate<double>("@poisson2d:30");
  const std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0);
  std::vector<double> x(b.size());
  for (const auto schedule : {triangular_schedule::serial, triangular_schedule::levels, triangular_schedule::sync_free,
                              triangular_schedule::wavefront}) {
    const auto plan = triangular_inspect(a, {.threads = 2, .schedule = schedule});
    workspace memory;
    EXPECT_EQ(allocations_of([&] { triangular_solve(plan, b, x, memory); }), 0) << static_cast<int>(schedule);
  }
}

}  // namespace
}  // namespace lacis::test

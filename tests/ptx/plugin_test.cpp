// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA plugin over the interpreter, as a program opens it: its memory, and the kernels of CUB in every schedule.
// The kernels of lacis are verified by lacis verify --device ptx.
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "device/table.hpp"
#include "ptx/control.hpp"

namespace {

class PtxPlugin : public testing::TestWithParam<lacis_ptx_options> {
 protected:
  PtxPlugin() {
    library = dlopen(LACIS_PTX_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    table = reinterpret_cast<const lacis_runtime* (*)()>(dlsym(library, "lacis_cuda_runtime"))();
    set = reinterpret_cast<void (*)(const lacis_ptx_options*)>(dlsym(library, "lacis_ptx_set_options"));
    set(&GetParam());
    check(table->use(nullptr, 0, nullptr));
  }
  void check(std::int32_t code) const { ASSERT_EQ(code, 0) << table->message(nullptr, code); }

  template <class T> T* upload(const std::vector<T>& host) {
    T* const array = allocate<T>(host.size());
    check(table->copy(nullptr, array, host.data(), host.size() * sizeof(T), lacis_copy_to_device, nullptr));
    return array;
  }
  template <class T> T* allocate(std::size_t size) {
    void* memory = nullptr;
    check(table->allocate(nullptr, size * sizeof(T), nullptr, &memory));
    arrays.push_back(memory);
    return static_cast<T*>(memory);
  }
  template <class T> std::vector<T> download(const T* array, std::size_t size) {
    std::vector<T> host(size);
    check(table->copy(nullptr, host.data(), array, size * sizeof(T), lacis_copy_to_host, nullptr));
    return host;
  }
  ~PtxPlugin() override {
    for (void* const memory : arrays) table->release(nullptr, memory, nullptr);
  }

  void* library = nullptr;
  void (*set)(const lacis_ptx_options*) = nullptr;
  const lacis_runtime* table = nullptr;
  std::vector<void*> arrays;
  std::mt19937_64 random{7};
};

TEST_P(PtxPlugin, ScansAsTheHostDoes) {
  for (const std::size_t size : {1U, 31U, 1000U, 60000U}) {
    std::vector<std::int64_t> counts(size);
    for (std::int64_t& count : counts) count = static_cast<std::int64_t>(random() % 1000);
    std::vector<std::int64_t> expected(size + 1);
    std::partial_sum(counts.begin(), counts.end(), expected.begin() + 1);
    const std::int64_t* const from = upload(counts);
    auto* const to = allocate<std::int64_t>(size + 1);
    check(table->scan(nullptr, from, to, static_cast<std::int64_t>(size), nullptr));
    EXPECT_EQ(download(to, size + 1), expected) << size;
  }
}

TEST_P(PtxPlugin, ReducesAsTheHostDoes) {
  for (const std::size_t size : {1U, 5000U, 40000U}) {
    std::vector<std::int64_t> values(size);
    for (std::int64_t& value : values) value = static_cast<std::int64_t>(random() % 100000);
    const std::int64_t* const from = upload(values);
    auto* const to = allocate<std::int64_t>(1);
    check(table->reduce(nullptr, lacis_reduce_sum, from, static_cast<std::int64_t>(size), to, nullptr));
    EXPECT_EQ(download(to, 1)[0], std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    check(table->reduce(nullptr, lacis_reduce_max, from, static_cast<std::int64_t>(size), to, nullptr));
    EXPECT_EQ(download(to, 1)[0], *std::ranges::max_element(values));
  }
}

TEST_P(PtxPlugin, SortsSegmentsOfAllSizes) {
  std::vector<std::int64_t> offsets = {0};
  for (const std::int64_t length : {0, 1, 2, 7, 33, 150, 700, 3000, 5}) offsets.push_back(offsets.back() + length);
  const auto count = static_cast<std::size_t>(offsets.back());
  std::vector<std::int32_t> keys(count);
  std::iota(keys.begin(), keys.end(), -1000);
  std::ranges::shuffle(keys, random);
  std::vector<std::uint64_t> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = static_cast<std::uint64_t>(keys[k]) * 3;
  std::vector<std::int32_t> expected = keys;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    std::sort(expected.begin() + offsets[s], expected.begin() + offsets[s + 1]);
  std::int32_t* const sorted = upload(keys);
  std::uint64_t* const moved = upload(values);
  check(table->sort_segments(nullptr, sorted, 4, moved, 8, upload(offsets),
                             static_cast<std::int64_t>(offsets.size()) - 1, offsets.back(), nullptr));
  EXPECT_EQ(download(sorted, count), expected);
  const std::vector<std::uint64_t> got = download(moved, count);
  for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(got[k], static_cast<std::uint64_t>(expected[k]) * 3) << k;
}

TEST_P(PtxPlugin, CountsByKernelWhereAsked) {
  using by_name = std::map<std::string, lacis_ptx_counters>;
  const auto each = reinterpret_cast<void (*)(lacis_ptx_take, void*)>(dlsym(library, "lacis_ptx_each_kernel"));
  const auto get = reinterpret_cast<void (*)(lacis_ptx_counters*)>(dlsym(library, "lacis_ptx_get_counters"));
  const auto by_kernel = [&] {
    by_name all;
    each([](void* to, const char* name, const lacis_ptx_counters* own) { (*static_cast<by_name*>(to))[name] = *own; },
         &all);
    return all;
  };
  const auto scan = [&](std::int32_t count) {
    lacis_ptx_options how = GetParam();
    how.count = count;
    set(&how);
    const std::vector<std::int64_t> counts(5000, 1);
    check(table->scan(nullptr, upload(counts), allocate<std::int64_t>(5001), 5000, nullptr));
  };
  const by_name before = by_kernel();
  scan(0);
  EXPECT_EQ(by_kernel().size(), before.size());
  scan(1);
  lacis_ptx_counters all{};
  get(&all);
  EXPECT_GT(all.sectors, 0U);
  for (const lacis::ptx::named_counter& counter : lacis::ptx::all_counters) {
    std::uint64_t sum = 0;
    for (const auto& [name, own] : by_kernel())
      sum += own.*counter.value - (before.contains(name) ? before.at(name).*counter.value : 0);
    EXPECT_EQ(sum, all.*counter.value) << counter.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, PtxPlugin,
    testing::Values(lacis_ptx_options{}, lacis_ptx_options{.turns = lacis_ptx_random, .resident_blocks = 4},
                    lacis_ptx_options{.turns = lacis_ptx_ahead, .resident_blocks = 16, .stale = 1}));

}  // namespace

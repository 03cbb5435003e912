// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Dense products on a device: both methods sum serially over k, whatever the sizes.
#include "device/dense.hpp"

#include <array>

#include "simt/runtime.hpp"
#include "summation/orders.hpp"
#include "support/device_results.hpp"
#include "support/errors.hpp"
#include "verify/numbers.hpp"

namespace lacis::device {
namespace {

using verification::full_numbers;

using sizes = std::array<std::int64_t, 3>;  // m, k, n
constexpr sizes every_size[] = {{1, 1, 1},    {0, 3, 4},    {3, 0, 4},    {3, 4, 0},   {1, 100, 1},  {32, 32, 32},
                                {31, 33, 32}, {33, 31, 65}, {64, 1, 100}, {5, 200, 7}, {70, 65, 40}, {1, 32, 129}};
constexpr sizes few_sizes[] = {{33, 31, 65}, {3, 0, 4}};

template <class T> class DeviceDense : public ::testing::Test {};
TYPED_TEST_SUITE(DeviceDense, every_value);

template <class Value> void expect_serial_sums(runtime& device, const sizes& size) {
  const auto [m, k, n] = size;
  SCOPED_TRACE(::testing::PrintToString(size));
  const auto a = full_numbers<Value>(m * k, 3);
  const auto b = full_numbers<Value>(k * n, 4);
  std::vector<Value> expected;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      expected.push_back(summation::sum_products<Value, Value>(
          k, [&](std::int64_t l) { return a[static_cast<std::size_t>(i * size[1] + l)]; },
          [&](std::int64_t l) { return b[static_cast<std::size_t>(l * size[2] + j)]; }, summation::serial));
  const auto device_a = device.upload<Value>(a);
  const auto device_b = device.upload<Value>(b);
  for (const dense_method method : {dense_method::simple, dense_method::tiled}) {
    const auto c = device.allocate<device_of<Value>>(m * n);
    multiply_dense<Value>(device, method, m, k, n, device_a.data(), device_b.data(), c.data());
    EXPECT_EQ(difference(expected, device.download<Value>(c)), "") << static_cast<int>(method);
  }
}

TYPED_TEST(DeviceDense, EveryElementIsASerialSumAtEverySize) {
  simt_runtime host;
  runtime device(host.table());
  for (const sizes& size : every_size) expect_serial_sums<TypeParam>(device, size);
}

TYPED_TEST(DeviceDense, EveryElementIsASerialSumInEverySchedule) {
  for (const simt::schedule& turns : every_schedule) {
    simt_runtime host({.turns = turns});
    runtime device(host.table());
    for (const sizes& size : few_sizes) expect_serial_sums<TypeParam>(device, size);
  }
}

TEST(DeviceDense, AnInfinityBeyondATileStaysThere) {
  simt_runtime host;
  runtime device(host.table());
  std::vector<double> a(33 * 33, 1.0);
  a[32 * 33 + 32] = std::numeric_limits<double>::infinity();
  const std::vector<double> b(33 * 33, 2.0);
  const auto device_a = device.upload<double>(a);
  const auto device_b = device.upload<double>(b);
  const auto c = device.allocate<double>(33 * 33);
  multiply_dense<double>(device, dense_method::tiled, 33, 33, 33, device_a.data(), device_b.data(), c.data());
  std::vector<double> expected(33 * 33, 66.0);
  for (std::size_t j = 0; j < 33; ++j) expected[32 * 33 + j] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(difference(expected, device.download<double>(c)), "");
}

TEST(DeviceDense, RefusesNegativeSizes) {
  simt_runtime host;
  runtime device(host.table());
  EXPECT_EQ(
      test::code_of([&] { multiply_dense<double>(device, dense_method::tiled, 3, -1, 4, nullptr, nullptr, nullptr); }),
      errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors on a device: the bits of the order for updates, dot products and norms; integers for the texts' sums.
#include "device/vector.hpp"

#include <limits>

#include "simt/runtime.hpp"
#include "summation/vector.hpp"
#include "support/device_results.hpp"
#include "support/errors.hpp"
#include "verify/numbers.hpp"

namespace lacis::device {
namespace {

using test::code_of;
using verification::entries;
using verification::entry_value;
using verification::full_number;
using verification::full_numbers;

constexpr std::int64_t lengths[] = {0, 1, 31, 32, 33, 4095, 4096, 4097, 20000, 100000};
constexpr std::int64_t few_lengths[] = {33, 4097, 20000};

template <class T> class DeviceVectors : public ::testing::Test {};
TYPED_TEST_SUITE(DeviceVectors, every_value);

template <class Value> std::vector<Value> whole_numbers(std::int64_t count, std::uint64_t salt) {
  std::vector<Value> all;
  for (std::int64_t k = 0; k < count; ++k)
    all.push_back(entry_value<Value>(salt * 1000003 + static_cast<std::uint64_t>(k), entries::integers));
  return all;
}

template <class Value> Value nan() { return Value(std::numeric_limits<real_of<Value>>::quiet_NaN()); }

template <class Value> void expect_sums_of_the_order(runtime& device, std::int64_t n) {
  SCOPED_TRACE(n);
  const auto x = full_numbers<Value>(n, 3);
  const auto y = full_numbers<Value>(n, 4);
  const auto device_x = device.upload<Value>(x);
  const auto device_y = device.upload<Value>(y);
  vector_sums<Value> sums(device, n);
  EXPECT_EQ(difference_of_numbers(summation::dot<Value, Value>(x, y), sums.dot(n, device_x.data(), device_y.data())),
            "");
  EXPECT_EQ(difference_of_numbers(summation::dotc<Value, Value>(x, y), sums.dotc(n, device_x.data(), device_y.data())),
            "");
  EXPECT_EQ(difference_of_numbers(summation::norm<Value>(x), sums.norm(n, device_x.data())), "");
}

TYPED_TEST(DeviceVectors, DotAndNormHaveTheBitsOfTheOrderAtEveryLength) {
  simt_runtime host;
  runtime device(host.table());
  for (const std::int64_t n : lengths) expect_sums_of_the_order<TypeParam>(device, n);
}

TYPED_TEST(DeviceVectors, DotAndNormHaveTheBitsOfTheOrderInEverySchedule) {
  for (const simt::schedule& turns : every_schedule) {
    simt_runtime host({.turns = turns});
    runtime device(host.table());
    for (const std::int64_t n : few_lengths) expect_sums_of_the_order<TypeParam>(device, n);
  }
}

TEST(DeviceVectors, MoreBlocksThanOneLaunchOfTheTreeJoins) {
  simt_runtime host;
  runtime device(host.table());
  expect_sums_of_the_order<float>(device, 4096 * 2051 + 5);
}

TYPED_TEST(DeviceVectors, NormIsRescuedFromOverflowAndUnderflow) {
  using real = real_of<TypeParam>;
  using limits = std::numeric_limits<real>;
  simt_runtime host;
  runtime device(host.table());
  for (const real scale : {limits::max() / 1024, limits::min(), limits::denorm_min() * 8, real(0), limits::infinity(),
                           limits::quiet_NaN()}) {
    SCOPED_TRACE(scale);
    std::vector<TypeParam> x(5000, TypeParam(0));
    for (std::size_t k = 0; k < x.size(); k += 3) x[k] = TypeParam(-scale);
    if constexpr (is_complex<TypeParam>) x[4999] = TypeParam(0, scale / 2);
    const auto device_x = device.upload<TypeParam>(x);
    vector_sums<TypeParam> sums(device, 5000);
    EXPECT_EQ(difference_of_numbers(summation::norm<TypeParam>(x), sums.norm(5000, device_x.data())), "");
  }
}

TYPED_TEST(DeviceVectors, TheLargestElementRescuesTheNormFromWhereverItStands) {
  using limits = std::numeric_limits<real_of<TypeParam>>;
  simt_runtime host;
  runtime device(host.table());
  vector_sums<TypeParam> sums(device, 5000);
  for (const std::size_t place : {0, 1, 16, 31, 4064, 4095, 4096, 4999}) {
    SCOPED_TRACE(place);
    std::vector<TypeParam> x(5000, TypeParam(limits::min()));  // so small that their scale would overflow
    x[place] = TypeParam(-limits::max() / 3);
    const auto device_x = device.upload<TypeParam>(x);
    EXPECT_EQ(difference_of_numbers(summation::norm<TypeParam>(x), sums.norm(5000, device_x.data())), "");
  }
}

TYPED_TEST(DeviceVectors, UpdatesReadNothingThatIsMultipliedByZero) {
  simt_runtime host;
  runtime device(host.table());
  const TypeParam some = full_number<TypeParam>(5);
  for (const std::int64_t n : {0, 1, 255, 257, 4097})
    for (const TypeParam alpha : {TypeParam(0), TypeParam(1), some})
      for (const TypeParam beta : {TypeParam(0), TypeParam(1), some}) {
        SCOPED_TRACE(n);
        const auto poisoned = std::vector<TypeParam>(static_cast<std::size_t>(n), nan<TypeParam>());
        const auto x = alpha == TypeParam(0) ? poisoned : full_numbers<TypeParam>(n, 6);
        auto y = beta == TypeParam(0) ? poisoned : full_numbers<TypeParam>(n, 7);
        const auto device_x = device.upload<TypeParam>(x);
        const auto device_y = device.upload<TypeParam>(y);
        axpby(device, n, alpha, device_x.data(), beta, device_y.data());
        summation::axpby<TypeParam, TypeParam>(alpha, x, beta, y);
        EXPECT_EQ(difference(y, device.download<TypeParam>(device_y)), "");
      }
}

TYPED_TEST(DeviceVectors, ReductionsOfTheTextsAreExactOnWholeNumbers) {
  for (const simt::schedule& turns : every_schedule) {
    simt_runtime host({.turns = turns});
    runtime device(host.table());
    for (const std::int64_t n : {0, 1, 31, 32, 33, 255, 256, 257, 4097, 10000}) {
      SCOPED_TRACE(n);
      const auto x = whole_numbers<TypeParam>(n, 8);
      const auto y = whole_numbers<TypeParam>(n, 9);
      TypeParam sum{};
      for (const TypeParam& element : x) sum += element;
      const auto device_x = device.upload<TypeParam>(x);
      const auto device_y = device.upload<TypeParam>(y);
      EXPECT_EQ(plus_reduce<TypeParam>(device, n, device_x.data()), sum);
      EXPECT_EQ(shuffle_reduce<TypeParam>(device, n, device_x.data()), sum);
      EXPECT_EQ(dot_atomic<TypeParam>(device, n, device_x.data(), device_y.data()),
                (summation::dot<TypeParam, TypeParam>(x, y)));
    }
  }
}

TEST(DeviceVectors, WholeNumbersAreAddedInTheirOwnTypes) {
  simt_runtime host;
  runtime device(host.table());
  const std::vector<std::int64_t> wide(1000, std::int64_t{1} << 40);
  const std::vector<std::int32_t> narrow(70000, -3);
  const auto device_wide = device.upload<std::int64_t>(wide);
  const auto device_narrow = device.upload<std::int32_t>(narrow);
  EXPECT_EQ(plus_reduce_whole(device, 1000, device_wide.data()), std::int64_t{1000} << 40);
  EXPECT_EQ(plus_reduce_whole(device, 70000, device_narrow.data()), -210000);
}

TEST(DeviceVectors, AWorkspaceRefusesLongerVectors) {
  simt_runtime host;
  runtime device(host.table());
  const auto x = device.zeros<double>(5000);
  vector_sums<double> sums(device, 4999);
  EXPECT_EQ(code_of([&] { (void)sums.norm(5000, x.data()); }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::device

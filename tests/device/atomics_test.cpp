// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Atomic sums in global memory: a GPU flushes subnormal numbers of single precision, and so does the host executor.
#include <gtest/gtest.h>
#include <limits>

#include "device/spmv.hpp"
#include "device/vector.hpp"
#include "simt/runtime.hpp"
#include "support/device_results.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::device {
namespace {

template <class Value> class AtomicSums : public ::testing::Test {
 protected:
  using real = real_of<Value>;
  static constexpr real least = std::numeric_limits<real>::min();
  /// What becomes of half of the least normal number.
  static constexpr real half = sizeof(real) == 4 ? real(0) : least / 2;
  simt_runtime host;
  runtime device{host.table()};
};
TYPED_TEST_SUITE(AtomicSums, every_value);

TYPED_TEST(AtomicSums, FlushSubnormalsInSinglePrecisionAlone) {
  using value = TypeParam;
  const value subnormal(this->least / 2);
  const auto one = this->device.template upload<value>(std::vector<value>{value(1)});
  const auto x = this->device.template upload<value>(std::vector<value>{subnormal});
  EXPECT_EQ(difference_of_numbers(value(this->half), plus_reduce<value>(this->device, 1, x.data())), "");
  EXPECT_EQ(difference_of_numbers(value(this->half), shuffle_reduce<value>(this->device, 1, x.data())), "");
  EXPECT_EQ(difference_of_numbers(value(this->half), dot_atomic<value>(this->device, 1, x.data(), one.data())), "");
}

TYPED_TEST(AtomicSums, FlushASubnormalDifferenceOfNormalNumbers) {
  using value = TypeParam;
  const std::vector<std::int64_t> row_offsets{0, 2};
  const std::vector<std::int32_t> columns{0, 1};
  const std::vector<value> values{value(3), value(-2)};
  const auto there = upload(
      this->device, csr_view<value, std::int32_t>{1, 2, row_offsets, columns, values_view<value>(std::span(values))});
  const auto x = this->device.template upload<value>(std::vector<value>(2, value(this->least / 2)));
  const auto y = this->device.template upload<value>(std::vector<value>{value(0)});
  spmv(this->device, spmv_method::coo_atomic, there, value(1), x.data(), value(0), y.data());
  const auto got = this->device.template download<value>(y);
  EXPECT_EQ(difference_of_numbers(value(this->half), got[0]), "");
}

}  // namespace
}  // namespace lacis::device

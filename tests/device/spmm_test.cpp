// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with dense columns on a device: each column has the bits of a product with it alone, in every arrangement.
#include "device/spmm.hpp"

#include "simt/runtime.hpp"
#include "support/device_results.hpp"
#include "support/errors.hpp"
#include "verify/cases.hpp"

namespace lacis::device {
namespace {

using verification::arrangement;
using verification::entries;
using verification::full_number;
using verification::full_numbers;
using verification::test_matrices;

template <class Types> class DeviceSpmm : public ::testing::Test {};
TYPED_TEST_SUITE(DeviceSpmm, every_value_and_index);
using some_types =
    ::testing::Types<value_and_index<double, std::int32_t>, value_and_index<std::complex<float>, std::int64_t>>;
template <class Types> class DeviceSpmmSchedules : public ::testing::Test {};
TYPED_TEST_SUITE(DeviceSpmmSchedules, some_types);

/// The test matrices's grids are small: a second thread would cost more than it saves.
simt_options on_one_thread(const simt::schedule& turns = {}) { return {.turns = turns, .threads = 1}; }

template <class Value, class Index>
std::vector<Value> computed(runtime& device, const device_csr<Value, Index>& a,
                            const verification::product_case<Value, Value>& c) {
  const auto x = device.upload<Value>(c.x);
  const auto y = device.upload<Value>(c.y);
  const auto plan = plan_spmm(device, a, c.cols);
  spmm<Value, Index>(device, plan, a, c.alpha,
                     {x.data(), c.x_shape.rows, c.x_shape.cols, c.x_shape.row_stride, c.x_shape.col_stride}, c.beta,
                     {y.data(), c.y_shape.rows, c.y_shape.cols, c.y_shape.row_stride, c.y_shape.col_stride});
  return device.download<Value>(y);
}

template <class Value, class Index>
void expect_every_column(runtime& device, const csr_matrix<Value, Index>& a, const std::string& name) {
  const auto matrix = upload(device, a.view());
  for (const auto& c : verification::column_cases<Value, Index, Value>(a.view()))
    EXPECT_EQ(difference(c.expected, computed(device, matrix, c)), "") << name << ": " << c.name;
}

TYPED_TEST(DeviceSpmm, EveryColumnOfTheBatteryIsCanonical) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const std::int64_t most = sizeof(index) == 4 ? 6000 : 1000;
  for (const auto& [name, a] : test_matrices<value, index>(entries::reals))
    if (a.nnz() < most) expect_every_column(device, a, name);
}

TYPED_TEST(DeviceSpmmSchedules, EveryColumnIsCanonicalInEverySchedule) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  for (const simt::schedule& turns : every_schedule) {
    simt_runtime host(on_one_thread(turns));
    runtime device(host.table());
    for (const auto& [name, a] : test_matrices<value, index>(entries::reals))
      if (name == "lengths 0 to 70" || name == "rows of 1025" || name == "one huge row")
        expect_every_column(device, a, name);
  }
}

/// Rows of one to five chunks between short ones, with 20 columns: both kernels of long rows, whose sums meet in trees
/// of every shape up to five leaves.
TYPED_TEST(DeviceSpmm, RowsOfSeveralChunksJoinByTheTreeInEveryArrangement) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  constexpr std::int64_t cols = 20;
  const auto a = verification::from_rows<value, index>(12, 5200, entries::reals, [](std::int64_t i) {
    return verification::consecutive(i, i + (i % 2 == 0 ? 5 * i : 33 + 470 * (i - 1)));
  });
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const auto matrix = upload(device, a.view());
  const auto plan = plan_spmm(device, matrix, cols);
  const auto columns = full_numbers<value>(a.cols * cols, 5);
  std::vector<value> expected(static_cast<std::size_t>(a.rows * cols), value(1));
  const value alpha = full_number<value>(6);
  const value beta = full_number<value>(7);
  summation::spmm<value, index, value>(alpha, a.view(), {columns.data(), a.cols, cols, a.cols}, beta,
                                       {expected.data(), a.rows, cols, a.rows});
  for (const arrangement x_how : {arrangement::row_major, arrangement::column_major})
    for (const arrangement y_how : {arrangement::row_major, arrangement::column_major}) {
      auto x_shape = verification::arranged<const device_of<value>>(x_how, a.cols, cols);
      auto y_shape = verification::arranged<device_of<value>>(y_how, a.rows, cols);
      std::vector<value> x(columns.size());
      for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t i = 0; i < a.cols; ++i)
          x[static_cast<std::size_t>(i * x_shape.row_stride + j * x_shape.col_stride)] =
              columns[static_cast<std::size_t>(j * a.cols + i)];
      const auto device_x = device.upload<value>(x);
      const auto device_y = device.upload<value>(std::vector<value>(expected.size(), value(1)));
      x_shape.data = device_x.data();
      y_shape.data = device_y.data();
      spmm<value, index>(device, plan, matrix, alpha, x_shape, beta, y_shape);
      const auto y = device.download<value>(device_y);
      std::vector<value> got;
      for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t i = 0; i < a.rows; ++i)
          got.push_back(y[static_cast<std::size_t>(i * y_shape.row_stride + j * y_shape.col_stride)]);
      EXPECT_EQ(difference(expected, got), "") << static_cast<int>(x_how) << static_cast<int>(y_how);
    }
}

TEST(DeviceSpmm, AlphaZeroScalesAndReadsNothingElse) {
  simt_runtime host;
  runtime device(host.table());
  const auto a = verification::from_rows<double, std::int32_t>(
      3, 50, entries::reals, [](std::int64_t i) { return verification::consecutive(0, 20 * i); });
  const auto matrix = upload(device, a.view());
  const auto plan = plan_spmm(device, matrix, 2);
  for (const double beta : {0.0, 1.0, 0.3}) {
    const double old = beta == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.7;
    const auto y = device.upload<double>(std::vector<double>(6, old));
    spmm<double, std::int32_t>(device, plan, matrix, 0.0, {nullptr, 50, 2, 2, 1}, beta, {y.data(), 3, 2, 2, 1});
    EXPECT_EQ(difference(std::vector<double>(6, beta == 0 ? 0.0 : beta * old), device.download<double>(y)), "");
  }
}

TEST(DeviceSpmm, RefusesShapesThatDoNotGoTogether) {
  simt_runtime host;
  runtime device(host.table());
  const auto a = verification::from_rows<double, std::int32_t>(
      3, 5, entries::reals, [](std::int64_t i) { return verification::consecutive(0, i); });
  const auto matrix = upload(device, a.view());
  const auto plan = plan_spmm(device, matrix, 2);
  const auto refused = [&](dense_view<const double> x, dense_view<double> y) {
    return test::code_of([&] { spmm<double, std::int32_t>(device, plan, matrix, 1.0, x, 0.0, y); });
  };
  EXPECT_EQ(refused({nullptr, 4, 2, 2, 1}, {nullptr, 3, 2, 2, 1}), errc::invalid_argument);
  EXPECT_EQ(refused({nullptr, 5, 2, 2, 1}, {nullptr, 3, 1, 2, 1}), errc::invalid_argument);
  EXPECT_EQ(refused({nullptr, 5, 3, 3, 1}, {nullptr, 3, 3, 3, 1}), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::device

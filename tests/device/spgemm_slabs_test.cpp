// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products from and to host memory: the bits of the processor, within the memory of the device, slab by slab.
#include "device/spgemm_slabs.hpp"

#include <gtest/gtest.h>
#include <vector>

#include <lacis/device_spgemm.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/structure.hpp>

#include "device/spgemm_binned.hpp"
#include "simt/runtime.hpp"
#include "summation/spgemm.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis {
namespace {

using test::code_of;
using test::entries;

template <value Value, index Index> csr_matrix<Value, Index> some_rows() {
  return test::from_rows<Value, Index>(400, 400, entries::reals,
                                       [](std::int64_t i) { return test::random_columns(i, i % 13, 400, 3); });
}

template <class Matrix> std::int64_t bytes_of(const Matrix& a) {
  return 8 * (a.rows + 1) +
         a.nnz() * static_cast<std::int64_t>(sizeof(typename Matrix::value_type) + sizeof(typename Matrix::index_type));
}

template <value Value, index Index> void check_api() {
  const device_context where(devices::simt());
  const auto a = some_rows<Value, Index>();
  const auto b = transpose(a);
  device_spgemm_report report;
  const auto c = multiply(where, a, b, {}, &report);
  EXPECT_EQ(test::difference(c, multiply(a, b)), "");
  EXPECT_EQ(report.slabs, 1);
  EXPECT_EQ(report.entries, c.nnz());
}

TEST(DeviceSpgemmApi, HasTheBitsOfTheProcessor) {
  check_api<float, std::int32_t>();
  check_api<double, std::int64_t>();
  check_api<std::complex<float>, std::int64_t>();
  check_api<std::complex<double>, std::int32_t>();
}

TEST(DeviceSpgemmApi, ReportsProgressAndProducts) {
  const device_context where(devices::simt());
  const auto a = some_rows<double, std::int32_t>();
  spgemm_report expected;
  (void)multiply(a, a, {}, &expected);
  double last = 0;
  device_spgemm_options options;
  options.progress = [&](std::string_view, double share) { last = share; };
  device_spgemm_report report;
  (void)multiply(where, a, a, options, &report);
  EXPECT_EQ(report.products, expected.products);
  EXPECT_EQ(report.entries, expected.entries);
  EXPECT_EQ(last, 1);
}

TEST(DeviceSpgemmApi, RefusesWhatTheProcessorRefuses) {
  const device_context where(devices::simt());
  const auto a = test::from_rows<double, std::int32_t>(3, 5, entries::integers,
                                                       [](std::int64_t) { return test::consecutive(0, 5); });
  EXPECT_EQ(code_of([&] { (void)multiply(where, a, a); }), errc::invalid_argument);
  auto unsorted = transpose(a);
  std::swap(unsorted.columns[0], unsorted.columns[1]);
  EXPECT_EQ(code_of([&] { (void)multiply(where, a, unsorted); }), errc::invalid_matrix);
  EXPECT_EQ(code_of([&] { (void)multiply(where, a, transpose(a), {.memory_limit = -1}); }), errc::invalid_argument);
}

TEST(DeviceSpgemmApi, NothingTimesAnythingIsEmpty) {
  const device_context where(devices::simt());
  const auto none = test::from_rows<double, std::int32_t>(3, 4, entries::integers,
                                                          [](std::int64_t) { return std::vector<std::int64_t>{}; });
  const auto c = multiply(where, none, transpose(none));
  EXPECT_EQ(c.rows, 3);
  EXPECT_EQ(c.cols, 3);
  EXPECT_EQ(c.nnz(), 0);
  EXPECT_EQ(c.row_offsets[3], 0);
}

TEST(DeviceSpgemmSlabs, StayWithinTheMemoryAndHaveTheSameBits) {
  const auto a = some_rows<double, std::int32_t>();
  const auto expected = summation::spgemm(a.view(), a.view());
  const std::int64_t fixed = 2 * bytes_of(a) + device::binned_bytes + 400 * device::binned_bytes_per_row;
  std::int64_t before = 1;
  for (const std::int64_t entries_there : {40000, 10000, 2000}) {
    device::simt_runtime host;
    device::runtime device(host.table());
    const std::int64_t memory = fixed + entries_there * 12;
    device_spgemm_report report;
    const auto c = device::multiply_in_slabs(device, a.view(), a.view(), {.memory_limit = memory}, {}, report);
    EXPECT_EQ(test::difference(c, expected), "") << memory;
    EXPECT_LE(host.most_bytes_in_use(), memory);
    EXPECT_EQ(host.bytes_in_use(), 0);
    EXPECT_GE(report.slabs, before);
    before = report.slabs;
  }
  EXPECT_GT(before, 5);
}

TEST(DeviceSpgemmSlabs, LongRowsWithTablesInGlobalMemoryStayWithinItToo) {
  const auto a = some_rows<double, std::int32_t>();
  const auto expected = summation::spgemm(a.view(), a.view());
  const std::int64_t memory = 2 * bytes_of(a) + device::binned_bytes + 400 * device::binned_bytes_per_row + 4000 * 12;
  for (const std::int64_t dense_share : {0, 1000}) {
    device::simt_runtime host;
    device::runtime device(host.table());
    device_spgemm_report report;
    const auto c = device::multiply_in_slabs(device, a.view(), a.view(), {.memory_limit = memory},
                                             {{2, 8, 20}, {2, 8, 20}, dense_share}, report);
    EXPECT_EQ(test::difference(c, expected), "") << dense_share;
    EXPECT_LE(host.most_bytes_in_use(), memory);
    EXPECT_GT(report.slabs, 1);
  }
}

TEST(DeviceSpgemmSlabs, SayWhatDoesNotFit) {
  const auto a =
      test::from_rows<double, std::int32_t>(2, 1, entries::reals, [](std::int64_t) { return test::consecutive(0, 1); });
  const auto b = test::from_rows<double, std::int32_t>(1, 3000, entries::reals,
                                                       [](std::int64_t) { return test::consecutive(0, 400); });
  device::simt_runtime host;
  device::runtime device(host.table());
  const auto message = [&](std::int64_t memory) {
    device_spgemm_report report;
    try {
      (void)device::multiply_in_slabs(device, a.view(), b.view(), {.memory_limit = memory}, {}, report);
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::out_of_memory);
      return std::string(problem.what());
    }
    return std::string();
  };
  EXPECT_NE(message(1000).find("multiply parts of A's rows"), std::string::npos) << message(1000);
  const std::int64_t operands = bytes_of(a) + bytes_of(b) + 6 * 512 + device::binned_bytes + 2 * 33;
  EXPECT_NE(message(operands + 1100).find("row 0 of the product has 400 entries of 12 bytes"), std::string::npos)
      << message(operands + 1100);
  EXPECT_EQ(message(operands + 2 * 400 * 12), "");
  EXPECT_EQ(host.bytes_in_use(), 0);
}

}  // namespace
}  // namespace lacis

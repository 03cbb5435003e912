// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products by lists of rows: which row is in which list, every kind of table in every schedule, probes, sorts.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/spgemm.hpp"
#include "kernels/spgemm_hash.hpp"
#include "simt/runtime.hpp"
#include "summation/spgemm.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis::device {
namespace {

using test::entries;

std::vector<simt::schedule> schedules() {
  std::vector<simt::schedule> all{{simt::turns::forward}, {simt::turns::reverse}};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) all.push_back({simt::turns::shuffled, seed});
  return all;
}

template <value Value, index Index>
csr_matrix<Value, Index> product(runtime& device, const csr_matrix<Value, Index>& a, const csr_matrix<Value, Index>& b,
                                 const spgemm_options& options, spgemm_statistics* statistics = nullptr) {
  const auto there_a = upload(device, a.view());
  const auto there_b = upload(device, b.view());
  const auto c = spgemm(device, there_a, there_b, options, statistics);
  csr_matrix<Value, Index> all;
  all.rows = c.rows;
  all.cols = c.cols;
  all.row_offsets = buffer<std::int64_t>(std::span<const std::int64_t>(device.download<std::int64_t>(c.row_offsets)));
  all.columns = buffer<Index>(std::span<const Index>(device.download<Index>(c.columns)));
  all.values = values_array<Value>(buffer<Value>(std::span<const Value>(device.download<Value>(c.values))));
  return all;
}

constexpr std::int64_t sides = 90;

/// Row i has i % lengths entries. With 17 in A and 9 in B, rows of C have from no product to more than any low limit.
template <value Value, index Index> csr_matrix<Value, Index> rising_rows(std::int64_t lengths) {
  return test::from_rows<Value, Index>(sides, sides, entries::reals, [=](std::int64_t i) {
    return test::random_columns(i, i % lengths, sides, lengths);
  });
}

spgemm_options low_limits(std::int64_t dense_share) {
  spgemm_options options;
  options.tuning = {{4, 20, 40}, {3, 12, 30}, dense_share};
  options.blocks = 3;  // a table serves several rows
  options.count_probes = true;
  return options;
}

std::int64_t products_of_row(const auto& a, const auto& b, std::int64_t row) {
  std::int64_t products = 0;
  for (std::int64_t k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k)
    products += b.row_offsets[a.columns[k] + 1] - b.row_offsets[a.columns[k]];
  return products;
}

TEST(DeviceSpgemmBinned, EveryRowIsInTheListOfItsSize) {
  simt_runtime host;
  runtime device(host.table());
  const auto a = rising_rows<double, std::int32_t>(17);
  const auto b = rising_rows<double, std::int32_t>(9);
  const auto expected = summation::spgemm(a.view(), b.view());
  const spgemm_options options = low_limits(2);
  spgemm_statistics counted;
  EXPECT_EQ(test::difference(product(device, a, b, options, &counted), expected), "");
  const auto list_of = [](std::int64_t count, const spgemm_limits& limits) {
    const std::int64_t most[] = {limits.few, limits.medium, limits.wide, std::max(limits.wide, sides / 2)};
    return static_cast<std::size_t>(std::lower_bound(most, most + 4, count) - most);
  };
  std::array<std::int64_t, spgemm_bins> by_products{}, by_entries{}, products{};
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::int64_t own = products_of_row(a, b, i);
    if (own == 0) continue;
    const std::size_t list = list_of(own, options.tuning.count);
    ++by_products[list];
    products[list] += own;
    ++by_entries[list_of(expected.row_offsets[i + 1] - expected.row_offsets[i], options.tuning.fill)];
  }
  for (std::size_t bin = 0; bin < spgemm_bins; ++bin) {
    const char* const name = name_of(static_cast<spgemm_bin>(bin));
    EXPECT_EQ(counted.count_bins[bin].rows, by_products[bin]) << name;
    EXPECT_EQ(counted.fill_bins[bin].rows, by_entries[bin]) << name;
    EXPECT_EQ(counted.count_bins[bin].products, products[bin]) << name;
    EXPECT_GE(counted.count_bins[bin].probes, counted.count_bins[bin].products) << name;
    EXPECT_GE(counted.fill_bins[bin].probes, counted.fill_bins[bin].products) << name;
  }
}

template <value Value, index Index> void check_lists() {
  const auto a = rising_rows<Value, Index>(17);
  const auto b = rising_rows<Value, Index>(9);
  const auto expected = summation::spgemm(a.view(), b.view());
  for (const simt::schedule& turns : schedules())
    for (const std::int64_t dense_share : {0, 1000}) {
      simt_runtime host({turns, 0});
      runtime device(host.table());
      spgemm_statistics counted;
      EXPECT_EQ(test::difference(product(device, a, b, low_limits(dense_share), &counted), expected), "")
          << "share " << dense_share << ", turns " << static_cast<int>(turns.order) << ", seed " << turns.seed;
      EXPECT_EQ(counted.launches, host.launches());
      for (const spgemm_bin bin : {spgemm_bin::few, spgemm_bin::medium, spgemm_bin::wide})
        EXPECT_GT(counted.fill_bins[static_cast<std::size_t>(bin)].rows, 0) << name_of(bin);
      const spgemm_bin long_rows = dense_share == 0 ? spgemm_bin::large : spgemm_bin::dense;
      EXPECT_GT(counted.fill_bins[static_cast<std::size_t>(long_rows)].rows, 0) << name_of(long_rows);
      EXPECT_GT(counted.count_bins[static_cast<std::size_t>(long_rows)].rows, 0) << name_of(long_rows);
    }
}

TEST(DeviceSpgemmBinned, EveryListGivesTheBitsOfTheReferenceInEverySchedule) {
  check_lists<float, std::int32_t>();
  check_lists<float, std::int64_t>();
  check_lists<double, std::int32_t>();
  check_lists<double, std::int64_t>();
  check_lists<std::complex<float>, std::int32_t>();
  check_lists<std::complex<float>, std::int64_t>();
  check_lists<std::complex<double>, std::int32_t>();
  check_lists<std::complex<double>, std::int64_t>();
}

TEST(DeviceSpgemmBinned, RowsThatFillATableAreRight) {
  // As many entries as a list allows, and one more.
  simt_runtime host;
  runtime device(host.table());
  for (const std::int64_t length : {1, 31, 32, 33, 128, 129, 512, 513, 2048, 2049, 3000}) {
    const auto a = test::from_rows<double, std::int32_t>(3, 2, entries::reals, [](std::int64_t i) {
      return i == 1 ? test::consecutive(0, 2) : std::vector<std::int64_t>{};
    });
    const auto b = test::from_rows<double, std::int32_t>(2, 100000, entries::reals, [&](std::int64_t k) {
      return test::random_columns(k / 2, length, 100000, 5);  // both rows the same: every entry has two products
    });
    EXPECT_EQ(test::difference(product(device, a, b, {}), summation::spgemm(a.view(), b.view())), "") << length;
  }
}

TEST(DeviceSpgemmBinned, ColumnsBeyond32BitsAreKeptApart) {
  simt_runtime host;
  runtime device(host.table());
  constexpr std::int64_t high = std::int64_t{1} << 32;
  const auto a = test::from_rows<double, std::int64_t>(1, 2, entries::integers,
                                                       [](std::int64_t) { return test::consecutive(0, 2); });
  auto b = test::from_rows<double, std::int64_t>(2, 7, entries::integers,
                                                 [](std::int64_t) { return test::consecutive(0, 7); });
  b.cols = 8 * high;
  for (std::int64_t k = 0; k < 14; ++k) b.columns[k] = k % 7 * high + 3 + k / 7;
  EXPECT_EQ(test::difference(product(device, a, b, {}), summation::spgemm(a.view(), b.view())), "");
}

TEST(DeviceSpgemmBinned, AProbeIsASlotLookedAt) {
  // One row, products of four columns that are 8 slots apart in a table of 8, or not: hashing decides, and it is fixed.
  simt_runtime host;
  runtime device(host.table());
  const auto a = test::from_rows<double, std::int32_t>(1, 1, entries::integers,
                                                       [](std::int64_t) { return test::consecutive(0, 1); });
  const auto b = test::from_rows<double, std::int32_t>(1, 64, entries::integers,
                                                       [](std::int64_t) { return test::consecutive(10, 14); });
  std::vector<bool> taken(8);
  std::int64_t probes = 0;
  for (std::int32_t column = 10; column < 14; ++column) {
    unsigned slot = kernels::first_slot(column, 3);
    ++probes;
    for (; taken[slot]; slot = (slot + 1) % 8) ++probes;
    taken[slot] = true;
  }
  spgemm_options options;
  options.count_probes = true;
  spgemm_statistics counted;
  (void)product(device, a, b, options, &counted);
  EXPECT_EQ(counted.count_bins[0].products, 4);
  EXPECT_EQ(counted.count_bins[0].probes, probes);
  EXPECT_EQ(counted.fill_bins[0].probes, probes);
}

TEST(DeviceSpgemmBinned, LongRowsAreHashedWhereATableOverAllColumnsDoesNotFit) {
  simt_runtime host;
  runtime device(host.table());
  const auto a = rising_rows<double, std::int32_t>(17);
  const auto b = rising_rows<double, std::int32_t>(9);
  spgemm_options options = low_limits(1000);
  options.table_bytes = sides * 12 - 1;
  spgemm_statistics counted;
  const auto expected = summation::spgemm(a.view(), b.view());
  const auto long_rows = [&](spgemm_bin bin) { return counted.fill_bins[static_cast<std::size_t>(bin)].rows; };
  // A table of 128 slots and 12 bytes would not fit either.
  EXPECT_EQ(test::code_of([&] { (void)product(device, a, b, options, &counted); }), errc::out_of_memory);
  options.table_bytes = sides * 12;
  counted = {};
  EXPECT_EQ(test::difference(product(device, a, b, options, &counted), expected), "");
  EXPECT_EQ(long_rows(spgemm_bin::large), 0);
  EXPECT_GT(long_rows(spgemm_bin::dense), 0);
  EXPECT_EQ(counted.table_bytes, sides * 12);
}

/// Sorts a row of these columns, given from the last to the first.
template <index Index> void check_sort(const std::vector<std::int64_t>& row, const simt::schedule& turns) {
  simt_runtime host({turns, 0});
  runtime device(host.table());
  const std::vector<Index> expected(row.begin(), row.end());
  const std::vector<Index> turned(row.rbegin(), row.rend());
  std::vector<double> expected_values, values;
  for (const std::int64_t column : row) expected_values.push_back(static_cast<double>(column) + 0.5);
  values.assign(expected_values.rbegin(), expected_values.rend());
  const auto list = device.upload<std::int64_t>(std::vector<std::int64_t>{1});
  const auto offsets =
      device.upload<std::int64_t>(std::vector<std::int64_t>{0, 100, 100 + static_cast<std::int64_t>(row.size())});
  const auto columns = device.upload<Index>(turned);
  const auto sorted_values = device.upload<double>(values);
  device.launch(kernels::spgemm_sort_tiles<raw_memory, double, Index>{1, list.data(), offsets.data(), 100,
                                                                      columns.data(), sorted_values.data()},
                1);
  EXPECT_EQ(device.download<Index>(columns), expected) << row.size();
  EXPECT_EQ(device.download<double>(sorted_values), expected_values) << row.size();
}

TEST(DeviceSpgemmBinned, TilesAreMergedInRowsOfAnyLength) {
  for (const std::int64_t length : {1, 2, 3, 5, 1023, 1024, 1025, 2048, 2049, 3000, 4096, 5000, 9000})
    for (const simt::schedule& turns : {simt::schedule{}, simt::schedule{simt::turns::shuffled, 3}}) {
      check_sort<std::int32_t>(test::random_columns(2, length, 3 * length, 41), turns);
      check_sort<std::int64_t>(test::consecutive(0, length), turns);
    }
}

}  // namespace
}  // namespace lacis::device

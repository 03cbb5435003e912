// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices on the host executor: every variant, sort and schedule gives the reference's bits.
#include "device/spgemm.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include <lacis/structure.hpp>

#include "kernels/spgemm_sort.hpp"
#include "simt/runtime.hpp"
#include "summation/hash.hpp"
#include "summation/spgemm.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/exact_product.hpp"
#include "support/matrices.hpp"

namespace lacis::device {
namespace {

using test::entries;
using test::test_matrices;

constexpr spgemm_variant variants[] = {spgemm_variant::text,         spgemm_variant::touched, spgemm_variant::stamped,
                                       spgemm_variant::several_rows, spgemm_variant::dynamic, spgemm_variant::best,
                                       spgemm_variant::binned};
constexpr spgemm_sort sorts[] = {spgemm_sort::radix, spgemm_sort::segmented};

std::vector<simt::schedule> schedules() {
  std::vector<simt::schedule> all{{simt::turns::forward}, {simt::turns::reverse}};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) all.push_back({simt::turns::shuffled, seed});
  return all;
}

/// One kind of NaN, so that the rest compares as bits.
template <value Value, index Index> csr_matrix<Value, Index> with_one_nan(csr_matrix<Value, Index> a) {
  for (Value& v : a.values.data) v = summation::canonical_nan(v);
  return a;
}

template <value Value, index Index> class calculator {
 public:
  explicit calculator(const simt::schedule& turns = {}) : host_({turns, 0}), device_(host_.table()) {}

  csr_matrix<Value, Index> product(const csr_matrix<Value, Index>& a, const csr_matrix<Value, Index>& b,
                                   const spgemm_options& options = {}) {
    const auto device_a = upload(device_, a.view());
    const auto device_b = upload(device_, b.view());
    const std::int64_t before = host_.launches();
    const auto c = spgemm(device_, device_a, device_b, options, &statistics);
    EXPECT_EQ(host_.launches() - before, statistics.launches);
    EXPECT_EQ(c.nnz, statistics.entries);
    csr_matrix<Value, Index> all;
    all.rows = c.rows;
    all.cols = c.cols;
    all.row_offsets =
        buffer<std::int64_t>(std::span<const std::int64_t>(device_.download<std::int64_t>(c.row_offsets)));
    all.columns = buffer<Index>(std::span<const Index>(device_.download<Index>(c.columns)));
    all.values = values_array<Value>(buffer<Value>(std::span<const Value>(device_.download<Value>(c.values))));
    return with_one_nan(std::move(all));
  }
  runtime& device() { return device_; }

  spgemm_statistics statistics;

 private:
  simt_runtime host_;
  runtime device_;
};

std::int64_t products_of(const auto& a, const auto& b) {
  std::int64_t all = 0;
  for (std::int64_t p = 0; p < a.nnz(); ++p) all += b.row_offsets[a.columns[p] + 1] - b.row_offsets[a.columns[p]];
  return all;
}

template <value Value, index Index> struct pair_of_matrices {
  std::string name;
  csr_matrix<Value, Index> a;
  csr_matrix<Value, Index> b;
};

bool among(const std::string& name, std::initializer_list<const char*> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](const char* part) { return name.starts_with(part); });
}

/// A A^T and, where A is square, A A; those of up to `most` products and entries of A. Of matrices
/// whose names begin so.
template <value Value, index Index>
std::vector<pair_of_matrices<Value, Index>> pairs(entries kind, std::int64_t most,
                                                  std::initializer_list<const char*> names = {""}) {
  std::vector<pair_of_matrices<Value, Index>> all;
  for (auto& [name, a] : test_matrices<Value, Index>(kind)) {
    if (!among(name, names)) continue;
    auto across = transpose(a);
    if (products_of(a, across) <= most && a.nnz() <= most) all.push_back({name + " by its transpose", a, across});
    if (a.rows == a.cols && products_of(a, a) <= most) all.push_back({name + " squared", a, a});
  }
  return all;
}

// Few blocks: a table serves several rows.
spgemm_options options_of(spgemm_variant variant, spgemm_sort sort) { return {variant, sort, 3, 0}; }

std::string label(const std::string& name, spgemm_variant variant, const simt::schedule& turns = {}) {
  return name + ", variant " + std::to_string(static_cast<int>(variant)) + ", turns " +
         std::to_string(static_cast<int>(turns.order)) + ", seed " + std::to_string(turns.seed);
}

TEST(DeviceSpgemm, EveryVariantAndSortGivesTheBitsOfTheReference) {
  calculator<double, std::int32_t> host;
  for (const auto& [name, a, b] : pairs<double, std::int32_t>(entries::reals, 5000)) {
    const auto expected = with_one_nan(summation::spgemm(a.view(), b.view()));
    for (const spgemm_variant variant : variants)
      for (const spgemm_sort sort : sorts) {
        EXPECT_EQ(test::difference(host.product(a, b, options_of(variant, sort)), expected), "")
            << label(name, variant) << ", sort " << static_cast<int>(sort);
        EXPECT_EQ(host.statistics.products, products_of(a, b)) << name;
      }
  }
}

TEST(DeviceSpgemm, TheDefaultAndTheBestVariantAreRightOnLargerMatrices) {
  calculator<double, std::int32_t> host;
  for (const auto& [name, a, b] : pairs<double, std::int32_t>(entries::reals, 100000)) {
    const auto expected = with_one_nan(summation::spgemm(a.view(), b.view()));
    EXPECT_EQ(test::difference(host.product(a, b), expected), "") << name;
    EXPECT_EQ(test::difference(host.product(a, b, {.variant = spgemm_variant::best}), expected), "") << name;
  }
}

template <value Value, index Index> void check_types() {
  calculator<Value, Index> host;
  const auto check = [&](const auto& pair, const csr_matrix<Value, Index>& expected) {
    for (const spgemm_variant variant : variants)
      EXPECT_EQ(test::difference(host.product(pair.a, pair.b, options_of(variant, spgemm_sort::radix)), expected), "")
          << label(pair.name, variant);
  };
  for (const auto& pair : pairs<Value, Index>(entries::integers, 4000, {"5-point", "lengths 0"}))
    check(pair, test::exact_product(pair.a, pair.b));
  for (const auto& pair : pairs<Value, Index>(entries::reals, 4000, {"uniform 100", "iso 5", "zeros"}))
    check(pair, with_one_nan(summation::spgemm(pair.a.view(), pair.b.view())));
}

TEST(DeviceSpgemm, IsRightForEveryType) {
  check_types<float, std::int32_t>();
  check_types<float, std::int64_t>();
  check_types<double, std::int32_t>();
  check_types<double, std::int64_t>();
  check_types<std::complex<float>, std::int32_t>();
  check_types<std::complex<float>, std::int64_t>();
  check_types<std::complex<double>, std::int32_t>();
  check_types<std::complex<double>, std::int64_t>();
}

TEST(DeviceSpgemm, DoesNotDependOnTheSchedule) {
  for (const auto& [name, a, b] : pairs<std::complex<double>, std::int64_t>(
           entries::reals, 4000, {"7x9", "5-point 12", "uniform 100", "only the last", "lower"})) {
    const auto expected = summation::spgemm(a.view(), b.view());
    for (const simt::schedule& turns : schedules()) {
      calculator<std::complex<double>, std::int64_t> host(turns);
      for (const spgemm_variant variant : variants)
        EXPECT_EQ(test::difference(host.product(a, b, options_of(variant, spgemm_sort::radix)), expected), "")
            << label(name, variant, turns);
    }
  }
}

TEST(DeviceSpgemm, SquaresTheBatteryExactlyInEverySchedule) {
  std::vector<pair_of_matrices<double, std::int32_t>> squares;
  for (auto& pair : pairs<double, std::int32_t>(entries::integers, 300000))
    if (pair.name.ends_with("squared") && !pair.name.starts_with("zeros, subnormals")) squares.push_back(pair);
  std::vector<csr_matrix<double, std::int32_t>> exact;
  for (const auto& pair : squares) exact.push_back(test::exact_product(pair.a, pair.b));
  ASSERT_GT(squares.size(), 20u);
  for (const simt::schedule& turns : schedules()) {
    calculator<double, std::int32_t> host(turns);
    for (std::size_t k = 0; k < squares.size(); ++k)
      for (const spgemm_variant variant : variants)
        EXPECT_EQ(test::difference(host.product(squares[k].a, squares[k].b, options_of(variant, spgemm_sort::radix)),
                                   exact[k]),
                  "")
            << label(squares[k].name, variant, turns);
  }
}

/// Sorts rows of these columns, given from the last to the first, whose values are numbers in that order.
template <index Index>
void check_sort(const std::vector<std::vector<std::int64_t>>& rows, std::int64_t cols, const simt::schedule& turns) {
  std::vector<std::int64_t> offsets{0};
  std::vector<Index> columns;
  std::vector<double> values;
  std::int64_t longest = 0;
  for (const auto& row : rows) {
    for (auto column = row.rbegin(); column != row.rend(); ++column) {
      columns.push_back(static_cast<Index>(*column));
      values.push_back(static_cast<double>(*column) + 0.5);
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
    longest = std::max(longest, static_cast<std::int64_t>(row.size()));
  }
  calculator<double, Index> host(turns);
  runtime& device = host.device();
  const auto device_offsets = device.upload<std::int64_t>(offsets);
  const auto device_columns = device.upload<Index>(columns);
  const auto device_values = device.upload<double>(values);
  using kernel = kernels::spgemm_sort_radix<raw_memory, double, Index>;
  const auto capacity = static_cast<unsigned>(longest / 2 + 1);
  const auto queue = device.allocate<kernels::sort_bucket>(2 * capacity);
  device.launch(kernel{static_cast<std::int64_t>(rows.size()), radix_top_shift(cols), capacity, device_offsets.data(),
                       device_columns.data(), device_values.data(), queue.data()},
                2);
  std::vector<Index> expected_columns;
  std::vector<double> expected_values;
  for (const auto& row : rows)
    for (const std::int64_t column : row) {
      expected_columns.push_back(static_cast<Index>(column));
      expected_values.push_back(static_cast<double>(column) + 0.5);
    }
  EXPECT_EQ(device.download<Index>(device_columns), expected_columns) << cols << " columns, seed " << turns.seed;
  EXPECT_EQ(device.download<double>(device_values), expected_values) << cols << " columns, seed " << turns.seed;
}

TEST(DeviceSpgemm, TheRadixSortOrdersEveryKindOfRow) {
  const auto spread = [](std::int64_t count, std::int64_t cols) { return test::random_columns(3, count, cols, 31); };
  // Pairs that part only in their last digit: as many buckets wait as ever can.
  std::vector<std::int64_t> in_pairs;
  for (std::int64_t k = 0; k < 400; ++k) in_pairs.push_back(k / 2 * 256 + k % 2);
  for (const simt::schedule& turns : schedules()) {
    check_sort<std::int32_t>({{}, {1}, {0, 1}, spread(17, 17), {0, 16}, spread(9, 17)}, 17, turns);
    check_sort<std::int32_t>({spread(700, 1000), {}, spread(100, 1000)}, 1000, turns);
    check_sort<std::int32_t>({spread(50, 2147483647), {0, 2147483646}}, 2147483647, turns);
    check_sort<std::int64_t>({in_pairs, {5}, in_pairs}, 60000, turns);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    check_sort<std::int64_t>({spread(300, most), {0, 1, most - 2, most - 1}}, most, turns);
  }
}

TEST(DeviceSpgemm, TablesAreResetLessAndLess) {
  const auto a = test::from_rows<float, std::int32_t>(
      400, 400, entries::integers, [](std::int64_t i) { return test::random_columns(i, 3, 400, 21); });
  calculator<float, std::int32_t> host;
  const auto resets = [&](spgemm_variant variant) {
    (void)host.product(a, a, options_of(variant, spgemm_sort::segmented));
    const spgemm_statistics& s = host.statistics;
    RecordProperty("resets_" + std::to_string(static_cast<int>(variant)), std::to_string(s.reset_entries()));
    return s;
  };
  for (const spgemm_variant whole : {spgemm_variant::text, spgemm_variant::several_rows, spgemm_variant::dynamic}) {
    const spgemm_statistics s = resets(whole);
    EXPECT_EQ(s.count_resets, 400 * 400);
    EXPECT_EQ(s.fill_resets, 400 * 400);
  }
  const spgemm_statistics touched = resets(spgemm_variant::touched);
  EXPECT_EQ(touched.count_resets, touched.products);
  EXPECT_EQ(touched.fill_resets, touched.entries);
  EXPECT_LT(touched.reset_entries(), 2 * 400 * 400 / 40);
  EXPECT_EQ(resets(spgemm_variant::stamped).reset_entries(), 0);
  EXPECT_EQ(resets(spgemm_variant::best).reset_entries(), 0);
}

TEST(DeviceSpgemm, RefusesSizesThatDoNotFitAndTablesThatDoNot) {
  calculator<double, std::int32_t> host;
  const auto a = test::from_rows<double, std::int32_t>(3, 5, entries::integers,
                                                       [](std::int64_t) { return test::consecutive(0, 5); });
  EXPECT_EQ(test::code_of([&] { (void)host.product(a, a); }), errc::invalid_argument);
  const auto b = transpose(a);
  for (const spgemm_variant variant : variants) {
    if (variant == spgemm_variant::binned) continue;  // its tables for such rows are in shared memory
    EXPECT_EQ(test::code_of([&] { (void)host.product(b, a, {variant, spgemm_sort::radix, 0, 19}); }),
              errc::out_of_memory);
  }
  // One table of 4 bytes per column fits.
  const auto expected = test::exact_product(b, a);
  EXPECT_EQ(test::difference(host.product(b, a, {spgemm_variant::touched, spgemm_sort::segmented, 0, 20}), expected),
            "");
  EXPECT_EQ(host.statistics.table_bytes, 20);
  EXPECT_EQ(test::code_of([&] { (void)host.product(b, a, {spgemm_variant::touched, spgemm_sort::radix, 0, 20}); }),
            errc::out_of_memory);
  // The best variant takes wider groups, and so fewer tables, before it gives up.
  EXPECT_EQ(test::difference(host.product(b, a, {spgemm_variant::best, spgemm_sort::radix, 0, 200}), expected), "");
}

}  // namespace
}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the laboratory reports of sparse products whose figures can be found by hand.
#include <gtest/gtest.h>
#include <string>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/structure.hpp>

#include "lab/lab.hpp"
#include "support/views.hpp"

namespace lacis::lab {
namespace {

lab_options on_t4(std::int64_t most_products = 0) {
  lab_options options;
  options.model = &gpu_named("t4");
  options.most_entries = most_products;
  return options;
}

const product_part* part_of(const product_report& report, const std::string& phase, const std::string& list) {
  for (const product_part& part : report.parts)
    if (part.phase == phase && part.list == list) return &part;
  return nullptr;
}

using pair = std::pair<std::int64_t, std::int64_t>;

/// "requests, sectors" of an array.
pair asked(const product_part& part, const std::string& array) {
  for (const array_traffic& one : part.asked.arrays)
    if (one.name == array) return {one.requests, one.sectors};
  return {0, 0};
}

csr_matrix<double, std::int32_t> diagonal(std::int32_t n) {
  csr_matrix<double, std::int32_t> a;
  a.rows = a.cols = n;
  a.row_offsets = buffer<std::int64_t>(n + 1, 0);
  a.columns = buffer<std::int32_t>(n, 0);
  a.values.data = buffer<double>(n, 2.0);
  for (std::int32_t i = 0; i <= n; ++i) a.row_offsets[i] = i;
  for (std::int32_t i = 0; i < n; ++i) a.columns[i] = i;
  return a;
}

TEST(LabProduct, CountsTheSquareOfADiagonal) {
  const auto a = diagonal(64);
  const product_report report = examine_product(a.view(), a.view(), on_t4());
  EXPECT_EQ(report.products, 64);
  EXPECT_EQ(report.sampled_rows, 64);
  EXPECT_EQ(report.sampled_entries, 64);
  ASSERT_EQ(report.parts.size(), 3u);
  EXPECT_EQ(report.parts[0].asked.kernel, "inspect");
  EXPECT_EQ(report.parts[0].launches, 5) << "products, and two for each of two sets of lists";
  for (const char* phase : {"count", "fill"}) {
    const product_part* const few = part_of(report, phase, "few");
    ASSERT_NE(few, nullptr);
    EXPECT_EQ(few->rows, 64);
    EXPECT_EQ(few->products, 64);
    EXPECT_EQ(few->shared_probes, 64) << "a column in an empty table";
    EXPECT_EQ(few->global_probes, 0);
    // 16 warps of 4 rows, one lane of each row busy: 16 bytes of columns, a sector of values.
    EXPECT_EQ(asked(*few, "b_columns"), pair(16, 16));
    EXPECT_EQ(few->asked.active_lanes, 4 / 32.0);
    EXPECT_EQ(asked(*few, "table_keys"), pair(0, 0));
  }
  EXPECT_EQ(asked(*part_of(report, "fill", "few"), "b_values"), pair(16, 16));
  EXPECT_EQ(asked(*part_of(report, "fill", "few"), "c_columns"), pair(16, 16));
  EXPECT_EQ(asked(*part_of(report, "fill", "few"), "c_values"), pair(16, 16));
}

TEST(LabProduct, LongRowsProbeTablesInGlobalMemory) {
  // One row with 3000 products and entries of 100,000 columns, and one with 20,000 of them.
  csr_matrix<double, std::int32_t> b = diagonal(2);
  b.cols = 100'000;
  b.row_offsets[1] = 3000;
  b.row_offsets[2] = 23'000;
  b.columns = buffer<std::int32_t>(23'000);
  b.values.data = buffer<double>(23'000, 1.0);
  for (std::int32_t k = 0; k < 3000; ++k) b.columns[k] = 30 * k;
  for (std::int32_t k = 0; k < 20'000; ++k) b.columns[3000 + k] = 5 * k;
  const product_report report = examine_product(test::view_of(diagonal(2)), b.view(), on_t4());
  for (const char* phase : {"count", "fill"}) {
    const product_part* const large = part_of(report, phase, "large");
    ASSERT_NE(large, nullptr);
    EXPECT_EQ(large->products, 3000);
    EXPECT_EQ(large->shared_probes, 0);
    EXPECT_GE(large->global_probes, 3000);
    EXPECT_GT(asked(*large, "table_keys").second, 0);
    const product_part* const dense = part_of(report, phase, "dense");
    ASSERT_NE(dense, nullptr);
    EXPECT_EQ(dense->global_probes, 20'000) << "a mark for each product";
  }
  ASSERT_NE(part_of(report, "sort", "large"), nullptr);
  EXPECT_EQ(part_of(report, "sort", "dense"), nullptr);
  for (const product_part& part : report.parts)
    for (const array_traffic& array : part.asked.arrays) EXPECT_NE(array.name, "other") << part.asked.kernel;
}

TEST(LabProduct, ASampleStandsForTheWhole) {
  const auto a = generate<double>("@uniform:4000,6");
  const product_report whole = examine_product(a.view(), a.view(), on_t4());
  const product_report sample = examine_product(a.view(), a.view(), on_t4(36'000));
  EXPECT_EQ(whole.products, 4000 * 36);
  EXPECT_EQ(whole.sampled_products, 4000 * 36);
  EXPECT_EQ(sample.products, whole.products);
  EXPECT_LT(sample.sampled_rows, 4000);
  EXPECT_EQ(sample.sampled_products, sample.sampled_rows * 36);
  EXPECT_GT(sample.model_s(), whole.model_s() / 4);
  EXPECT_LT(sample.model_s(), whole.model_s() * 4);
}

TEST(LabProduct, RefusesSizesThatDoNotFit) {
  auto a = diagonal(4);
  a.cols = 5;
  EXPECT_THROW((void)examine_product(a.view(), a.view(), on_t4()), error);
  EXPECT_NO_THROW((void)examine_product(a.view(), test::view_of(transpose(a)), on_t4()));
  EXPECT_THROW((void)examine_product(a.view(), test::view_of(transpose(a)), {}), error);
}

}  // namespace
}  // namespace lacis::lab

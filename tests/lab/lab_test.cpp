// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the laboratory reports of methods on matrices whose figures can be found by hand.
#include "lab/lab.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>

#include "lab/model.hpp"
#include "lab/sample.hpp"

namespace lacis::lab {
namespace {

/// `rows` rows that all have the columns 0 .. length - 1.
csr_matrix<double, std::int32_t> same_rows(std::int64_t rows, std::int64_t length) {
  csr_matrix<double, std::int32_t> a;
  a.rows = rows;
  a.cols = 64;
  a.row_offsets = buffer<std::int64_t>(rows + 1, 0);
  a.columns = buffer<std::int32_t>(rows * length, 0);
  a.values.data = buffer<double>(rows * length, 1.0);
  for (std::int64_t i = 0; i <= rows; ++i) a.row_offsets[i] = i * length;
  for (std::int64_t k = 0; k < rows * length; ++k) a.columns[k] = static_cast<std::int32_t>(k % length);
  return a;
}

lab_options with(std::vector<std::string> kernels, const char* gpu_name = "t4") {
  lab_options options;
  options.kernels = std::move(kernels);
  options.model = &gpu_named(gpu_name);
  return options;
}

std::vector<std::string> every_method() {
  std::vector<std::string> names;
  for (const method_facts& facts : all_methods()) names.emplace_back(facts.name);
  return names;
}

/// "requests, sectors" of an array.
std::pair<std::int64_t, std::int64_t> asked(const method_report& report, const std::string& array) {
  for (const array_traffic& one : report.arrays)
    if (one.name == array) return {one.requests, one.sectors};
  return {0, 0};
}

using pair = std::pair<std::int64_t, std::int64_t>;

TEST(Lab, CountsAThreadARowOf32Entries) {
  const auto a = same_rows(256, 32);
  const method_report report = examine(a.view(), with({"csr_row"})).methods[0];
  // 8 warps, 32 steps. Lanes are 256 bytes of values and 128 of columns apart, and all want one element of x.
  EXPECT_EQ(asked(report, "values"), pair(256, 256 * 32));
  EXPECT_EQ(asked(report, "columns"), pair(256, 256 * 32));
  EXPECT_EQ(asked(report, "x"), pair(256, 256));
  EXPECT_EQ(asked(report, "row_offsets"), pair(16, 8 * 8 + 8 * 9));
  EXPECT_EQ(asked(report, "y"), pair(8, 64));
  EXPECT_EQ(report.active_lanes, 1);
  EXPECT_EQ(report.requests_per_nnz, (3 * 256 + 16 + 8) / 8192.0);
  EXPECT_EQ(report.bytes_requested_per_nnz, 32 * (2 * 8192 + 256 + 136 + 64) / 8192.0);
  EXPECT_EQ(report.shared_requests_per_nnz, 0);
  EXPECT_EQ(report.atomics_per_nnz, 0);
}

TEST(Lab, CountsAWarpARowOf32Entries) {
  const auto a = same_rows(256, 32);
  const method_report report = examine(a.view(), with({"csr_warp_shuffle"})).methods[0];
  EXPECT_EQ(asked(report, "values"), pair(256, 256 * 8));
  EXPECT_EQ(asked(report, "columns"), pair(256, 256 * 4));
  EXPECT_EQ(asked(report, "x"), pair(256, 256 * 8));
  EXPECT_EQ(asked(report, "row_offsets"), pair(512, 512));
  EXPECT_EQ(asked(report, "y"), pair(256, 256));
  EXPECT_EQ(report.active_lanes, 1);
}

TEST(Lab, CountsRowsOfTwoEntries) {
  const auto a = same_rows(256, 2);
  const lab_report report = examine(a.view(), with({"csr_row", "csr_warp_shuffle"}));
  EXPECT_EQ(asked(report.methods[0], "values"), pair(16, 16 * 16));
  EXPECT_EQ(asked(report.methods[0], "columns"), pair(16, 16 * 8));
  EXPECT_EQ(asked(report.methods[0], "x"), pair(16, 16));
  EXPECT_EQ(asked(report.methods[1], "values"), pair(256, 256));
  EXPECT_EQ(asked(report.methods[1], "columns"), pair(256, 256));
  EXPECT_EQ(asked(report.methods[1], "x"), pair(256, 256));
  EXPECT_EQ(report.methods[1].active_lanes, 2 / 32.0);
}

TEST(Lab, SlicesAreReadInFullSectors) {
  const auto a = same_rows(256, 32);
  const method_report report = examine(a.view(), with({"sell_32"})).methods[0];
  EXPECT_EQ(asked(report, "values"), pair(256, 256 * 8));
  EXPECT_EQ(asked(report, "columns"), pair(256, 256 * 4));
  EXPECT_EQ(asked(report, "x"), pair(256, 256));
}

TEST(Lab, AnAtomicMethodHasAnAtomicAnEntry) {
  const auto a = same_rows(256, 32);
  const method_report report = examine(a.view(), with({"coo_atomic"})).methods[0];
  EXPECT_EQ(report.atomics_per_nnz, 1);
  EXPECT_EQ(asked(report, "y"), pair(8 + 256, 64 + 256)) << "zeros first, then a row per warp";
}

TEST(Lab, AMatrixThatFitsMovesWhatItMust) {
  const auto a = generate<double>("@uniform:3000,9", {.values = generated_values::ones});
  const lab_report report = examine(a.view(), with(every_method()));
  EXPECT_TRUE(report.fits_l2);
  ASSERT_EQ(report.methods.size(), all_methods().size());
  for (const method_report& method : report.methods) {
    EXPECT_EQ(method.refused, "") << method.kernel;
    EXPECT_EQ(method.dram_bytes_per_nnz, method.compulsory_bytes_per_nnz) << method.kernel;
    EXPECT_GT(method.model_s, 0) << method.kernel;
    for (const array_traffic& array : method.arrays) EXPECT_NE(array.name, "other") << method.kernel;
  }
  // csr_row: offsets 3001 * 8 = 750.25 sectors, columns 27000 * 4, values 27000 * 8, all of x and y.
  EXPECT_EQ(report.methods[1].kernel, "csr_row");
  EXPECT_EQ(report.methods[1].compulsory_bytes_per_nnz * 27000, 32.0 * (751 + 3375 + 6750 + 750 + 750));
}

TEST(Lab, AMatrixThatDoesNotFitMovesMore) {
  // x has 800 kB, the matrix 1.9 MB, and rows want elements from anywhere.
  const auto a = generate<double>("@uniform:100000,16", {.values = generated_values::ones});
  gpu small = gpu_named("t4");
  small.l2_bytes = 1 << 18;
  lab_options options = with({"csr_stream"});
  options.model = &small;
  const lab_report report = examine(a.view(), options);
  EXPECT_FALSE(report.fits_l2);
  EXPECT_GT(report.methods[0].dram_bytes_per_nnz, 1.5 * report.methods[0].compulsory_bytes_per_nnz);
}

TEST(Lab, EverythingIsRunUnlessItIsTooLarge) {
  const auto a = generate<double>("@poisson3d:20");
  lab_options options = with({"csr_stream", "jds_row", "csr_cached"});
  options.most_entries = a.nnz();
  const lab_report whole = examine(a.view(), options);
  EXPECT_EQ(whole.sampled_rows, 8000);
  EXPECT_EQ(whole.sampled_entries, a.nnz());
  options.most_entries = 8000;
  const lab_report sample = examine(a.view(), options);
  EXPECT_LT(sample.sampled_rows, 8000);
  EXPECT_LE(sample.sampled_entries, 8000 + 4 * 7);
  EXPECT_GE(sample.sampled_entries, 8000 - 4 * 7);
  EXPECT_EQ(sample.nnz, a.nnz());
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_GE(sample.methods[k].dram_bytes_per_nnz, sample.methods[k].compulsory_bytes_per_nnz);
}

TEST(Lab, ASampleGrowsWithRowsOrWithEntries) {
  traffic counts;
  counts[role::values].requests = counts[role::values].sectors = counts[role::values].measured_sectors = 1;
  counts[role::y].requests = counts[role::y].sectors = counts[role::y].measured_sectors = 1;
  counts[role::values].fetched = counts[role::y].written_back = 1;
  product_size size;
  size.rows = 100;
  size.sampled_rows = 10;
  size.nnz = 100;
  size.sampled_entries = 20;
  method_report report;
  fill_report(report, counts, size, 1, gpu_named("t4"));
  EXPECT_EQ(report.requests_per_nnz, (5 + 10) / 100.0);
  EXPECT_EQ(report.dram_bytes_per_nnz, 32 * (5 + 10) / 100.0);
}

TEST(Lab, TheFirstHalfOfASampleWarmsTheCache) {
  const auto a = generate<double>("@uniform:20000,16", {.values = generated_values::ones});
  gpu one = gpu_named("t4");
  one.multiprocessors = 1;
  lab_options options = with({"csr_row"});
  options.model = &one;
  options.most_entries = 80000;
  const method_report report = examine(a.view(), options).methods[0];
  // The first half of 5000 rows has asked for all of x, and it fits: the whole matrix fetches it once.
  ASSERT_EQ(report.arrays[2].name, "x");
  EXPECT_EQ(report.arrays[2].dram_bytes_per_nnz, 20000 * 8.0 / static_cast<double>(a.nnz()));
}

TEST(Lab, WindowsStandInTheMiddleOfEqualParts) {
  std::vector<std::int64_t> offsets(1001);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::int64_t>(10 * i);
  const auto four = choose_rows(offsets, 400, 2);
  ASSERT_EQ(four.size(), 4u);
  for (std::int64_t w = 0; w < 4; ++w) {
    EXPECT_EQ(four[static_cast<std::size_t>(w)].begin, 125 + 250 * w - 5);
    EXPECT_EQ(four[static_cast<std::size_t>(w)].end, 125 + 250 * w + 5);
  }
  const auto two = choose_rows(offsets, 400, 5);
  ASSERT_EQ(two.size(), 2u) << "40 rows are twice four times five";
  EXPECT_EQ(two[1].begin, 750 - 10);
  EXPECT_EQ(two[1].end, 750 + 10);
  EXPECT_EQ(choose_rows(offsets, 400, 1000).size(), 1u);
  EXPECT_EQ(choose_rows(offsets, 10000, 1).size(), 1u);
  EXPECT_EQ(choose_rows(offsets, 10000, 1)[0].end, 1000) << "everything";
}

TEST(Lab, AWindowMayKeepItsDiagonal) {
  const auto a = generate<double>("@banded:100,1");
  const auto window = cut_rows(a.view(), {40, 42}, true);
  EXPECT_EQ(window.row_offsets, (std::vector<std::int64_t>{0, 3, 6}));
  EXPECT_EQ(window.moved_columns, (std::vector<std::int32_t>{99, 0, 1, 0, 1, 2}));
}

TEST(Lab, FiguresDoNotDependOnThreads) {
  const auto a = generate<double>("@rmat:10");
  lab_options options = with({"csr_row", "csr_stream", "sell_32"});
  options.threads = 1;
  const lab_report one = examine(a.view(), options);
  options.threads = 2;
  const lab_report two = examine(a.view(), options);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(one.methods[k].dram_bytes_per_nnz, two.methods[k].dram_bytes_per_nnz);
    EXPECT_EQ(one.methods[k].model_s, two.methods[k].model_s);
  }
}

TEST(Lab, AMethodThatCannotHoldTheMatrixIsRefused) {
  csr_matrix<double, std::int32_t> a = same_rows(1, 1 << 16);
  a.cols = 1 << 16;
  a.rows = 1 << 16;  // one long row, and as many empty ones: ELL would take 51 GB
  a.row_offsets = buffer<std::int64_t>(a.rows + 1, 1 << 16);
  a.row_offsets[0] = 0;
  const lab_report report = examine(a.view(), with({"ell_row", "csr_stream"}));
  EXPECT_NE(report.methods[0].refused, "");
  EXPECT_EQ(report.methods[1].refused, "");
}

TEST(Lab, TheTimeIsThatOfTheSlowestPart) {
  traffic counts;
  counts[role::values].requests = 1;
  counts[role::values].sectors = 1000;
  counts[role::values].lines = 500;
  counts[role::values].fetched = 100;
  product_size size;
  size.rows = size.sampled_rows = 1;
  size.nnz = size.sampled_entries = 1;
  size.csr_bytes = 1600;
  gpu model{"", "", 1, 1, 1, 1, 1, 1, 3200, 3200, 500, 0.5};
  method_report report;
  fill_report(report, counts, size, 2, model);
  EXPECT_EQ(report.bound_by, "L2");
  EXPECT_EQ(report.model_s, 10 + 2 * 0.5);
  EXPECT_EQ(report.model_share, 1600 / 11.0 / 3200);
  model.l2_bytes_per_s = 1e9;
  report = {};
  fill_report(report, counts, size, 2, model);
  EXPECT_EQ(report.model_s, 1 + 2 * 0.5) << "DRAM and requests take a second each";
  model.launch_seconds = 20;
  report = {};
  fill_report(report, counts, size, 2, model);
  EXPECT_EQ(report.bound_by, "launches");
  EXPECT_EQ(report.model_s, 1 + 2 * 20);
}

TEST(Lab, KnowsGpusAndMethodsByName) {
  EXPECT_EQ(gpu_named("t4").name, "t4");
  EXPECT_EQ(all_gpus().size(), 4u);
  EXPECT_THROW((void)gpu_named("voodoo"), error);
  const auto a = same_rows(1, 1);
  EXPECT_THROW((void)examine(a.view(), with({"csr_magic"})), error);
  std::map<std::string_view, const method_facts*> methods;
  std::set<std::string_view> families;
  for (const method_facts& facts : all_methods()) {
    methods[facts.name] = &facts;
    families.insert(facts.family);
  }
  EXPECT_EQ(methods.at("csr_row_1024")->block_threads, 1024);
  EXPECT_EQ(methods.at("csr_row_1024")->family, "csr_row");
  EXPECT_EQ(methods.at("csr_warp_shared_128")->family, "csr_warp_shared");
  EXPECT_EQ(methods.at("sell_32")->block_threads, 128);
  EXPECT_EQ(methods.at("sell_32")->family, "sell_32");
  EXPECT_EQ(all_methods().size(), 29u);
  EXPECT_EQ(families.size(), 20u);
}

}  // namespace
}  // namespace lacis::lab

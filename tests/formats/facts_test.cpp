// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Facts of matrices and their bytes per format, against counting one entry after the other.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <omp.h>
#include <set>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>

#include "formats/storage_costs.hpp"
#include "support/matrices.hpp"

namespace lacis {
namespace {

double median_of(std::vector<std::int64_t> lengths) {
  if (lengths.empty()) return 0;
  std::sort(lengths.begin(), lengths.end());
  return static_cast<double>(lengths[(lengths.size() - 1) / 2] + lengths[lengths.size() / 2]) / 2;
}

TEST(Facts, AgreeWithCountingOneByOne) {
  for (const auto& [name, a] : test::test_matrices<double>()) {
    std::vector<std::int64_t> lengths;
    std::set<std::int64_t> columns;
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    std::int64_t diagonal = 0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      lengths.push_back(a.row_offsets[i + 1] - a.row_offsets[i]);
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
        columns.insert(a.columns[k]);
        lower = std::max(lower, i - a.columns[k]);
        upper = std::max(upper, a.columns[k] - i);
        diagonal += a.columns[k] == i ? 1 : 0;
      }
    }
    const matrix_facts facts = find_facts(any_csr(a));
    EXPECT_EQ(facts.empty_rows, std::count(lengths.begin(), lengths.end(), 0)) << name;
    EXPECT_EQ(facts.empty_cols, a.cols - static_cast<std::int64_t>(columns.size())) << name;
    EXPECT_EQ(facts.median_row, median_of(lengths)) << name;
    EXPECT_EQ(facts.shortest_row, lengths.empty() ? 0 : *std::min_element(lengths.begin(), lengths.end())) << name;
    EXPECT_EQ(facts.longest_row, lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end())) << name;
    EXPECT_EQ(facts.lower_bandwidth, lower) << name;
    EXPECT_EQ(facts.upper_bandwidth, upper) << name;
    EXPECT_EQ(facts.diagonal_entries, diagonal) << name;
    for (const length_bin& bin : facts.bins)
      EXPECT_EQ(bin.rows,
                std::count_if(lengths.begin(), lengths.end(), [&](auto n) { return n >= bin.first && n <= bin.last; }))
          << name << " bin " << bin.first;
    std::int64_t binned = 0;
    for (const length_bin& bin : facts.bins) binned += bin.rows;
    EXPECT_EQ(binned, a.rows) << name;
  }
}

TEST(Facts, AreTheSameForAnyNumberOfThreads) {
  const auto a = test::from_rows<double, std::int32_t>(70000, 5000, test::entries::integers,
                                                       [](std::int64_t i) { return std::vector{i % 5000}; });
  omp_set_num_threads(1);
  const matrix_facts one = find_facts(any_csr(a));
  omp_set_num_threads(3);
  const matrix_facts three = find_facts(any_csr(a));
  EXPECT_EQ(one.lower_bandwidth, three.lower_bandwidth);
  EXPECT_EQ(one.diagonal_entries, 5000);
  EXPECT_EQ(three.diagonal_entries, 5000);
  EXPECT_EQ(one.bins[1].rows, 70000);
  EXPECT_EQ(three.bins[1].rows, 70000);
}

TEST(Facts, AndSizesOfFormatsTakeNoMemoryForColumnsThatAreDeclared) {
  using wide = csr_matrix<double, std::int64_t>;
  for (const std::int64_t cols : {std::int64_t{1} << 45, std::numeric_limits<std::int64_t>::max()}) {
    const wide a{2,
                 cols,
                 {std::vector<std::int64_t>{0, 2, 3}},
                 {std::vector<std::int64_t>{0, cols - 1, 1}},
                 {std::vector<double>{1, 2, 3}}};
    const matrix_facts facts = find_facts(a);
    EXPECT_EQ(facts.empty_cols, cols - 3);
    const storage_costs costs = storage_of(any_csr(a), facts, 1 << 30);
    for (const format_cost& cost : costs.formats)
      EXPECT_TRUE(cost.which != matrix_format::dia || cost.bytes.has_value());
  }
}

TEST(Facts, AreExactForASmallMatrix) {
  // 2 . 3
  // . . .
  // 3 5 7
  const std::int64_t offsets[] = {0, 2, 2, 5};
  const std::int32_t columns[] = {0, 2, 0, 1, 2};
  const double values[] = {2, 3, 3, 5, 7};
  const csr_view<double> a{3, 3, offsets, columns, {values, false}};
  const matrix_facts facts = find_facts(a);
  EXPECT_EQ(facts.rows, 3);
  EXPECT_EQ(facts.cols, 3);
  EXPECT_EQ(facts.entries, 5);
  EXPECT_EQ(facts.value_type, "double");
  EXPECT_EQ(facts.value_bytes, 8);
  EXPECT_EQ(facts.index_bytes, 4);
  EXPECT_FALSE(facts.iso);
  EXPECT_EQ(facts.empty_rows, 1);
  EXPECT_EQ(facts.empty_cols, 0);
  EXPECT_EQ(facts.shortest_row, 0);
  EXPECT_EQ(facts.longest_row, 3);
  EXPECT_EQ(facts.median_row, 2);
  EXPECT_EQ(facts.mean_row(), 5.0 / 3);
  EXPECT_EQ(facts.density(), 5.0 / 3 / 3);
  ASSERT_EQ(facts.bins.size(), 3U);  // lengths 0, 1 and 2-3
  EXPECT_EQ(facts.bins[0].rows, 1);
  EXPECT_EQ(facts.bins[1].rows, 0);
  EXPECT_EQ(facts.bins[2].rows, 2);
  EXPECT_EQ(facts.lower_bandwidth, 2);
  EXPECT_EQ(facts.upper_bandwidth, 2);
  EXPECT_EQ(facts.diagonal_entries, 2);
  EXPECT_TRUE(facts.symmetry.square);
  EXPECT_FALSE(facts.symmetry.pattern);
}

TEST(Facts, RefuseRowsThatAreNotCanonical) {
  const std::int64_t offsets[] = {0, 2};
  const std::int32_t columns[] = {2, 0};
  const double values[] = {1, 1};
  const csr_view<double> a{1, 3, offsets, columns, {values, false}};
  try {
    static_cast<void>(find_facts(a));
    FAIL() << "unsorted columns were taken";
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::invalid_matrix);
  }
}

TEST(Facts, NameTheTypes) {
  const auto facts = find_facts(any_csr(csr_matrix<std::complex<float>, std::int64_t>{}));
  EXPECT_EQ(facts.value_type, "complex float");
  EXPECT_EQ(facts.value_bytes, 8);
  EXPECT_EQ(facts.index_bytes, 8);
}

TEST(Storage, HasNothingButFixedBytesWithoutEntries) {
  for (const auto& [name, a] : test::test_matrices<double>()) {
    if (a.nnz() != 0) continue;
    const matrix_facts facts = find_facts(any_csr(a));
    for (const matrix_format which : all_formats)
      EXPECT_EQ(storage_bytes(a, which), detail::fixed_bytes(which, facts)) << name << " as " << name_of(which);
  }
}

TEST(Storage, ChargesEntriesTheirTrueBytesInFormatsWithoutPadding) {
  for (const auto& [name, a] : test::test_matrices<double>()) {
    if (a.nnz() == 0) continue;
    const matrix_facts facts = find_facts(any_csr(a));
    const double value = facts.iso ? 0 : 8;
    for (const format_cost& cost : storage_of(any_csr(a), facts, INT64_MAX).formats) {
      const bool one_index =
          cost.which == matrix_format::csr || cost.which == matrix_format::csc || cost.which == matrix_format::jds;
      if (one_index || cost.which == matrix_format::coo) {
        EXPECT_EQ(cost.entry_bytes, (one_index ? 4 : 8) + value) << name;
      }
      EXPECT_GE(cost.entry_bytes, value) << name << " as " << name_of(cost.which);
    }
  }
}

TEST(Storage, KnowsWhenCompressedRowsStopSaving) {
  // 10 x 20 doubles are 1600 bytes; 88 bytes of offsets leave 1512 = 126 entries, with which nothing is saved any more.
  EXPECT_EQ(detail::break_even(1600, 88, 12, 200), 125);
  EXPECT_EQ(detail::break_even(1601, 88, 12, 200), 126);
  EXPECT_EQ(detail::break_even(80, 88, 12, 200), 0);
  EXPECT_EQ(detail::break_even(1600, 88, 4, 200), 200);
  EXPECT_EQ(detail::break_even(1600, 8, 0, 200), 200);
}

TEST(Storage, AnswersForTheMatrixAtHand) {
  const auto a = test::from_rows<double, std::int32_t>(100, 100, test::entries::integers,
                                                       [](std::int64_t i) { return std::vector{i}; });
  const matrix_facts facts = find_facts(any_csr(a));
  const storage_costs costs = storage_of(any_csr(a), facts, 2000);
  EXPECT_EQ(costs.dense_bytes, 80000);
  const format_cost& csr = costs.formats[1];
  EXPECT_EQ(csr.which, matrix_format::csr);
  EXPECT_EQ(csr.bytes, 101 * 8 + 1200);
  EXPECT_FALSE(csr.fits_memory);
  EXPECT_EQ(csr.saves_up_to, 6599);  // (80000 - 808) / 12 = 6599.3
  EXPECT_TRUE(costs.formats[0].fits_memory);
}

}  // namespace
}  // namespace lacis

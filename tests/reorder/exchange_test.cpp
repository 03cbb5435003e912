// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What ranges of rows exchange: known by hand, and against sets of columns.
#include <gtest/gtest.h>
#include <map>
#include <omp.h>
#include <set>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/partition.hpp>
#include <lacis/structure.hpp>

namespace lacis {
namespace {

using ranges = std::vector<std::int64_t>;

/// So many ranges of nearly the same number of rows, at any row.
ranges even_ranges(std::int64_t rows, int count) {
  ranges begins;
  for (int r = 0; r <= count; ++r) begins.push_back(rows * r / count);
  return begins;
}

/// (receiver, sender) -> elements, by sets.
template <class Matrix> std::map<std::pair<int, int>, double> by_sets(const Matrix& a, const ranges& begins) {
  const auto owner = [&](std::int64_t row) {
    int r = 0;
    while (row >= begins[static_cast<std::size_t>(r) + 1]) ++r;
    return r;
  };
  std::set<std::pair<int, std::int64_t>> read;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (owner(i) != owner(a.columns[k])) read.emplace(owner(i), a.columns[k]);
  std::map<std::pair<int, int>, double> all;
  for (const auto& [to, column] : read) ++all[{to, owner(column)}];
  return all;
}

template <class Matrix> void expect_as_sets_say(const Matrix& a, const ranges& begins) {
  const auto expected = by_sets(a, begins);
  const row_exchange found = exchange_of(a, begins);
  std::map<std::pair<int, int>, double> transfers;
  for (std::int64_t i = 0; i < found.transfers.rows; ++i)
    for (std::int64_t k = found.transfers.row_offsets[i]; k < found.transfers.row_offsets[i + 1]; ++k)
      transfers[{static_cast<int>(i), found.transfers.columns[k]}] = found.transfers.values[k];
  EXPECT_EQ(transfers, expected);
  EXPECT_TRUE(is_canonical(found.transfers));
  std::vector<range_exchange> counted(begins.size() - 1);
  std::int64_t ghosts = 0;
  for (const auto& [pair, elements] : expected) {
    range_exchange& to = counted[static_cast<std::size_t>(pair.first)];
    range_exchange& from = counted[static_cast<std::size_t>(pair.second)];
    to.ghosts += static_cast<std::int64_t>(elements);
    ++to.messages_in;
    from.sent += static_cast<std::int64_t>(elements);
    ++from.messages_out;
    ghosts += static_cast<std::int64_t>(elements);
  }
  EXPECT_EQ(found.ghosts, ghosts);
  ASSERT_EQ(found.ranges.size(), counted.size());
  for (std::size_t r = 0; r < counted.size(); ++r) {
    EXPECT_EQ(found.ranges[r].rows, begins[r + 1] - begins[r]);
    EXPECT_EQ(found.ranges[r].entries, a.row_offsets[begins[r + 1]] - a.row_offsets[begins[r]]);
    EXPECT_EQ(found.ranges[r].ghosts, counted[r].ghosts) << r;
    EXPECT_EQ(found.ranges[r].sent, counted[r].sent) << r;
    EXPECT_EQ(found.ranges[r].messages_in, counted[r].messages_in) << r;
    EXPECT_EQ(found.ranges[r].messages_out, counted[r].messages_out) << r;
  }
}

TEST(Exchange, OfAGridCutIntoSlabsIsItsLines) {
  const auto a = generate<double>("@poisson2d:32");
  const row_exchange found = exchange_of(a, ranges{0, 320, 640, 1024});
  EXPECT_EQ(found.ghosts, 4 * 32);
  EXPECT_EQ(found.ranges[1].ghosts, 64);
  EXPECT_EQ(found.ranges[1].sent, 64);
  EXPECT_EQ(found.ranges[1].messages_in, 2);
  EXPECT_EQ(found.ranges[0].messages_out, 1);
  EXPECT_EQ(found.ranges[2].rows, 384);
  EXPECT_EQ(found.ranges[0].entries + found.ranges[1].entries + found.ranges[2].entries, a.nnz());
}

TEST(Exchange, IsWhatSetsOfColumnsSay) {
  const auto a = generate<double>("@rmat:12", {.seed = 7});
  for (const int count : {1, 2, 3, 7}) {
    const ranges begins = even_ranges(a.rows, count);
    expect_as_sets_say(a, begins);
    expect_as_sets_say(cast_indices<std::int64_t>(a), begins);
    expect_as_sets_say(transpose(a), begins);
  }
  expect_as_sets_say(a, {0, 100, 100, 101, 4096, 4096});
}

TEST(Exchange, IsTheSameForAnyNumberOfThreads) {
  const auto a = generate<double>("@rmat:14");
  const ranges begins = even_ranges(a.rows, 16);
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 5}) {
    omp_set_num_threads(threads);
    expect_as_sets_say(a, begins);
  }
  omp_set_num_threads(before);
}

TEST(Exchange, NeedsASquareMatrixAndItsRanges) {
  const auto a = generate<double>("@poisson2d:10");
  EXPECT_THROW(static_cast<void>(exchange_of(a, ranges{0, 50})), error);
  EXPECT_THROW(static_cast<void>(exchange_of(a, ranges{100})), error);
  EXPECT_THROW(static_cast<void>(exchange_of(a, ranges{0, 60, 50, 100})), error);
  EXPECT_THROW(static_cast<void>(exchange_of(extract(a, 0, 5, 0, 10), ranges{0, 5})), error);
  EXPECT_EQ(exchange_of(csr_matrix<double>(), ranges{0, 0}).ghosts, 0);
}

TEST(Exchange, MemoryIsEntriesRowsVectorsAndBuffers) {
  const range_exchange range{.rows = 10, .entries = 50, .ghosts = 3, .sent = 4, .messages_in = 1, .messages_out = 1};
  EXPECT_EQ(memory_of(range, {}), 50 * 12 + 11 * 8 + 2 * 10 * 8 + 3 * 16 + 4 * 12);
  EXPECT_EQ(memory_of(range, {.value_bytes = 4, .stores_values = false, .vectors = 5}),
            50 * 4 + 11 * 8 + 5 * 10 * 4 + 3 * 12 + 4 * 8);
}

}  // namespace
}  // namespace lacis

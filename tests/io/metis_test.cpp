// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// METIS graphs, read and written.
#include "io/graph/metis.hpp"

#include <gtest/gtest.h>

#include "io/files_support.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

read_options as_metis() {
  read_options options;
  options.format = file_format::metis;
  return options;
}

std::string parsed(std::string_view content) { return in_words(parse_text(content, as_metis())); }

std::string written(const auto& a, const write_options& options = {}) {
  std::string out;
  detail::write_metis([&](std::string_view bytes) { out += bytes; }, a.view(), options);
  return out;
}

constexpr std::string_view triangle_and_point = "4 3\n2 3\n1 3\n2 1\n\n";

TEST(Metis, ABlankLineIsAVertexWithoutNeighbours) {
  read_report report;
  const auto a = parse_text(triangle_and_point, {}, &report);
  EXPECT_EQ(in_words(a), "4x4 pattern (0,1) (0,2) (1,0) (1,2) (2,0) (2,1)");
  EXPECT_EQ(report.format, file_format::metis);
  EXPECT_EQ(report.symmetry, "symmetric");
}

TEST(Metis, CommentsStandAnywhereAndSpareBlankLinesAtTheEnd) {
  EXPECT_EQ(parsed("% a\n% b\n2 1\n% c\n2\r\n%d\n1\n\n  \n"), "2x2 pattern (0,1) (1,0)");
}

TEST(Metis, EdgeWeightsAreValues) { EXPECT_EQ(parsed("2 1 1\n2 7\n1 7"), "2x2 (0,1)=7 (1,0)=7"); }

TEST(Metis, SizesAndWeightsOfVerticesAreSkipped) {
  EXPECT_EQ(parsed("2 1 10\n5 2\n6 1\n"), "2x2 pattern (0,1) (1,0)");
  EXPECT_EQ(parsed("2 1 011 3\n9 9 9 2 4\n8 8 8 1 4\n"), "2x2 (0,1)=4 (1,0)=4");
  EXPECT_EQ(parsed("2 1 111 2\n1 9 9 2 4\n1 8 8 1 4\n"), "2x2 (0,1)=4 (1,0)=4");
  EXPECT_EQ(parsed("2 1 100\n1 2\n1 1\n"), "2x2 pattern (0,1) (1,0)");
}

TEST(Metis, NoVerticesAreAGraphToo) { EXPECT_EQ(parsed("0 0\n"), "0x0 pattern"); }

TEST(Metis, ALargeGraphIsReadInPiecesAndItsFaultsNamed) {
  constexpr std::int64_t n = 300000;
  std::string content = "% ring\n" + std::to_string(n) + ' ' + std::to_string(n) + " 1\n";
  for (std::int64_t i = 0; i < n; ++i) {
    const auto weight = [&](std::int64_t k) { return std::to_string(k % 9 + 1); };
    content += std::to_string((i + n - 1) % n + 1) + ' ' + weight((i + n - 1) % n) + ' ' +
               std::to_string((i + 1) % n + 1) + ' ' + weight(i) + '\n';
  }
  ASSERT_GT(content.size(), 4u << 20);
  const auto a = parse_text(content);
  EXPECT_EQ(a.nnz(), 2 * n);
  EXPECT_EQ(a.values[a.row_offsets[5]], 5);
  EXPECT_EQ(a.values[a.row_offsets[5] + 1], 6);

  const std::size_t last = content.rfind('\n', content.size() - 2) + 1;
  std::string wrong = content.substr(0, last) + "300000 1 1 3\n";
  EXPECT_NE(failure_of([&] { parse_text(wrong, as_metis()); }).find("input:300002: vertex 300000 is its own neighbour"),
            std::string::npos);
  wrong = content.substr(0, last) + "299999 9 2 3\n";
  EXPECT_NE(failure_of([&] {
              parse_text(wrong, as_metis());
            }).find("input:3: vertex 1 lists 300000, but 300000 does not list 1"),
            std::string::npos);
}

TEST(Metis, ARoundTripKeepsGraphs) {
  for (const bool iso : {false, true}) {
    auto a = from_rows<double, std::int32_t>(
        100, 100, entries::integers,
        [](auto i) {
          auto columns = grid_neighbours(i, 10, 1, true);
          std::erase(columns, i);
          return columns;
        },
        iso);
    if (iso)
      a.values = values_array<double>::same(1);
    else
      for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
          a.values.data[k] = static_cast<double>(1 + i * a.columns[k] % 1000);
    write_options options;
    options.comment = "a grid";
    EXPECT_TRUE(written(a, options).starts_with(iso ? "% a grid\n100 180\n" : "% a grid\n100 180 001\n"));
    EXPECT_EQ(difference(a, parse_text(written(a, options))), "");
  }
}

TEST(Metis, WhatIsNoGraphIsRefusedWithAdvice) {
  const auto make = [](std::vector<std::vector<std::int64_t>> rows, double value, std::int64_t cols = 3) {
    auto a = from_rows<double, std::int32_t>(static_cast<std::int64_t>(rows.size()), cols, entries::integers,
                                             [&](auto i) { return rows[static_cast<std::size_t>(i)]; });
    for (double& v : a.values.data) v = value;
    return a;
  };
  const auto refusal = [](const auto& a) { return failure_of([&] { written(a); }); };
  EXPECT_NE(refusal(make({{1}, {}, {}}, 1)).find("(0, 1) has no counterpart; symmetrise"), std::string::npos);
  EXPECT_NE(refusal(make({{1}, {0, 1}, {}}, 1)).find("no loops, but (1, 1)"), std::string::npos);
  EXPECT_NE(refusal(make({{1}, {0}, {}}, 0.5)).find("positive integers, not 0.5"), std::string::npos);
  EXPECT_NE(refusal(make({{1}, {0}, {}}, -1)).find("positive integers, not -1"), std::string::npos);
  EXPECT_NE(refusal(make({{1, 1}, {0}, {}}, 1)).find("row 0 is not canonical"), std::string::npos);
  EXPECT_NE(refusal(make({{1}, {0}}, 1, 3)).find("square"), std::string::npos);
  auto uneven = make({{1}, {0}, {}}, 1);
  uneven.values.data[0] = 2;
  EXPECT_NE(refusal(uneven).find("differs from its counterpart"), std::string::npos);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Edge lists as people have them, read and written.
#include "io/graph/edge_list.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "io/files_support.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

std::string parsed(std::string_view content, const read_options& options = {}) {
  return in_words(parse_text(content, options));
}

std::string written(const auto& a, detail::edge_weights weights = detail::edge_weights::as_needed,
                    const write_options& options = {}) {
  std::string out;
  detail::write_edge_list([&](std::string_view bytes) { out += bytes; }, a.view(), weights, options);
  return out;
}

TEST(EdgeList, AnIdIsItsRowAndColumn) { EXPECT_EQ(parsed("0 1\n3 2\n"), "4x4 pattern (0,1) (3,2)"); }

TEST(EdgeList, BlanksTabsAndCommasSeparate) {
  EXPECT_EQ(parsed("0 1 2\n\t1\t2\t3  \n2,0,4\n0 , 2 , -1.5e0"), "3x3 (0,1)=2 (0,2)=-1.5 (1,2)=3 (2,0)=4");
}

TEST(EdgeList, CommentsOfSnapAndKonectAndBlankLinesAreSkipped) {
  EXPECT_EQ(parsed("# Directed graph\n% asym\n\n0 1\n# between\n\n1 0\n%end"), "2x2 pattern (0,1) (1,0)");
}

TEST(EdgeList, CarriageReturnsEndLinesToo) { EXPECT_EQ(parsed("0 1\r\n1 2\r\n"), "3x3 pattern (0,1) (1,2)"); }

TEST(EdgeList, AByteOrderMarkIsNoContent) {
  EXPECT_EQ(parsed("\xef\xbb\xbf"
                   "0 1\n"),
            "2x2 pattern (0,1)");
}

TEST(EdgeList, TheNodeCountOfSnapIsRespectedWhenIdsFit) {
  EXPECT_EQ(parsed("# Nodes: 5 Edges: 1\n0 1\n"), "5x5 pattern (0,1)");
  EXPECT_EQ(parsed("# Nodes: 2 Edges: 1\n0 7\n"), "8x8 pattern (0,7)");
  EXPECT_EQ(parsed("# Nodes: 3 Edges: 0\n"), "3x3 pattern");
}

TEST(EdgeList, DuplicatesCollapseInPatternsAndAddUpInTheOrderOfTheFileOtherwise) {
  read_report report;
  EXPECT_EQ(in_words(parse_text("0 1\n0 1\n1 0\n0 1\n", {}, &report)), "2x2 pattern (0,1) (1,0)");
  EXPECT_EQ(report.duplicates, 2);
  EXPECT_EQ(report.stored_entries, 4);
  EXPECT_EQ(report.field, "pattern");
  EXPECT_EQ(report.format, file_format::edge_list);
  // 1e16 + 1 rounds to 1e16 in every step; from the back the two ones would survive.
  EXPECT_EQ(parse_text("0 1 1e16\n0 1 1\n0 1 1\n").values[0], 1e16);
  EXPECT_EQ(parse_text("0 1 1\n0 1 1\n0 1 1e16\n").values[0], 1e16 + 2);
}

TEST(EdgeList, UndirectedStoresBothDirectionsAndLoopsOnce) {
  read_options options;
  options.undirected = true;
  EXPECT_EQ(parsed("0 1 2\n2 2 5\n", options), "3x3 (0,1)=2 (1,0)=2 (2,2)=5");
}

TEST(EdgeList, CompactIdsNumbersWhatOccursInAscendingOrder) {
  read_options options;
  options.compact_ids = true;
  EXPECT_EQ(parsed("9000000000000000000 7 2\n7 100 3\n", options), "3x3 (0,1)=3 (2,0)=2");
}

TEST(EdgeList, CompactIdsAgreeWithASetWhetherMarkedOrSorted) {
  for (const std::uint64_t spread : {std::uint64_t{1}, std::uint64_t{50}, std::uint64_t{1000003}}) {
    std::string content;
    std::set<std::int64_t> ids;
    const auto source = [&](std::uint64_t k) { return static_cast<std::int64_t>(mix(k) % 50021 * spread); };
    const auto target = [&](std::uint64_t k) { return static_cast<std::int64_t>(mix(k + 1000000) % 99991); };
    constexpr std::uint64_t edges = 60000;
    for (std::uint64_t k = 0; k < edges; ++k) {
      ids.insert({source(k), target(k)});
      content += std::to_string(source(k)) + ' ' + std::to_string(target(k)) + '\n';
    }
    std::map<std::int64_t, std::int64_t> rank;
    for (const std::int64_t id : ids) rank.emplace(id, static_cast<std::int64_t>(rank.size()));
    std::set<std::pair<std::int64_t, std::int64_t>> expected;
    for (std::uint64_t k = 0; k < edges; ++k) expected.insert({rank[source(k)], rank[target(k)]});

    read_options options;
    options.compact_ids = true;
    const auto a = parse_text(content, options);
    EXPECT_EQ(a.rows, static_cast<std::int64_t>(ids.size()));
    std::set<std::pair<std::int64_t, std::int64_t>> found;
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) found.insert({i, a.columns[k]});
    EXPECT_EQ(found, expected) << spread;
  }
}

TEST(EdgeList, WeightsBeyondExactWholeNumbersNeedPermission) {
  read_options options;
  EXPECT_EQ(parse_text("0 1 9007199254740992\n").values[0], 9007199254740992.0);
  EXPECT_NE(failure_of([] { parse_text("0 1 1\n0 1 9007199254740993\n"); }).find("input:2: no double equals"),
            std::string::npos);
  options.round_integers = true;
  EXPECT_EQ(parse_text("0 1 9007199254740993\n", options).values[0], 9007199254740992.0);
}

TEST(EdgeList, ManyChunksParseLikeOneAndNameTheFirstFaultyLine) {
  std::string content;
  for (std::int64_t k = 0; k < 400000; ++k) {
    if (k % 1000 == 17) content += "# a comment\n\n";
    content += std::to_string(k % 5000) + '\t' + std::to_string(k * 7 % 5000) + '\t' + std::to_string(k) + '\n';
  }
  ASSERT_GT(content.size(), 4u << 20);
  read_report report;
  const auto a = parse_text(content, {}, &report);
  EXPECT_EQ(report.stored_entries, 400000);
  double sum = 0;
  for (const double v : a.values.data) sum += v;
  EXPECT_EQ(sum, 400000.0 * 399999 / 2);

  const auto line_start = [&](std::int64_t line) {
    std::size_t at = 0;
    for (std::int64_t k = 1; k < line; ++k) at = content.find('\n', at) + 1;
    return at;
  };
  content.insert(line_start(390000), "x y\n");
  content.insert(line_start(250000), "1 -2 3\n");
  content.insert(line_start(249000), "# fine\n");
  EXPECT_NE(failure_of([&] { parse_text(content); }).find("bad_input: input:250001: the id '-2' is negative"),
            std::string::npos);
}

TEST(EdgeList, ARoundTripKeepsEverySquareRealMatrixOfTheBattery) {
  for (const auto kind : {entries::integers, entries::reals})
    for (const auto& [name, a] : test_matrices<double>(kind)) {
      if (a.rows != a.cols || a.nnz() == 0) continue;
      read_options options;
      options.format = file_format::edge_list;
      const bool pattern = a.values.iso && a.values[0] == 1;
      EXPECT_EQ(difference(pattern ? a : spelled_out(a), parse_text(written(a), options)), "") << name;
    }
  const auto narrow = test_matrices<float>(entries::reals)[19].matrix;
  EXPECT_EQ(difference(narrow, parse_text<float>(written(narrow))), "");
}

TEST(EdgeList, PatternsAreWrittenWithoutWeightsAndKeepTheirSize) {
  auto a = from_rows<double, std::int32_t>(4, 4, entries::integers, [](auto i) { return consecutive(0, i % 3); }, true);
  a.values = values_array<double>::same(1);
  write_options options;
  options.comment = "made by hand\nin two lines";
  EXPECT_EQ(written(a, detail::edge_weights::as_needed, options),
            "# Nodes: 4 Edges: 3\n# made by hand\n# in two lines\n1\t0\n2\t0\n2\t1\n");
  EXPECT_EQ(difference(a, parse_text(written(a))), "");
  EXPECT_EQ(written(a, detail::edge_weights::always), "# Nodes: 4 Edges: 3\n1\t0\t1\n2\t0\t1\n2\t1\t1\n");
  EXPECT_EQ(difference(spelled_out(a), parse_text(written(a, detail::edge_weights::always))), "");
}

TEST(EdgeList, WhatAnEdgeListCannotHoldIsRefused) {
  const auto wide = from_rows<double, std::int32_t>(2, 3, entries::integers, [](auto) { return consecutive(0, 1); });
  EXPECT_NE(failure_of([&] { written(wide); }).find("square"), std::string::npos);
  const auto weighted =
      from_rows<double, std::int32_t>(3, 3, entries::integers, [](auto) { return consecutive(0, 3); });
  EXPECT_NE(failure_of([&] { written(weighted, detail::edge_weights::never); }).find("write .wel"), std::string::npos);
  const csr_matrix<std::complex<double>> complex;
  EXPECT_NE(failure_of([&] { written(complex); }).find("real weights"), std::string::npos);
}

}  // namespace
}  // namespace lacis::test

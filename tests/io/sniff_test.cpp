// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Formats told by content, and the errors that malformed text gives.
#include "io/sniff.hpp"

#include <gtest/gtest.h>

#include "io/files_support.hpp"

namespace lacis::test {
namespace {

using namespace std::string_literals;

TEST(Sniff, TheContentTellsTheFormat) {
  const auto format = [](std::string_view content) { return detail::sniff({content, "input"}); };
  EXPECT_EQ(format("%%MatrixMarket matrix coordinate real general\n1 1 0\n"), file_format::matrix_market);
  EXPECT_EQ(format("%%MATRIXMARKET nonsense"), file_format::matrix_market);
  EXPECT_EQ(format("PK\x03\x04"), file_format::npz);
  EXPECT_EQ(format("0 1\n1 2\n"), file_format::edge_list);
  EXPECT_EQ(format("# Nodes: 3 Edges: 0\n"), file_format::edge_list);
  EXPECT_EQ(format("3 2\n2\n1 3\n2\n"), file_format::metis);
  EXPECT_EQ(format("% c\n3 2 1\n2 5\n1 5 3 5\n2 5\n\n"), file_format::metis);
  EXPECT_EQ(format("2 1\n2\n1"), file_format::metis);
}

TEST(Sniff, AGraphThatDoesNotCountRightIsAnEdgeList) {
  const auto format = [](std::string_view content) { return detail::sniff({content, "input"}); };
  EXPECT_EQ(format("3 2\n2 1\n1 3\n2 4\n"), file_format::edge_list) << "six numbers, not four";
  EXPECT_EQ(format("3 2\n2\n1 3 2\n"), file_format::edge_list) << "two lines, not three";
  EXPECT_EQ(format("2 1\n2\n1\n5 5\n"), file_format::edge_list) << "three lines, not two";
  EXPECT_EQ(format("0 0\n"), file_format::edge_list) << "a loop rather than no vertices";
  EXPECT_EQ(format("9223372036854775807 1\n2 3\n"), file_format::edge_list);
  EXPECT_EQ(format("1 4611686018427387905\n2 3\n"), file_format::edge_list) << "twice the edges would wrap to 2";
}

TEST(Sniff, ANameDecidesWhereTheContentCouldBeSeveralFormats) {
  const auto format = [](std::string_view content, const char* name) { return detail::sniff({content, name}); };
  constexpr std::string_view triangle = "3 3\n2 3\n1 3\n1 2\n";
  EXPECT_EQ(format(triangle, "input"), file_format::metis);
  EXPECT_EQ(format(triangle, "tri.el"), file_format::edge_list);
  EXPECT_EQ(format(triangle, "tri.WEL.gz"), file_format::edge_list);
  EXPECT_EQ(format(triangle, "tri.txt"), file_format::metis);
  EXPECT_EQ(format("0 0\n", "none.graph"), file_format::metis) << "no vertices rather than a loop";
  EXPECT_EQ(format("3 2\n2\n1\n", "cut.graph"), file_format::metis) << "whose reader names the fault";
}

TEST(Sniff, TextIsNotWhatANameOfAnotherFormatSays) {
  for (const char* name : {"a.mtx", "A.MTX", "a.mtx.gz", "a.tar.gz"}) {
    const std::string failure = failure_of([&] { static_cast<void>(detail::sniff({"1 2\n", name})); });
    EXPECT_TRUE(failure.starts_with(std::string("bad_input: ") + name + ": the name is that of ")) << failure;
  }
}

TEST(Sniff, AMisplacedBannerIsNeverAComment) {
  const std::string body = "2 2 2\n1 1 1\n2 2 1\n";
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  for (const std::string before :
       {"\n", " ", "\t", "\r\n", "# c\n", "% c\n", "\xef\xbb\xbf\n", "\n\xef\xbb\xbf", "#", "%"})
    for (const auto format : {std::optional<file_format>(), std::optional(file_format::edge_list)}) {
      const std::string failure = failure_of([&] { parse_text(before + banner + body, {.format = format}); });
      EXPECT_TRUE(failure.starts_with("bad_input: input:")) << before << "\n" << failure;
    }
  for (const char* misspelt : {"%% MatrixMarket", "%%MatrixMarkt", "%MATRIXMARKT", "# matrixmarket"}) {
    const std::string content = misspelt + std::string(" matrix coordinate real general\n") + body;
    EXPECT_NE(failure_of([&] { parse_text(content); }).find("resembles the banner"), std::string::npos) << misspelt;
  }
  for (const auto format : {file_format::edge_list, file_format::metis})
    EXPECT_TRUE(failure_of([&] { parse_text(banner + body, {.format = format}); }).starts_with("bad_input: input:1: "));
  EXPECT_EQ(in_words(parse_text("# from a Matrix Market file\n0 1\n")), "2x2 pattern (0,1)");
}

TEST(Options, OfEdgeListsAreRefusedForOtherFormats) {
  const std::string market = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n";
  EXPECT_EQ(failure_of([&] { parse_text(market, {.compact_ids = true}); }),
            "invalid_argument: read_options::compact_ids applies to edge lists, and input is none; leave it out");
  EXPECT_TRUE(failure_of([&] { parse_text("2 1\n2\n1\n", {.undirected = true}); }).starts_with("invalid_argument: "));
  EXPECT_EQ(in_words(parse_text("0 1\n", {.undirected = true})), "2x2 pattern (0,1) (1,0)");
}

struct malformed {
  std::string content;
  std::string phrase;
  std::optional<file_format> format = {};
};

void expect_phrases(const std::vector<malformed>& rows) {
  for (const auto& [content, phrase, format] : rows) {
    read_options options;
    options.format = format;
    const std::string failure = failure_of([&] { parse_text(content, options); });
    EXPECT_NE(failure.find(phrase), std::string::npos)
        << "content:  " << content << "\nexpected: " << phrase << "\ngot:      " << failure;
  }
}

TEST(Malformed, WhatIsNoMatrixIsNamedWithTheAcceptedFormats) {
  expect_phrases({
      {"", "bad_input: input: the file is empty; accepted are Matrix Market"},
      {" \n\t\n", "nothing but blanks"},
      {"\x1f\x8b\x08\x00rest", "gzip data inside the compressed file"},
      {"\x28\xb5\x2f\xfd\x00", "zstd data inside the compressed file"},
      {"BZh91AY", "bunzip2"},
      {"\xfd"
       "7zXZ\0"s,
       "unxz"},
      {"\x89HDF\r\n", "HDF5"},
      {"MATLAB 5.0 MAT-file", "MATLAB"},
      {"\x93NUMPY\x01", "dense NumPy array"},
      {"\xff\xfe%\0"s, "UTF-16"},
      {"\x7f"
       "ELF\x02",
       "a program"},
      {"0 1\n\x01\x02", "binary data of an unknown kind"},
      {"0 1\n\0\n"s, "binary data of an unknown kind"},
      {"\n<!DOCTYPE html><HTML>", "web page"},
      {"<?xml version='1.0'?>", "web page or XML"},
      {"source,target\n0,1\n", "begins with 'source,target'; accepted are"},
      {"{\"nodes\": []}", "begins with '{\"nodes\":'"},
      {"# only a comment\n", "input:2: no edge and no comment"},
#ifdef LACIS_WITH_ARCHIVE
      {"PK\x03\x04 but no zip", "bad_input: input: "},
#else
      {"PK\x03\x04", "unsupported: this build has no libarchive; convert input to Matrix Market"},
#endif
  });
}

TEST(Malformed, EdgeLists) {
  constexpr auto el = file_format::edge_list;
  expect_phrases({
      {"0 1\n1\n", "input:2: an edge with only one id"},
      {"0 -1\n", "input:1: the id '-1' is negative"},
      {"-1 0\n", "input:1: the id '-1' is negative"},
      {"0 1\n1.5 2\n", "input:2: '1.5' is not an id"},
      {"0 1e3\n", "input:1: '1e3' is not an id"},
      {"0 x\n", "input:1: 'x' is not an id"},
      {"0 9223372036854775808\n", "bad_input: input:1: the id '9223372036854775808' does not fit in 64 bits"},
      {"0 9223372036854775807\n", "overflow: input:1: the id 9223372036854775807 does not fit 32-bit"},
      {"0 2147483647\n", "overflow: input:1: the id 2147483647 does not fit 32-bit indices"},
      {"# c\n0 1\n1 2 3\n", "input:3: 3 columns here, but 2 in the first edge"},
      {"0 1 1\n1 2\n", "input:2: 2 columns here, but 3 in the first edge"},
      {"0 1 1 1\n", "input:1: the first edge has 4 columns"},
      {"0 1 1\n0 1 1 1\n", "input:2: 4 columns here, but 3"},
      {"7\n", "input:1: the first edge has 1 columns"},
      {"0 1 x\n", "input:1: 'x' is not a weight"},
      {"0 1 1.5.2\n", "input:1: '1.5.2' is not a weight"},
      {"0 1 1e999\n", "input:1: the weight '1e999' is too large"},
      {"0 1 123456789012345678\n", "read_options::round_integers"},
      {"0,,1\n", "input:1: ", el},
      {"0 1\n0;1\n", "input:2: '0;1' is not an id"},
      {"0 200000000\n", "200000001 rows are more than 12 bytes of input justify"},
      {"0 200000000\n", "read_options::compact_ids"},
      {"# Nodes: 2000000000\n0 1\n", "2000000000 rows are more than"},
      {"# Nodes: 3000000000\n0 1\n", "overflow: input: 3000000000 x 3000000000 does not fit 32-bit"},
      {"", "no edge", el},
  });
}

TEST(Malformed, Metis) {
  constexpr auto metis = file_format::metis;
  expect_phrases({
      {"", "input:1: no METIS header", metis},
      {"2\n2\n1\n", "no METIS header", metis},
      {"2 1 2\n2\n1\n", "no METIS header", metis},
      {"2 1 1 1 1\n2\n1\n", "no METIS header", metis},
      {"2 x\n2\n1\n", "no METIS header", metis},
      {"3 1\n2\n1\n", "input:1: the header declares 3 vertices, but 2 lines follow", metis},
      {"99999999 1\n2\n1\n", "input:1: the header declares 99999999 vertices, but only 4 bytes follow", metis},
      {"9999999999 1\n2\n1\n", "overflow: input: 9999999999 x 9999999999", metis},
      {"2 1\n2\n1\n1\n", "input:4: a line for vertex 3, but the header declares 2 vertices", metis},
      {"2 1\n2\n0\n", "input:3: neighbour 0; METIS numbers vertices from 1", metis},
      {"2 1\n2\n3\n", "input:3: neighbour 3 exceeds the declared 2", metis},
      {"2 1\n1\n2\n", "input:2: vertex 1 is its own neighbour", metis},
      {"2 1\n2\n-1\n", "input:3: the neighbour '-1' is not an integer", metis},
      {"2 1\n2 x\n1\n", "input:2: the neighbour 'x' is not an integer", metis},
      {"2 2\n2\n1\n", "input:1: the header declares 2 edges, but 2 neighbours are listed", metis},
      {"3 1\n2\n\n\n", "input:1: the header declares 1 edges, but 1 neighbours", metis},
      {"3 1\n% c\n2\n3\n\n", "input:3: vertex 1 lists 2, but 2 does not list 1", metis},
      {"3 2\n2 2\n1 1\n\n", "input:2: vertex 1 lists a neighbour twice", metis},
      {"2 1 1\n2 7\n1 8\n", "input:2: the edge between 1 and 2 has another weight on the line of 2", metis},
      {"2 1 1\n2\n1 8\n", "input:2: the last neighbour of vertex 1 has no weight", metis},
      {"2 1 1\n2 0\n1 0\n", "input:2: an edge weight of 0", metis},
      {"2 1 1\n2 1.5\n1 1.5\n", "input:2: the edge weight '1.5' is not an integer", metis},
      {"2 1 10\n1 2\n\n", "input:3: vertex 2 has fewer than the 1 size and weights", metis},
      {"2 1 11 2\n1 x 2 5\n1 1 1 5\n", "input:2: the vertex size or weight 'x' is not", metis},
      {"2 1 1\n2 9007199254740993\n1 9007199254740993\n", "input:2: no double equals the edge weight", metis},
      {"2 1\n99999999999999999999\n1\n", "input:2: the neighbour '99999999999999999999' does not fit", metis},
  });
}

}  // namespace
}  // namespace lacis::test

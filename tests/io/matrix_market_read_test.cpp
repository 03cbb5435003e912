// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Matrix Market reader: every field, symmetry and layout that it accepts.
#include <gtest/gtest.h>
#include <omp.h>
#include <string>
#include <vector>

#include "io/matrix_market/matrix_market.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::detail {
namespace {

template <value Value = double, index Index = std::int32_t>
csr_matrix<Value, Index> parse(std::string_view text, const read_options& options = {}) {
  read_report report;
  return parse_matrix_market<Value, Index>({text, "test.mtx"}, options, report);
}

/// The matrix as rows of "column:value", which is easy to write down and to compare.
template <value Value, index Index> std::string listed(const csr_matrix<Value, Index>& a) {
  std::string out = text(a.rows, 'x', a.cols);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    out += " |";
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const Value v = a.values[k];
      out += text(' ', a.columns[k], ':', std::real(v));
      if constexpr (is_complex<Value>) out += text(std::signbit(std::imag(v)) ? "-" : "+", std::abs(std::imag(v)), 'i');
    }
  }
  return out;
}

TEST(MatrixMarketReader, ReadsGeneralCoordinates) {
  const auto a =
      parse("%%MatrixMarket matrix coordinate real general\n% comment\n3 4 4\n1 1 1.5\n3 4 -2e1\n1 3 0\n2 2 7\n");
  EXPECT_EQ(listed(a), "3x4 | 0:1.5 2:0 | 1:7 | 3:-20");
  EXPECT_FALSE(a.values.iso);
}

TEST(MatrixMarketReader, TakesEveryLayoutThatIsUnambiguous) {
  const std::string expected = "2x2 | 0:1 | 1:2.5";
  const std::string_view texts[] = {
      "%%matrixmarket MATRIX Coordinate REAL General\n2 2 2\n1 1 1\n2 2 2.5\n",
      "%%MatrixMarket matrix coordinate double general\n2 2 2\n1 1 1\n2 2 2.5",
      "%%MatrixMarket matrix coordinate real general\r\n%c\r\n2 2 2\r\n1 1 1\r\n2 2 2.5\r\n",
      "%%MatrixMarket matrix coordinate real general\r\n2 2 2\r\n1 1 1\r\n2 2 2.5\r",
      "%%MatrixMarket \t matrix  coordinate\treal general  \n\n  \n  % indented comment\n\n 2\t2 2 \n\n\n",
      "%%MatrixMarket matrix coordinate real general\n2 2 2\n\t 1\t1\t1 \n\n \n2   2   2.5\t\n\n \n\t",
      "%%MatrixMarket matrix coordinate real general\n2 2 2\n001 01 +1.0\n2 2 +.25D+01\n",
      "%%MatrixMarket matrix coordinate real general\n+2 2 2\n2 2 2.5\n1 1 1\n",
  };
  for (const std::string_view text : texts) {
    if (text.find("indented") != std::string_view::npos)
      EXPECT_EQ(listed(parse(std::string(text) + "1 1 1\n2 2 2.5")), expected) << text;
    else
      EXPECT_EQ(listed(parse(text)), expected) << text;
  }
}

TEST(MatrixMarketReader, ReadsIntegersExactlyOrRoundsThemWhenAllowed) {
  const std::string head = "%%MatrixMarket matrix coordinate integer general\n1 6 6\n";
  const auto a = parse(head +
                       "1 1 -3\n1 2 +4\n1 3 9007199254740992\n1 4 -9007199254740994\n1 5 9223372036854775808\n"
                       "1 6 00000000000000000000000018446744073709551616\n");
  EXPECT_EQ(listed(a),
            "1x6 | 0:-3 1:4 2:9007199254740992 3:-9007199254740994 4:9223372036854775808 "
            "5:18446744073709551616");
  read_options rounding;
  rounding.round_integers = true;
  const std::string inexact =
      "%%MatrixMarket matrix coordinate integer general\n1 2 2\n1 1 9007199254740993\n1 2 "
      "-123456789012345678901234567890\n";
  EXPECT_EQ(parse(inexact, rounding).values[0], 9007199254740992.0);
  EXPECT_EQ(parse(inexact, rounding).values[1], -123456789012345678901234567890.0);
  EXPECT_EQ(parse<float>(inexact, rounding).values[0], 9007199254740992.0F);
  const auto u = parse("%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 4294967296\n");
  EXPECT_EQ(u.values[0], 4294967296.0);
}

TEST(MatrixMarketReader, ReadsPatternsAsIsoOfOne) {
  const auto a = parse("%%MatrixMarket matrix coordinate pattern general\n2 3 4\n2 3\n1 1\n2 3\n1 2\n");
  EXPECT_EQ(listed(a), "2x3 | 0:1 1:1 | 2:1");
  EXPECT_TRUE(a.values.iso);
}

TEST(MatrixMarketReader, SumsDuplicatesInTheOrderOfTheFile) {
  // (1e16 + 1) + -1e16 is 0 and 1e16 + -1e16 + 1 is 1: the order shows.
  const std::string head = "%%MatrixMarket matrix coordinate real general\n1 1 3\n";
  read_report report;
  EXPECT_EQ(parse(head + "1 1 1e16\n1 1 1\n1 1 -1e16\n").values[0], 0.0);
  const std::string other = head + "1 1 1e16\n1 1 -1e16\n1 1 1\n";
  EXPECT_EQ((parse_matrix_market<double, std::int32_t>({other, "t"}, {}, report).values[0]), 1.0);
  EXPECT_EQ(report.duplicates, 2);
  EXPECT_EQ(report.stored_entries, 3);
  EXPECT_EQ(report.bytes, static_cast<std::int64_t>(other.size()));
  EXPECT_EQ(report.field, "real");
  EXPECT_EQ(report.symmetry, "general");
}

TEST(MatrixMarketReader, ExpandsEverySymmetry) {
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 -3\n")),
            "2x2 | 0:4 1:-3 | 0:-3");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 2\n1 1 0\n2 1 -3\n")),
            "2x2 | 0:0 1:3 | 0:-3");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n3 1\n2 2\n")),
            "3x3 | 2:1 | 1:1 | 0:1");
  EXPECT_EQ(listed(parse<std::complex<double>>(
                "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 4 0\n2 1 1 2\n")),
            "2x2 | 0:4+0i 1:1-2i | 0:1+2i");
  EXPECT_EQ(listed(parse<std::complex<float>>("%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 1 2\n")),
            "2x2 | 1:1+2i | 0:1+2i");
  EXPECT_EQ(
      listed(parse<std::complex<float>>("%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 1 2\n")),
      "2x2 | 1:-1-2i | 0:1+2i");
}

TEST(MatrixMarketReader, TakesTheUpperTriangleAndAMixtureThatSaysEachPlaceOnce) {
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n1 2 -3\n")),
            "2x2 | 0:4 1:-3 | 0:-3");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n1 2 -3\n3 1 5\n")),
            "3x3 | 1:-3 2:-5 | 0:3 | 0:5");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 2 -3\n3 1 5\n3 1 2\n2 2 1\n")),
            "3x3 | 1:-3 2:7 | 0:-3 1:1 | 0:7");
}

TEST(MatrixMarketReader, ReadsComplexFilesAsRealWhenNothingIsLost) {
  const std::string_view text = "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 4 0\n2 1 3 -0.0\n";
  EXPECT_EQ(listed(parse<float>(text)), "2x2 | 0:4 1:3 | 0:3");
  EXPECT_EQ(listed(parse<std::complex<double>>("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n")),
            "1x1 | 0:2+0i");
}

TEST(MatrixMarketReader, ReadsArraysColumnByColumnAndKeepsZeros) {
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix array real general\n2 3\n1\n2\n0\n4\n5\n6\n")),
            "2x3 | 0:1 1:0 2:5 | 0:2 1:4 2:6");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n")),
            "3x3 | 0:1 1:2 2:3 | 0:2 1:4 2:5 | 0:3 1:5 2:6");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n")),
            "3x3 | 1:-1 2:-2 | 0:1 2:-3 | 0:2 1:3");
  EXPECT_EQ(listed(parse<std::complex<double>>("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n")),
            "2x2 | 0:1+0i 1:2-3i | 0:2+3i 1:4+0i");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix array real skew-symmetric\n1 1\n")), "1x1 |");
}

TEST(MatrixMarketReader, ReadsMatricesWithoutRowsColumnsOrEntries) {
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix coordinate real general\n0 0 0\n")), "0x0");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix coordinate real general\n0 5 0")), "0x5");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix coordinate pattern general\n2 0 0\n\n\n")), "2x0 | |");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix array real general\n0 5\n")), "0x5");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix array real symmetric\n0 0\n")), "0x0");
  EXPECT_EQ(listed(parse("%%MatrixMarket matrix array real skew-symmetric\n0 0\n")), "0x0");
}

TEST(MatrixMarketReader, ReadsSixtyFourBitIndices) {
  const std::string_view text =
      "%%MatrixMarket matrix coordinate real general\n1 9000000000000000000 2\n1 "
      "9000000000000000000 1\n1 3000000000 2\n";
  EXPECT_EQ(listed(parse<double, std::int64_t>(text)), "1x9000000000000000000 | 2999999999:2 8999999999999999999:1");
}

/// Enough lines for several chunks, in an order that is not that of rows; values show their line.
std::string long_file(std::int64_t size, const std::vector<std::int64_t>& blank_before = {}) {
  std::string out = text("%%MatrixMarket matrix coordinate real general\n", size, ' ', size, ' ', size, '\n');
  for (std::int64_t k = 0; k < size; ++k) {
    for (const std::int64_t b : blank_before)
      if (b == k) out += " \r\n";
    out += text((k * 7919) % size + 1, ' ', (k * 104729) % size + 1, ' ', k, '\n');
  }
  return out;
}

TEST(MatrixMarketReader, GivesTheSameBitsForAnyNumberOfThreads) {
  constexpr std::int64_t size = 20011;  // a prime, so each row and column is used once
  const std::string plain = long_file(size);
  const std::string with_blanks = long_file(size, {0, 1, 5000, 5000, 20010});
  std::string mirrored = plain;
  mirrored.replace(mirrored.find("general"), 7, "symmetric");
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    const auto a = parse(plain);
    ASSERT_EQ(a.nnz(), size);
    for (std::int64_t k = 0; k < size; ++k) {
      const std::int64_t row = (k * 7919) % size;
      ASSERT_EQ(a.row_offsets[row], row);
      ASSERT_EQ(a.columns[row], (k * 104729) % size);
      ASSERT_EQ(a.values[row], static_cast<double>(k));
    }
    EXPECT_EQ(test::difference(parse(with_blanks), a), "");
  }
}

TEST(MatrixMarketReader, ReadsLongArraysOfEverySymmetryTheSameOnAnyNumberOfThreads) {
  constexpr std::int64_t size = 401;
  for (const std::string_view kind : {"general", "symmetric", "skew-symmetric"}) {
    std::string file = text("%%MatrixMarket matrix array real ", kind, '\n', size, ' ', size, '\n');
    for (std::int64_t j = 0; j < size; ++j)
      for (std::int64_t i = kind == "general" ? 0 : kind == "symmetric" ? j : j + 1; i < size; ++i)
        file += text(1000 * i + j, '\n');
    for (const int threads : {1, 3}) {
      omp_set_num_threads(threads);
      const auto a = parse(file);
      for (std::int64_t i = 0; i < size; ++i) {
        for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
          const std::int64_t j = a.columns[k];
          const bool image = kind != "general" && j > i;
          const double listed_value = static_cast<double>(image ? 1000 * j + i : 1000 * i + j);
          ASSERT_EQ(a.values[k], image && kind == "skew-symmetric" ? -listed_value : listed_value);
        }
      }
      EXPECT_EQ(a.nnz(), kind == "skew-symmetric" ? size * (size - 1) : size * size);
    }
  }
}

TEST(MatrixMarketReader, TellsItsProgressAndEndsWhenTheCallbackThrows) {
  const std::string file = long_file(60013);
  double parsed = 0;
  bool assembled = false;
  read_options options;
  options.progress = [&](std::string_view stage, double share) {
    if (stage == "parse") {
      EXPECT_GE(share, parsed);
      EXPECT_LE(share, 1);
      parsed = share;
    }
    assembled = stage == "assemble" && share == 1;
  };
  for (const int threads : {2, 1}) {
    omp_set_num_threads(threads);
    parsed = 0;
    assembled = false;
    (void)parse(file, options);
    EXPECT_TRUE(assembled);
  }
  EXPECT_GT(parsed, 0);  // of one thread: of two, the one that tells may come too late for a chunk
  omp_set_num_threads(2);
  options.progress = [](std::string_view, double) { throw std::runtime_error("enough"); };
  EXPECT_THROW((void)parse(file, options), std::runtime_error);
}

TEST(MatrixMarketReader, RecognisesItsFiles) {
  EXPECT_TRUE(looks_like_matrix_market("%%MatrixMarket matrix"));
  EXPECT_TRUE(looks_like_matrix_market("%%MATRIXMARKET"));
  EXPECT_TRUE(looks_like_matrix_market("%MatrixMarket"));
  EXPECT_TRUE(looks_like_matrix_market("\xef\xbb\xbf%%MatrixMarket"));
  EXPECT_FALSE(looks_like_matrix_market("% a comment"));
  EXPECT_FALSE(looks_like_matrix_market("%%Matrix"));
  EXPECT_FALSE(looks_like_matrix_market(""));
}

}  // namespace
}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// SciPy's .npz files: every format, element type and byte order, and what a damaged one says.
#include "io/npz/npz.hpp"

#include <gtest/gtest.h>

#include "io/files_support.hpp"
#include "io/npz_support.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

constexpr const char* small_in_words = "2x3 (0,1)=2 (1,0)=3 (1,2)=4";

std::string parsed(const zip_parts& replacements) { return in_words(parse_text(zip_with(small_csr(), replacements))); }

template <class Matrix> std::string written(const Matrix& a) {
  std::string out;
  detail::write_npz([&](std::string_view bytes) { out += bytes; }, a.view(), {});
  return out;
}

template <class Value> class Npz : public ::testing::Test {};
using values = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Npz, values);

TYPED_TEST(Npz, ARoundTripKeepsEveryBitOfTheBattery) {
  for (const auto kind : {entries::integers, entries::reals})
    for (const auto& [name, a] : test_matrices<TypeParam>(kind)) {
      EXPECT_EQ(difference(spelled_out(a), parse_text<TypeParam>(written(a))), "") << name;
    }
  for (const auto& [name, a] : test_matrices<TypeParam, std::int64_t>())
    EXPECT_EQ(difference(spelled_out(a), (parse_text<TypeParam, std::int64_t>(written(a)))), "") << name;
}

TEST(NpzFile, EqualMatricesMakeEqualFiles) {
  const auto a = test_matrices<double>()[20].matrix;
  EXPECT_EQ(written(a), written(a));
}

TEST(NpzFile, EveryElementTypeGivesTheSameMatrix) {
  EXPECT_EQ(parsed({}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<float>("<f4", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<double>(">f8", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::int8_t>("|i1", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::int16_t>(">i2", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::int32_t>("<i4", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::int64_t>("<i8", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::uint8_t>("|u1", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::uint16_t>("<u2", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::uint32_t>(">u4", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::uint64_t>("<u8", {2, 3, 4})}}), small_in_words);
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::int8_t>("|b1", {1, 0, 1})}}), "2x3 (0,1)=1 (1,0)=0 (1,2)=1");
  EXPECT_EQ(parsed({{"data.npy", vector_bytes<std::int8_t>("|i1", {-2, 3, 4})}}), "2x3 (0,1)=-2 (1,0)=3 (1,2)=4");
}

TEST(NpzFile, ComplexReadsAsRealOnlyWhenNothingIsLost) {
  const std::string real = npy_bytes(dictionary("<c16", "(3,)"), bytes_of<double>({2, 0, 3, -0.0, 4, 0}));
  EXPECT_EQ(parsed({{"data.npy", real}}), small_in_words);
  const std::string mixed = npy_bytes(dictionary(">c8", "(3,)"), bytes_of<float>({2, 0, 3, 0, 4, 5}, true));
  EXPECT_NE(failure_of([&] { parsed({{"data.npy", mixed}}); }).find("element 2 has an imaginary part"),
            std::string::npos);
  const auto a = parse_text<std::complex<double>>(zip_with(small_csr(), {{"data.npy", mixed}}));
  EXPECT_EQ(a.values[2], (std::complex<double>{4, 5}));
}

TEST(NpzFile, OffsetsAndIndicesMayHaveAnyWholeType) {
  EXPECT_EQ(parsed({{"indices.npy", vector_bytes<std::int64_t>(">i8", {1, 0, 2})},
                    {"indptr.npy", vector_bytes<std::int64_t>("<i8", {0, 1, 3})},
                    {"shape.npy", vector_bytes<std::int32_t>("<i4", {2, 3})}}),
            small_in_words);
}

TEST(NpzFile, OldAndNewHeadersAreKnown) {
  EXPECT_EQ(parsed({{"data.npy", npy_bytes(dictionary("<f8", "(3L,)"), bytes_of<double>({2, 3, 4}))},
                    {"indices.npy", npy_bytes(dictionary("<i4", "(3,)"), bytes_of<std::int32_t>({1, 0, 2}), 2)},
                    {"indptr.npy", npy_bytes(dictionary("<i4", "(3,)"), bytes_of<std::int32_t>({0, 1, 3}), 3)},
                    {"format.npy", npy_bytes(dictionary("<U3", "()"), bytes_of<std::uint32_t>({'c', 's', 'r'}))}}),
            small_in_words);
}

TEST(NpzFile, UnsortedRowsAndDuplicatesBecomeCanonical) {
  read_report report;
  const auto a = parse_text(zip_with(small_csr(), {{"indices.npy", vector_bytes<std::int32_t>("<i4", {2, 1, 1, 0})},
                                                   {"indptr.npy", vector_bytes<std::int32_t>("<i4", {0, 3, 4})},
                                                   {"data.npy", vector_bytes<double>("<f8", {1, 2, 3, 4})}}),
                            {}, &report);
  EXPECT_EQ(in_words(a), "2x3 (0,1)=5 (0,2)=1 (1,0)=4");
  EXPECT_EQ(report.duplicates, 1);
  EXPECT_EQ(report.stored_entries, 4);
  EXPECT_EQ(report.format, file_format::npz);
}

TEST(NpzFile, DuplicatesThatAreTrueAreTrue) {
  const auto a = parse_text(zip_with(small_csr(), {{"indices.npy", vector_bytes<std::int32_t>("<i4", {1, 1, 2, 2, 0})},
                                                   {"indptr.npy", vector_bytes<std::int32_t>("<i4", {0, 4, 5})},
                                                   {"data.npy", vector_bytes<std::int8_t>("|b1", {1, 1, 0, 1, 0})}}));
  EXPECT_EQ(in_words(a), "2x3 (0,1)=1 (0,2)=1 (1,0)=0");
}

TEST(NpzFile, ColumnsCoordinatesBlocksAndDiagonalsBecomeRows) {
  const auto format = [](const char* name) { return npy_bytes(dictionary("|S3", "()"), name); };
  EXPECT_EQ(parsed({{"format.npy", format("csc")},
                    {"indices.npy", vector_bytes<std::int32_t>("<i4", {1, 0, 1})},
                    {"indptr.npy", vector_bytes<std::int32_t>("<i4", {0, 1, 2, 3})},
                    {"data.npy", vector_bytes<double>("<f8", {3, 2, 4})}}),
            small_in_words);
  EXPECT_EQ(parsed({{"format.npy", format("coo")},
                    {"row.npy", vector_bytes<std::int32_t>("<i4", {1, 1, 0})},
                    {"col.npy", vector_bytes<std::int64_t>("<i8", {2, 0, 1})},
                    {"data.npy", vector_bytes<double>("<f8", {4, 3, 2})}}),
            small_in_words);
  const auto coords = [&](bool fortran, std::vector<std::int32_t> places) {
    return parsed({{"format.npy", format("coo")},
                   {"coords.npy", npy_bytes(dictionary("<i4", "(2, 3)", fortran), bytes_of(places))},
                   {"data.npy", vector_bytes<double>("<f8", {4, 3, 2})}});
  };
  EXPECT_EQ(coords(false, {1, 1, 0, 2, 0, 1}), small_in_words);
  EXPECT_EQ(coords(true, {1, 2, 1, 0, 0, 1}), small_in_words);
  const auto blocks = [&](bool fortran, std::vector<double> elements) {
    return parsed({{"format.npy", format("bsr")},
                   {"shape.npy", vector_bytes<std::int64_t>("<i8", {4, 6})},
                   {"indices.npy", vector_bytes<std::int32_t>("<i4", {1, 0})},
                   {"indptr.npy", vector_bytes<std::int32_t>("<i4", {0, 1, 2})},
                   {"data.npy", npy_bytes(dictionary("<f8", "(2, 2, 3)", fortran), bytes_of(elements))}});
  };
  const char* const expected =
      "4x6 (0,3)=1 (0,4)=2 (0,5)=3 (1,3)=4 (1,4)=0 (1,5)=6 (2,0)=7 (2,1)=8 (2,2)=9 (3,0)=10 (3,1)=11 (3,2)=12";
  EXPECT_EQ(blocks(false, {1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 11, 12}), expected);
  EXPECT_EQ(blocks(true, {1, 7, 4, 10, 2, 8, 0, 11, 3, 9, 6, 12}), expected);
  const auto diagonals = [&](bool fortran, std::vector<double> elements) {
    return parsed({{"format.npy", format("dia")},
                   {"shape.npy", vector_bytes<std::int64_t>("<i8", {3, 4})},
                   {"offsets.npy", vector_bytes<std::int32_t>("<i4", {1, -2, 0})},
                   {"data.npy", npy_bytes(dictionary("<f8", "(3, 3)", fortran), bytes_of(elements))}});
  };
  // Column j of the data belongs to column j of the matrix; three columns leave the fourth empty.
  EXPECT_EQ(diagonals(false, {1, 2, 3, 4, 5, 6, 7, 8, 0}), "3x4 (0,0)=7 (0,1)=2 (1,1)=8 (1,2)=3 (2,0)=4 (2,2)=0");
  EXPECT_EQ(diagonals(true, {1, 4, 7, 2, 5, 8, 3, 6, 0}), "3x4 (0,0)=7 (0,1)=2 (1,1)=8 (1,2)=3 (2,0)=4 (2,2)=0");
}

TEST(NpzFile, WholeNumbersThatNoDoubleEqualsNeedPermission) {
  const zip_parts large = {{"data.npy", vector_bytes<std::int64_t>("<i8", {2, (std::int64_t{1} << 53) + 1, 4})}};
  EXPECT_NE(failure_of([&] { parsed(large); }).find("input: data.npy: no double equals element 1, 9007199254740993"),
            std::string::npos);
  const zip_parts unsigned_large = {{"data.npy", vector_bytes<std::uint64_t>("<u8", {2, ~std::uint64_t{0}, 4})}};
  EXPECT_NE(failure_of([&] { parsed(unsigned_large); }).find("18446744073709551615"), std::string::npos);
  const zip_parts exact = {{"data.npy", vector_bytes<std::int64_t>("<i8", {2, std::int64_t{1} << 62, 4})}};
  EXPECT_EQ(parse_text(zip_with(small_csr(), exact)).values[1], 0x1p62);
  read_options options;
  options.round_integers = true;
  EXPECT_EQ(parse_text(zip_with(small_csr(), large), options).values[1], 0x1p53);
}

TEST(NpzFile, ADoubleThatBecomesInfiniteAsFloatIsAnError) {
  const std::string file = zip_with(small_csr(), {{"data.npy", vector_bytes<double>("<f8", {2, 1e300, 4})}});
  EXPECT_NE(failure_of([&] { parse_text<float>(file); }).find("1e+300 is too large for float"), std::string::npos);
}

struct spoiled {
  zip_parts replacements;
  std::string phrase;
};

TEST(NpzFile, EveryFaultIsNamedWithItsMember) {
  const auto i4 = [](std::vector<std::int32_t> v) { return vector_bytes("<i4", v); };
  const auto i8 = [](std::vector<std::int64_t> v) { return vector_bytes("<i8", v); };
  const auto format = [](const char* name) { return npy_bytes(dictionary("|S3", "()"), name); };
  const std::vector<spoiled> rows = {
      {{{"indices.npy", i4({1, 0, 3})}}, "input: indices.npy: element 2, 3, is not between 0 and 2"},
      {{{"indices.npy", i4({1, -1, 2})}}, "indices.npy: element 1, -1, is not between 0 and 2"},
      {{{"indices.npy", i4({1, 0})}}, "indices.npy: has 2 elements, but data has 3"},
      {{{"indptr.npy", i4({0, 3})}}, "indptr.npy: has 2 elements; the shape needs 2 + 1"},
      {{{"indptr.npy", i4({1, 1, 3})}}, "indptr.npy: begins with 1, not with 0"},
      {{{"indptr.npy", i4({0, 3, 2})}}, "indptr.npy: descends from 3 to 2 at element 2"},
      {{{"indptr.npy", i4({0, 1, 4})}}, "indptr.npy: ends with 4, but only 3 entries are stored"},
      {{{"indptr.npy", vector_bytes<double>("<f8", {0, 1, 3})}}, "indptr.npy: holds no integers"},
      {{{"shape.npy", i8({2, 3, 4})}}, "shape.npy: 3 dimensions"},
      {{{"shape.npy", i8({-2, 3})}}, "shape.npy: is negative"},
      {{{"shape.npy", i8({2, std::int64_t{1} << 40})}}, "overflow: input: shape.npy: 2 x 1099511627776"},
      {{{"format.npy", format("lil")}}, "format.npy: \"lil\" is none of csr"},
      {{{"format.npy", format("csc")}}, "indptr.npy: has 3 elements; the shape needs 3 + 1"},
      {{{"format.npy", format("dia")}}, "data.npy: has 1 dimensions, not 2"},
      {{{"format.npy", format("bsr")}}, "data.npy: has 1 dimensions, not 3"},
      {{{"format.npy", format("coo")}}, "has no member row.npy, which the format coo needs"},
      {{{"format.npy", i4({3})}}, "format.npy: is not a word"},
      {{{"data.npy", "hello"}}, "data.npy: is not a NumPy array"},
      {{{"data.npy", npy_bytes("{'descr': '<f8', 'shape': (3,", "")}}, "data.npy: malformed array header"},
      {{{"data.npy", npy_bytes("{'descr': '<f8', 'fortran_order': False}", "")}}, "data.npy: malformed array header"},
      {{{"data.npy", npy_bytes(dictionary("<f2", "(3,)"), "123456")}},
       "bad_input: input: data.npy: elements of type <f2"},
      {{{"data.npy", npy_bytes("{'descr': [('a', '<f8')], 'shape': (3,)}", "")}}, "elements of type records"},
      {{{"data.npy", npy_bytes(dictionary("|O8", "(3,)"), "")}}, "elements of type |O8"},
      {{{"data.npy", npy_bytes(dictionary("<f8", "(3,)"), "123")}},
       "data.npy: holds 3 bytes, but its header declares 24"},
      {{{"data.npy", npy_bytes(dictionary("<f8", "(9223372036854775807,)"), "")}}, "does not fit in 64 bits"},
      {{{"data.npy", npy_bytes(dictionary("<f8", "(3,)"), bytes_of<double>({2, 3, 4}), 9)}},
       "version 9 of NumPy's format"},
      {{{"format.npy", format("bsr")},
        {"data.npy", npy_bytes(dictionary("<f8", "(1, 2, 2)"), bytes_of<double>({1, 2, 3, 4}))}},
       "blocks of 2 x 2 do not tile a matrix of 2 x 3"},
      {{{"format.npy", format("dia")},
        {"offsets.npy", i4({1, 1})},
        {"data.npy", npy_bytes(dictionary("<f8", "(2, 1)"), bytes_of<double>({1, 2}))}},
       "offsets.npy: lists the diagonal 1 twice"},
      {{{"format.npy", format("dia")},
        {"offsets.npy", i4({0})},
        {"shape.npy", i8({2000000000, 3})},
        {"data.npy", npy_bytes(dictionary("<f8", "(1, 1)"), bytes_of<double>({1}))}},
       "2000000000 rows are more than"},
  };
  for (const auto& [replacements, phrase] : rows)
    EXPECT_NE(failure_of([&] { parsed(replacements); }).find(phrase), std::string::npos)
        << "expected: " << phrase << "\n     got: " << failure_of([&] { parsed(replacements); });
}

TEST(NpzFile, OtherZipFilesAndDamagedOnesAreRefused) {
  EXPECT_NE(failure_of([] { parse_text(zip_of({{"a.txt", "1"}, {"b.txt", "2"}})); }).find("its members: a.txt, b.txt"),
            std::string::npos);
  const std::string whole = zip_of(small_csr());
  for (std::size_t size = 4; size < whole.size(); size += 7)
    EXPECT_TRUE(failure_of([&] { parse_text(whole.substr(0, size)); }).starts_with("bad_input: input: ")) << size;
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    refused += failure_of([&] { parse_text(damaged); }) != "nothing thrown" ? 1 : 0;
  }
  EXPECT_GT(refused, static_cast<int>(whole.size()) / 2);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices in directories of arrays: written whole and in parts, read back, damaged, lying.
#include <gtest/gtest.h>

#include <lacis/csr_directory.hpp>
#include <lacis/structure.hpp>

#include "io/csr_directory/json_leaves.hpp"
#include "io/files_support.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

csr_matrix<double> small() {
  csr_matrix<double> a;
  a.rows = 2;
  a.cols = 3;
  a.row_offsets = buffer<std::int64_t>(std::span<const std::int64_t>(std::vector<std::int64_t>{0, 1, 3}));
  a.columns = buffer<std::int32_t>(std::span<const std::int32_t>(std::vector<std::int32_t>{1, 0, 2}));
  a.values = values_array<double>(buffer<double>(std::span<const double>(std::vector<double>{2, 3, 4})));
  return a;
}

template <class Value> class CsrDirectory : public ::testing::Test {};
using value_types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CsrDirectory, value_types);

TYPED_TEST(CsrDirectory, ARoundTripKeepsEveryBitOfTheBattery) {
  const scratch directory;
  for (const auto kind : {entries::integers, entries::reals})
    for (const auto& [name, a] : test_matrices<TypeParam>(kind)) {
      write(directory / "a.csr", a);
      EXPECT_EQ(difference(spelled_out(a), read<TypeParam>(directory / "a.csr")), "") << name;
    }
  for (const auto& [name, a] : test_matrices<TypeParam, std::int64_t>()) {
    write(directory / "b.csr", a);
    EXPECT_EQ(difference(spelled_out(a), (read<TypeParam, std::int64_t>(directory / "b.csr"))), "") << name;
  }
  EXPECT_EQ(directory.entries(), 2);
}

TYPED_TEST(CsrDirectory, PartsMakeTheSameFilesAsTheWhole) {
  const scratch directory;
  for (const auto& [name, a] : test_matrices<TypeParam>(entries::reals)) {
    write(directory / "whole.csr", a);
    {
      csr_directory_writer<TypeParam> parts(directory / "parts.csr", a.rows, a.cols);
      for (std::int64_t first = 0; first < a.rows; first += 7)
        parts.append(extract(a, first, std::min(first + 7, a.rows), 0, a.cols));
      EXPECT_EQ(parts.entries(), a.nnz());
      parts.commit();
    }
    for (const char* file : {"row_offsets.npy", "columns.npy", "values.npy", "matrix.json"})
      EXPECT_EQ(content_of(directory / "whole.csr" / file), content_of(directory / "parts.csr" / file)) << name << file;
  }
}

TEST(CsrDirectoryFiles, AreNumPysArraysAndBinsparsesWords) {
  const scratch directory;
  write(directory / "a.csr/", small());
  const std::string columns = content_of(directory / "a.csr" / "columns.npy");
  ASSERT_EQ(columns.size(), 128U + 3 * 4);
  EXPECT_TRUE(columns.starts_with("\x93NUMPY\x01"));
  EXPECT_EQ(columns[127], '\n');
  EXPECT_NE(columns.find("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"), std::string::npos);
  EXPECT_EQ(content_of(directory / "a.csr" / "matrix.json"),
            "{\n"
            "  \"binsparse\": {\n"
            "    \"version\": \"0.1\",\n"
            "    \"format\": \"CSR\",\n"
            "    \"shape\": [2, 3],\n"
            "    \"number_of_stored_values\": 3,\n"
            "    \"data_types\": {\n"
            "      \"pointers_to_1\": \"int64\",\n"
            "      \"indices_1\": \"int32\",\n"
            "      \"values\": \"float64\"\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(CsrDirectoryFiles, AreReadInTheTypesThatFit) {
  const scratch directory;
  write(directory / "a.csr", small());
  read_report report;
  const any_csr a = read_any(directory / "a.csr", {.report = &report});
  EXPECT_TRUE(std::holds_alternative<csr_matrix<double>>(a));
  EXPECT_EQ(report.format, file_format::csr_directory);
  EXPECT_EQ(report.field, "real");
  EXPECT_EQ(report.stored_entries, 3);
  EXPECT_EQ(report.bytes, 3 * 128 + 3 * 8 + 3 * 4 + 3 * 8);
  write(directory / "c.csr", cast_values<std::complex<float>>(small()));
  EXPECT_TRUE(std::holds_alternative<csr_matrix<std::complex<double>>>(read_any(directory / "c.csr")));
}

TEST(CsrDirectoryWriter, LeavesNothingWithoutCommit) {
  const scratch directory;
  write(directory / "a.csr", small());
  const std::string before = content_of(directory / "a.csr" / "values.npy");
  {
    csr_directory_writer<double> unfinished(directory / "a.csr", 2, 3);
    unfinished.append(extract(small(), 0, 1, 0, 3));
    EXPECT_EQ(directory.entries(), 2);
    EXPECT_NE(failure_of([&] { unfinished.commit(); }).find("invalid_argument: only 1 of 2 rows were written"),
              std::string::npos);
  }
  EXPECT_EQ(directory.entries(), 1);
  EXPECT_EQ(content_of(directory / "a.csr" / "values.npy"), before);
}

TEST(CsrDirectoryWriter, RefusesRowsThatDoNotFit) {
  const scratch directory;
  csr_directory_writer<double> output(directory / "a.csr", 3, 3);
  output.append(small());
  EXPECT_EQ(failure_of([&] { output.append(small()); }), "invalid_argument: 4 rows for a matrix that was to have 3");
  EXPECT_EQ(failure_of([&] { output.append(extract(small(), 0, 1, 0, 2)); }),
            "invalid_argument: rows of 2 columns for a matrix with 3");
}

TEST(CsrDirectoryWriter, ReplacesAMatrixAndNothingElse) {
  const scratch directory;
  write(directory / "a.csr", small());
  write(directory / "a.csr", extract(small(), 1, 2, 0, 3));
  EXPECT_EQ(in_words(read<double>(directory / "a.csr")), "1x3 (0,0)=3 (0,2)=4");
  static_cast<void>(directory.file("file.csr", "mine"));
  EXPECT_NE(failure_of([&] { write(directory / "file.csr", small()); }).find("is a file; remove it"),
            std::string::npos);
  std::filesystem::create_directory(directory / "full.csr");
  std::ofstream(directory / "full.csr" / "notes.txt") << "mine";
  EXPECT_NE(failure_of([&] { write(directory / "full.csr", small()); }).find("io: "), std::string::npos);
  EXPECT_NE(failure_of([&] { write(directory / "full.csr", small()); }).find("holds notes.txt"), std::string::npos);
  EXPECT_EQ(content_of(directory / "full.csr" / "notes.txt"), "mine");
  EXPECT_NE(failure_of([&] { write(directory / "a.csr.gz", small()); }).find("neither compressed nor piped"),
            std::string::npos);
  EXPECT_EQ(directory.entries(), 3);
}

TEST(CsrDirectoryWriter, KeepsModesAndLinks) {
  const scratch directory;
  write(directory / "a.csr", small());
  std::filesystem::permissions(directory / "a.csr", std::filesystem::perms(0500));
  std::filesystem::permissions(directory / "a.csr" / "values.npy", std::filesystem::perms(0640));
  std::filesystem::create_symlink("a.csr", directory / "link.csr");
  std::filesystem::create_symlink("new.csr", directory / "dangling.csr");
  write(directory / "link.csr", small());
  write(directory / "dangling.csr", small());
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link.csr"));
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "dangling.csr"));
  EXPECT_TRUE(std::filesystem::is_directory(directory / "new.csr"));
  EXPECT_EQ(std::filesystem::status(directory / "a.csr").permissions(), std::filesystem::perms(0500));
  EXPECT_EQ(std::filesystem::status(directory / "a.csr" / "values.npy").permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(directory.entries(), 4);
  std::filesystem::permissions(directory / "a.csr", std::filesystem::perms(0700));
}

/// A directory of arrays with one file changed.
class DamagedDirectory : public ::testing::Test {
 protected:
  void SetUp() override { write(path_, small()); }

  void replace(const std::string& file, const std::string& from, const std::string& to) {
    std::string content = content_of(path_ / file);
    const std::size_t at = content.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    content.replace(at, from.size(), to);
    std::ofstream(path_ / file, std::ios::binary) << content;
  }
  template <class T> void replace_element(const std::string& file, std::size_t place, T element) {
    std::string content = content_of(path_ / file);
    std::memcpy(content.data() + 128 + place * sizeof(T), &element, sizeof(T));
    std::ofstream(path_ / file, std::ios::binary) << content;
  }
  void cut(const std::string& file, std::uintmax_t bytes) {
    std::filesystem::resize_file(path_ / file, std::filesystem::file_size(path_ / file) - bytes);
  }
  [[nodiscard]] std::string failure() const {
    return failure_of([&] { static_cast<void>(read_any(path_)); });
  }
  void expect(const std::string& words) {
    EXPECT_TRUE(failure().starts_with("bad_input: ")) << failure();
    EXPECT_NE(failure().find(words), std::string::npos) << failure();
  }

  scratch directory_;
  std::filesystem::path path_ = directory_ / "a.csr";
};

TEST_F(DamagedDirectory, CutArraysAreNamed) {
  for (const char* file : {"row_offsets.npy", "columns.npy", "values.npy"}) {
    write(path_, small());
    cut(file, 1);
    expect(std::string("a.csr/") + file + ": holds ");
    cut(file, 100);
    expect(std::string("a.csr/") + file + ": is ");
  }
}

TEST_F(DamagedDirectory, MissingFilesAreNamed) {
  std::filesystem::remove(path_ / "columns.npy");
  EXPECT_NE(failure().find("columns.npy: no such file"), std::string::npos) << failure();
  std::filesystem::remove(path_ / "matrix.json");
  EXPECT_NE(failure().find("a.csr: is a directory without matrix.json; name a file in it"), std::string::npos);
}

TEST_F(DamagedDirectory, ADescriptionThatIsNoneIsRefused) {
  replace("matrix.json", "}\n  }\n}", "}\n  }\n");
  expect("matrix.json: is no JSON");
  write(path_, small());
  replace("matrix.json", "\"CSR\"", "\"COO\"");
  expect("matrix.json: the format is not CSR");
  write(path_, small());
  replace("matrix.json", "number_of_stored", "number_of_lost");
  expect("matrix.json: has no field number_of_stored_values");
  write(path_, small());
  replace("matrix.json", "[2, 3]", "[2.5, 3]");
  expect("matrix.json: shape.0 is no integer");
  write(path_, small());
  replace("matrix.json", "[2, 3]", "[-2, 3]");
  expect("matrix.json: shape.0 is no integer");
}

TEST_F(DamagedDirectory, ADescriptionThatSaysMoreThanIsReadIsRefused) {
  const auto add = [&](const std::string& field) {
    write(path_, small());
    replace("matrix.json", "\"version\": \"0.1\",", "\"version\": \"0.1\", " + field + ',');
  };
  for (const char* structure : {"\"symmetric_lower\"", "\"hermitian_upper\"", "\"nonsense\"", "[1]"}) {
    add(std::string("\"structure\": ") + structure);
    expect("matrix.json: declares a structure");
  }
  for (const char* fill : {"true", "1", "\"x\"", "[0]"}) {
    add(std::string("\"fill\": ") + fill);
    expect("matrix.json: ");
  }
  add("\"fill\": false, \"comment\": \"others may say more\"");
  EXPECT_EQ(failure(), "nothing thrown");
  write(path_, small());
  replace("matrix.json", "\"0.1\"", "\"99\"");
  expect("matrix.json: the version is not 0.1");
  write(path_, small());
  replace("matrix.json", "[2, 3]", "[2, 3, 3]");
  expect("matrix.json: the shape has more than rows and columns");
}

TEST_F(DamagedDirectory, ADescriptionThatLiesAllocatesNothing) {
  replace("matrix.json", "[2, 3]", "[1000000000000000, 3]");
  expect("row_offsets.npy: has 3 elements, but matrix.json asks for 1000000000000001");
  write(path_, small());
  replace("matrix.json", "[2, 3]", "[9223372036854775807, 3]");
  expect("has more rows than offsets can count");
  write(path_, small());
  replace("matrix.json", "values\": 3", "values\": 3000000000000");
  expect("columns.npy: has 3 elements, but matrix.json asks for 3000000000000");
  write(path_, small());
  replace("matrix.json", "int32", "int64");
  expect("columns.npy: holds int32, but matrix.json declares another type");
  write(path_, small());
  replace("matrix.json", "float64", "float32");
  expect("values.npy: holds float64, but matrix.json declares another type");
}

TEST_F(DamagedDirectory, ArraysThatDoNotFitEachOtherAreRefused) {
  replace("matrix.json", "[2, 3]", "[2, 2]");
  expect("columns.npy: element 2, 2, is not between 0 and 1");
  write(path_, small());
  replace_element<std::int64_t>("row_offsets.npy", 1, 4);
  expect("row_offsets.npy: descends from 4 to 3");
  write(path_, small());
  replace_element<std::int64_t>("row_offsets.npy", 2, 4);
  expect("row_offsets.npy: ends with 4, but only 3 entries are stored");
  write(path_, small());
  replace_element<std::int64_t>("row_offsets.npy", 2, 2);
  expect("matrix.json: declares 3 entries, but the rows have 2");
  write(path_, small());
  replace_element<std::int32_t>("columns.npy", 0, -1);
  expect("columns.npy: element 0, -1, is not between 0 and 2");
}

TEST_F(DamagedDirectory, UnsortedRowsBecomeCanonical) {
  replace_element<std::int32_t>("columns.npy", 1, 2);
  replace_element<std::int32_t>("columns.npy", 2, 0);
  EXPECT_EQ(in_words(read<double>(path_)), "2x3 (0,1)=2 (1,0)=4 (1,2)=3");
}

TEST_F(DamagedDirectory, AFileIsNoDirectory) {
  const auto path = directory_.file("file", "1 2\n");
  EXPECT_NE(failure_of([&] {
              static_cast<void>(read<double>(path, {.format = file_format::csr_directory}));
            }).find("bad_input: "),
            std::string::npos);
}

TEST(JsonLeaves, AreFoundByTheirWay) {
  const auto leaves = detail::leaves_of_json(R"( {"a": {"b": [1, "x\"\\\n\u0041\u00e9", []], "a.b": {}}, "c": -2.5e3,
    "d": true, "c": null} )");
  ASSERT_TRUE(leaves);
  EXPECT_EQ(*leaves, (detail::json_leaves{{"a.b.0", "1"}, {"a.b.1", "x\"\\\nA?"}, {"c", "-2.5e3"}, {"d", "true"}}));
}

TEST(JsonLeaves, WhatIsNoJsonHasNone) {
  for (const char* text : {"", "{", "{\"a\"}", "{\"a\": }", "{\"a\": 1,}", "[1 2]", "[1]]", "\"a", "\"\\x\"", "\"\\u12",
                           "inf", "nan", "0x1", "word", "{a: 1}", "[1,"})
    EXPECT_FALSE(detail::leaves_of_json(text)) << text;
  EXPECT_TRUE(detail::leaves_of_json(std::string(16, '[') + std::string(16, ']')));
  EXPECT_FALSE(detail::leaves_of_json(std::string(100000, '[')));
}

}  // namespace
}  // namespace lacis::test

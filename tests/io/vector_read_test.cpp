// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors from text, from matrices of one column, and from pipes.
#include "io/vector_read.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

#include "io/files_support.hpp"

namespace lacis::test {
namespace {

using detail::read_vector;

std::vector<double> real(const detail::any_vector& x) {
  const auto& held = std::get<buffer<double>>(x);
  return {held.begin(), held.end()};
}

TEST(ReadVector, LinesOfOneNumberAreReal) {
  const scratch directory;
  EXPECT_EQ(real(read_vector(directory.file("b", "1\n\n  -2.5 \r\n+3e2"), {})), (std::vector<double>{1, -2.5, 300}));
}

TEST(ReadVector, LinesOfTwoNumbersAreComplex) {
  const scratch directory;
  const auto x = read_vector(directory.file("b", "1 2\n3 -4\n"), {});
  const auto& held = std::get<buffer<std::complex<double>>>(x);
  ASSERT_EQ(held.size(), 2);
  EXPECT_EQ(held[1], std::complex<double>(3, -4));
}

TEST(ReadVector, MatricesOfOneColumnAreVectors) {
  const scratch directory;
  const char* const column = "%%MatrixMarket matrix coordinate real general\n3 1 2\n1 1 5\n3 1 7\n";
  EXPECT_EQ(real(read_vector(directory.file("b.mtx", column), {})), (std::vector<double>{5, 0, 7}));
  const auto wide = directory.file("w.mtx", "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 5\n");
  EXPECT_NE(failure_of([&] { static_cast<void>(read_vector(wide, {})); }).find("this matrix has 2"), std::string::npos);
}

TEST(ReadVector, CommentsAreSkippedAndAloneAreNoElements) {
  const scratch directory;
  EXPECT_EQ(real(read_vector(directory.file("b", "# from NumPy\n1.5\n% half\n2d0\n1e-999\n"), {})),
            (std::vector<double>{1.5, 2, 0}));
  EXPECT_EQ(std::get<buffer<double>>(read_vector(directory.file("b", "# no elements\n"), {})).size(), 0);
}

TEST(ReadVector, IndicesAndValuesAreNoComplexNumbers) {
  const scratch directory;
  const auto failure = [&](const std::string& content) {
    return failure_of([&] { static_cast<void>(read_vector(directory.file("b", content), {})); });
  };
  EXPECT_NE(failure("1 5\n2 6\n").find("b:1: the lines begin with 1, 2, ... as if they held an index and a value"),
            std::string::npos);
  EXPECT_NE(failure("# x\n0 5\n1 6\n2 7\n").find("b:2: the lines begin with 0, 1, ..."), std::string::npos);
  for (const char* complex : {"1 5\n", "1.0 5\n2 6\n", "2 5\n3 6\n", "1 5\n3 6\n", "-0 5\n1 6\n"})
    EXPECT_EQ(failure(complex), "nothing thrown") << complex;
}

TEST(ReadVector, APipeIsReadOnce) {
  const scratch directory;
  const auto path = directory / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << "1\n2\n3\n"; });
  EXPECT_EQ(real(read_vector(path, {})), (std::vector<double>{1, 2, 3}));
  writer.join();
}

TEST(ReadVector, FaultsAreNamedWithTheirLine) {
  const scratch directory;
  const auto failure = [&](const std::string& content) {
    return failure_of([&] { static_cast<void>(read_vector(directory.file("b", content), {})); });
  };
  const std::string b = (directory / "b").string();
  EXPECT_EQ(failure("1\nx\n"), "bad_input: " + b + ":2: 'x' is not a number; a vector has one per line");
  EXPECT_EQ(failure("1\n2 3\n"), "bad_input: " + b + ":2: the line goes on with '3'; the first one has 1 number");
  EXPECT_EQ(failure("1 2\n3\n"), "bad_input: " + b +
                                     ":2: the end of the line is not a number; a vector has two per line, as the "
                                     "first line has");
  EXPECT_TRUE(failure("").starts_with("bad_input: ")) << failure("");
  EXPECT_EQ(failure("1\n1e400\n"), "bad_input: " + b + ":2: the number '1e400' is too large for double precision");
  EXPECT_EQ(failure("1;2;3\n"),
            "bad_input: " + b +
                ":1: '1;2;3' is not a number; a vector is text with one number per line, or a matrix "
                "file of one column");
  EXPECT_NE(failure("1 2 3\n").find(":1: the first line has 3 numbers; a vector is text"), std::string::npos);
  EXPECT_NE(failure("\n%%MatrixMarket matrix array real general\n2 1\n1\n2\n").find("resembles the banner"),
            std::string::npos);
  for (const char* content : {"one\n", "1;2\n", "1 x\n", "1\n2 3\n"})
    EXPECT_EQ(failure(content).find("edge"), std::string::npos) << failure(content);
}

}  // namespace
}  // namespace lacis::test

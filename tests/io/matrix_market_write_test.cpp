// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Matrix Market writer: exact text, and every bit read back.
#include <gtest/gtest.h>
#include <omp.h>
#include <string>

#include "io/matrix_market/matrix_market.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::detail {
namespace {

template <class Matrix> std::string written(const Matrix& matrix, const write_options& options = {}) {
  std::string out;
  write_matrix_market([&](std::string_view part) { out += part; }, matrix.view(), options);
  return out;
}

template <value Value, index Index> csr_matrix<Value, Index> parse(std::string_view text) {
  read_report report;
  return parse_matrix_market<Value, Index>({text, "written.mtx"}, {}, report);
}

/// What a file can say of a matrix: iso only with 1, otherwise one value per entry.
template <value Value, index Index> csr_matrix<Value, Index> as_read(csr_matrix<Value, Index> a) {
  if (a.values.iso && a.values[0] != Value(1)) a.values = values_array<Value>(buffer<Value>(a.nnz(), a.values[0]));
  return a;
}

template <value Value, index Index> csr_matrix<Value, Index> dense(std::vector<std::vector<Value>> rows) {
  auto a = test::from_rows<Value, Index>(static_cast<std::int64_t>(rows.size()),
                                         static_cast<std::int64_t>(rows[0].size()), test::entries::integers,
                                         [&](auto) { return test::consecutive(0, std::ssize(rows[0])); });
  for (std::int64_t k = 0; k < a.nnz(); ++k)
    a.values.data[k] = rows[static_cast<std::size_t>(k) / rows[0].size()][static_cast<std::size_t>(k) % rows[0].size()];
  return a;
}

template <class Pair> class MatrixMarketRoundTrip : public ::testing::Test {};

template <class Value, class Index> struct type_pair {
  using value_type = Value;
  using index_type = Index;
};
using type_pairs =
    ::testing::Types<type_pair<float, std::int32_t>, type_pair<float, std::int64_t>, type_pair<double, std::int32_t>,
                     type_pair<double, std::int64_t>, type_pair<std::complex<float>, std::int32_t>,
                     type_pair<std::complex<float>, std::int64_t>, type_pair<std::complex<double>, std::int32_t>,
                     type_pair<std::complex<double>, std::int64_t>>;
TYPED_TEST_SUITE(MatrixMarketRoundTrip, type_pairs);

TYPED_TEST(MatrixMarketRoundTrip, KeepsEveryBitOfTheBatteryForAnyNumberOfThreads) {
  using Value = typename TypeParam::value_type;
  using Index = typename TypeParam::index_type;
  for (const auto& [name, matrix] : test::test_matrices<Value, Index>(test::entries::reals)) {
    std::string first;
    for (const int threads : {1, 2, 3, 7}) {
      omp_set_num_threads(threads);
      const std::string file = written(matrix);
      if (first.empty()) first = file;
      ASSERT_EQ(file, first) << name << " with " << threads << " threads";
      ASSERT_EQ(test::difference(parse<Value, Index>(file), as_read(matrix)), "") << name;
    }
  }
}

TYPED_TEST(MatrixMarketRoundTrip, KeepsEveryBitOfAMatrixOfManyChunks) {
  using Value = typename TypeParam::value_type;
  using Index = typename TypeParam::index_type;
  auto a = test::from_rows<Value, Index>(3000, 3000, test::entries::reals,
                                         [](auto i) { return test::random_columns(i, 30 + i % 7, 3000, 21); });
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    ASSERT_EQ(test::difference(parse<Value, Index>(written(a)), a), "");
  }
}

TEST(MatrixMarketWriter, WritesShortestNumbersAndTheComment) {
  const auto a = dense<double, std::int32_t>({{0.1, -0.0}, {1e300, 3}});
  write_options options;
  options.comment = "first line\nsecond";
  EXPECT_EQ(written(a, options),
            "%%MatrixMarket matrix coordinate real general\n% first line\n% second\n2 2 4\n"
            "1 1 0.1\n1 2 -0\n2 1 1e+300\n2 2 3\n");
}

TEST(MatrixMarketWriter, WritesPatternsForOnesOnly) {
  auto a = test::from_rows<double, std::int32_t>(2, 3, test::entries::integers,
                                                 [](auto i) { return std::vector<std::int64_t>{i, 2}; });
  a.values = values_array<double>::same(1);
  EXPECT_EQ(written(a), "%%MatrixMarket matrix coordinate pattern general\n2 3 4\n1 1\n1 3\n2 2\n2 3\n");
  a.values = values_array<double>::same(2.5);
  EXPECT_EQ(written(a), "%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 2.5\n1 3 2.5\n2 2 2.5\n2 3 2.5\n");
}

TEST(MatrixMarketWriter, WritesTheLowerTriangleOfEverySymmetry) {
  using complex = std::complex<double>;
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 3\n";
  const auto s = dense<double, std::int32_t>({{1, 2}, {2, 3}});
  EXPECT_EQ(written(s), symmetric);
  EXPECT_EQ(test::difference(parse<double, std::int32_t>(symmetric), s), "");

  write_options whole;
  whole.detect_symmetry = false;
  EXPECT_EQ(written(s, whole), "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 3\n");

  auto k = test::from_rows<double, std::int32_t>(2, 2, test::entries::integers,
                                                 [](auto i) { return std::vector<std::int64_t>{1 - i}; });
  k.values.data[0] = -5;
  k.values.data[1] = 5;
  EXPECT_EQ(written(k), "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n");
  EXPECT_EQ(test::difference(parse<double, std::int32_t>(written(k)), k), "");

  const auto h = dense<complex, std::int32_t>({{{1, 0}, {2, -3}}, {{2, 3}, {4, 0}}});
  EXPECT_EQ(written(h), "%%MatrixMarket matrix coordinate complex hermitian\n2 2 3\n1 1 1 0\n2 1 2 3\n2 2 4 0\n");
  EXPECT_EQ(test::difference(parse<complex, std::int32_t>(written(h)), h), "");
}

TEST(MatrixMarketWriter, WritesBothTrianglesWhenABitWouldBeLost) {
  const std::vector<csr_matrix<double, std::int32_t>> matrices = {
      dense<double, std::int32_t>({{1, 0.0}, {-0.0, 1}}),  // equal, but not in the sign of zero
      dense<double, std::int32_t>({{0, -5}, {5, 0}}),      // skew, but with a stored diagonal
      dense<double, std::int32_t>({{1, 2}, {3, 1}}),
  };
  for (const auto& a : matrices) {
    const std::string file = written(a);
    EXPECT_TRUE(file.starts_with("%%MatrixMarket matrix coordinate real general\n2 2 4\n")) << file;
    EXPECT_EQ(test::difference(parse<double, std::int32_t>(file), a), "");
  }
  // An entry above the diagonal, or below it, without an opposite.
  for (const bool upper : {false, true}) {
    auto a = test::from_rows<double, std::int32_t>(3, 3, test::entries::integers, [&](auto i) {
      return i == (upper ? 0 : 2) ? std::vector<std::int64_t>{0, 2} : std::vector<std::int64_t>{};
    });
    EXPECT_NE(written(a).find("general"), std::string::npos);
    EXPECT_EQ(test::difference(parse<double, std::int32_t>(written(a)), a), "");
  }
  const auto imaginary = dense<std::complex<double>, std::int32_t>({{{1, 1}, {2, -3}}, {{2, 3}, {4, 0}}});
  EXPECT_NE(written(imaginary).find("complex general"), std::string::npos);
}

TEST(MatrixMarketWriter, WritesRowsThatAreNotCanonicalAsTheyStand) {
  const auto a = test::from_rows<double, std::int32_t>(2, 2, test::entries::integers, [](auto i) {
    return i == 0 ? std::vector<std::int64_t>{1, 0, 1} : std::vector<std::int64_t>{};
  });
  EXPECT_EQ(written(a), text("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 ", a.values[0], "\n1 1 ",
                             a.values[1], "\n1 2 ", a.values[2], "\n"));
}

TEST(MatrixMarketWriter, TellsItsProgress) {
  const auto a = test::from_rows<double, std::int32_t>(40000, 40000, test::entries::integers,
                                                       [](auto i) { return std::vector<std::int64_t>{i}; });
  double share = 0;
  write_options options;
  options.progress = [&](std::string_view, double s) { share = s; };
  (void)written(a, options);
  EXPECT_EQ(share, 1);
}

}  // namespace
}  // namespace lacis::detail

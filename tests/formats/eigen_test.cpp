// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices of Eigen as matrices of lacis and back: the same arrays, the same products.
#include <Eigen/SparseCore>
#include <gtest/gtest.h>
#include <vector>

#include <lacis/convert.hpp>
#include <lacis/eigen.hpp>
#include <lacis/generate.hpp>
#include <lacis/multiply.hpp>

#include "support/errors.hpp"

namespace lacis::test {
namespace {

template <class Sparse> class EigenMatrices : public testing::Test {};
using types = testing::Types<Eigen::SparseMatrix<double, Eigen::RowMajor>, Eigen::SparseMatrix<double>,
                             Eigen::SparseMatrix<float, Eigen::RowMajor, long>,
                             Eigen::SparseMatrix<std::complex<double>, Eigen::ColMajor, long>>;
TYPED_TEST_SUITE(EigenMatrices, types);

/// Small integers: products are exact in every order.
template <class Sparse> Sparse small() {
  Sparse a(7, 5);
  for (int i = 0; i < 7; ++i)
    for (int j = i % 3; j < 5; j += 2) a.insert(i, j) = typename Sparse::Scalar(static_cast<float>(i - 2 * j));
  a.makeCompressed();
  return a;
}

TYPED_TEST(EigenMatrices, AreSeenWithoutACopy) {
  using T = typename TypeParam::Scalar;
  const TypeParam a = small<TypeParam>();
  const auto view = view_of(a);
  EXPECT_EQ(view.rows, 7);
  EXPECT_EQ(view.cols, 5);
  EXPECT_EQ(view.values.data.data(), a.valuePtr());
  Eigen::Matrix<T, Eigen::Dynamic, 1> x(5);
  for (int j = 0; j < 5; ++j) x[j] = T(static_cast<float>(j + 1));
  Eigen::Matrix<T, Eigen::Dynamic, 1> y(7);
  multiply(view, x, y);
  EXPECT_EQ(y, a * x);
  const Eigen::Map<const TypeParam> map(a.rows(), a.cols(), a.nonZeros(), a.outerIndexPtr(), a.innerIndexPtr(),
                                        a.valuePtr());
  EXPECT_EQ(view_of(map).values.data.data(), a.valuePtr());
  using dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const dense both = x * Eigen::Matrix<T, 1, 3>::Ones();
  dense results = dense::Zero(9, 3);
  auto part = results.middleRows(1, 7);
  multiply(view, view_of(both), writable_view_of(part));
  const dense expected = a * both;
  EXPECT_EQ(dense(part), expected);
  EXPECT_EQ(results.row(0).sum() + results.row(8).sum(), T(0));
}

TYPED_TEST(EigenMatrices, ThatAreNotCompressedAreRefused) {
  TypeParam a = small<TypeParam>();
  a.uncompress();
  EXPECT_EQ(code_of([&] { static_cast<void>(view_of(a)); }), errc::invalid_argument);
}

TEST(EigenMatrices, AreMadeFromThoseOfLacis) {
  const auto a = generate<double>("@poisson2d:6");
  const eigen_matrix seen(a);
  EXPECT_EQ(seen.map().valuePtr(), a.values.data.data());
  EXPECT_EQ(seen.map().innerIndexPtr(), a.columns.data());
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(36, 1, 36);
  Eigen::VectorXd y(36);
  multiply(a, x, y);
  EXPECT_EQ(y, seen.map() * x);
  const auto wide = generate<double, std::int64_t>("@poisson2d:6");
  const eigen_matrix seen_wide(wide);
  EXPECT_EQ(seen_wide.map().nonZeros(), a.nnz());
  const auto pattern = generate<double>("@rmat:5");
  ASSERT_TRUE(pattern.values.iso);
  EXPECT_EQ(code_of([&] { eigen_matrix{pattern}; }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::test

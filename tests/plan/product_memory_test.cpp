// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Repeated transposed products: the bits of products without memory, whatever happens to the arrays between them.
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <thread>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/multiply.hpp>
#include <lacis/product_memory.hpp>
#include <lacis/structure.hpp>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

template <class T> std::vector<T> transposed_product(const csr_matrix<T>& a, const std::vector<T>& x) {
  std::vector<T> y(static_cast<std::size_t>(a.cols));
  multiply(transpose(a), x, y);
  return y;
}

template <class T> class ProductMemory : public testing::Test {};
using values = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ProductMemory, values);

TYPED_TEST(ProductMemory, ProductsHaveTheBitsOfTheExplicitTranspose) {
  for (const char* spec : {"@poisson2d:40", "@rmat:10", "@uniform:700,60", "@powerlaw:2000,12,1500"}) {
    const auto a = generate<TypeParam>(spec, {.values = generated_values::random});
    const auto x = full_numbers<TypeParam>(a.rows, 3);
    const auto expected = transposed_product(a, x);
    for (const int threads : {1, 3}) {
      product_memory memory;
      for (int k = 0; k < 4; ++k) {
        std::vector<TypeParam> y(expected.size());
        multiply(transposed(a), x, y, memory, {.threads = threads});
        EXPECT_TRUE(same_bits<TypeParam>(y, expected)) << spec << ", product " << k;
        EXPECT_EQ(memory.storage_bytes() > 0, k > 0) << "the second product makes the plan";
      }
      memory.clear();
      EXPECT_EQ(memory.storage_bytes(), 0);
    }
  }
}

TYPED_TEST(ProductMemory, ColumnsAndFactorsAreThoseOfProductsWithoutIt) {
  const auto a = generate<TypeParam>("@rmat:9", {.values = generated_values::random});
  const auto x = full_numbers<TypeParam>(a.rows * 5, 3);
  const auto y_before = full_numbers<TypeParam>(a.cols * 5, 4);
  const dense_view<const TypeParam> x_view{x.data(), a.rows, 5, 5, 1};
  auto expected = y_before;
  multiply(TypeParam(2), transposed(a), x_view, TypeParam(-1), dense_view<TypeParam>{expected.data(), a.cols, 5, 5, 1});
  product_memory memory;
  for (int k = 0; k < 3; ++k) {
    auto y = y_before;
    multiply(TypeParam(2), transposed(a), x_view, TypeParam(-1), dense_view<TypeParam>{y.data(), a.cols, 5, 5, 1},
             memory);
    EXPECT_TRUE(same_bits<TypeParam>(y, expected)) << "product " << k;
  }
}

TEST(ProductMemory, EveryChangeOfTheArraysIsSeen) {
  auto a = generate<double>("@uniform:400,40", {.values = generated_values::random});
  const auto x = full_numbers<double>(a.rows, 3);
  product_memory memory;
  const auto expect_current = [&](const char* what) {
    for (int k = 0; k < 3; ++k) {
      std::vector<double> y(static_cast<std::size_t>(a.cols));
      multiply(transposed(a), x, y, memory);
      EXPECT_TRUE(same_bits<double>(y, transposed_product(a, x))) << what << ", product " << k;
    }
  };
  expect_current("as made");
  a.values.data[a.nnz() - 1] += 1;
  expect_current("the last value");
  std::swap(a.values.data[0], a.values.data[8]);
  expect_current("two values exchanged");
  ASSERT_LT(a.columns[a.nnz() - 1], 399);
  ++a.columns[a.nnz() - 1];
  expect_current("one column");
  --a.row_offsets[7];  // an entry goes to the next row
  a = canonical(a, duplicates::sum);
  expect_current("one offset");
}

TEST(ProductMemory, WithoutRoomThereIsNoPlan) {
  const auto a = generate<double>("@rmat:10");
  const auto x = full_numbers<double>(a.rows, 3);
  product_memory memory(1000);
  std::vector<double> y(static_cast<std::size_t>(a.cols));
  for (int k = 0; k < 3; ++k) multiply(transposed(a), x, y, memory);
  EXPECT_TRUE(same_bits<double>(y, transposed_product(a, x)));
  EXPECT_EQ(memory.storage_bytes(), 0);
}

TEST(ProductMemory, MatricesThatAProductRefusesAreRefusedEachTime) {
  auto a = generate<double>("@uniform:300,9");
  const auto x = full_numbers<double>(a.rows, 3);
  std::vector<double> y(static_cast<std::size_t>(a.cols));
  std::swap(a.columns[0], a.columns[1]);
  product_memory memory;
  for (int k = 0; k < 3; ++k) expect_error(errc::invalid_matrix, "", [&] { multiply(transposed(a), x, y, memory); });
  a.columns[1] = 1000000;
  for (int k = 0; k < 3; ++k) expect_error(errc::invalid_matrix, "", [&] { multiply(transposed(a), x, y, memory); });
}

TEST(ProductMemory, ThreadsMayShareOne) {
  const auto a = generate<double>("@rmat:10", {.values = generated_values::random});
  const auto b = generate<double>("@rmat:9", {.values = generated_values::random});
  product_memory memory;
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const auto& mine = t == 3 ? b : a;  // who else uses it does not matter
      const auto x = full_numbers<double>(mine.rows, static_cast<unsigned>(t));
      const auto expected = transposed_product(mine, x);
      for (int k = 0; k < 20; ++k) {
        std::vector<double> y(expected.size());
        multiply(transposed(mine), x, y, memory, {.threads = 1});
        wrong[static_cast<std::size_t>(t)] += same_bits<double>(y, expected) ? 0 : 1;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `bsr`.
#include <algorithm>
#include <complex>
#include <gtest/gtest.h>
#include <limits>
#include <variant>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/isa.hpp>
#include <lacis/plan.hpp>

#include "plan/layout.hpp"
#include "plan/layouts/bsr/layout.hpp"
#include "summation/hash.hpp"
#include "summation/spmv.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

/// The Kronecker product of a matrix with a dense block: a mesh with several unknowns per node.
template <class Value> csr_matrix<Value> with_blocks(const csr_matrix<double>& mesh, std::int64_t block) {
  return from_rows<Value, std::int32_t>(mesh.rows * block, mesh.cols * block, entries::reals, [&](std::int64_t i) {
    std::vector<std::int64_t> columns;
    for (std::int64_t k = mesh.row_offsets[i / block]; k < mesh.row_offsets[i / block + 1]; ++k)
      for (std::int64_t j = 0; j < block; ++j) columns.push_back(mesh.columns[k] * block + j);
    return columns;
  });
}

template <class Value> const auto& layout_of(const plan<Value>& p) {
  return std::get<detail::bsr_layout<Value, std::int32_t>>(p.internals()->plain.arrays);
}

template <class Value> std::uint64_t bits_of(const std::vector<Value>& y) {
  return summation::solution_hash(std::span<const Value>(y));
}
template <class Value> std::vector<Value> product(const csr_matrix<Value>& a, const std::vector<Value>& x) {
  std::vector<Value> y(static_cast<std::size_t>(a.rows));
  summation::spmv<Value, std::int32_t, Value>(Value(1), a.view(), x, Value(0), y);
  return y;
}

/// Rows that are no blocks: one of each block is missing here and there, one entry is elsewhere, one row is long.
csr_matrix<double> with_gaps() {
  const auto whole = with_blocks<double>(generate<double>("@poisson2d:12"), 3);
  return from_rows<double, std::int32_t>(whole.rows + 2, whole.cols, entries::reals, [&](std::int64_t i) {
    if (i >= whole.rows) return random_columns(i, 4, whole.cols, 3);
    if (i == 100) return consecutive(0, whole.cols);
    std::vector<std::int64_t> columns(whole.columns.begin() + whole.row_offsets[i],
                                      whole.columns.begin() + whole.row_offsets[i + 1]);
    if (i % 17 == 3) columns.erase(columns.begin() + 1);
    return columns;
  });
}

template <class Value> class LayoutBsr : public testing::Test {};
using value_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LayoutBsr, value_types);

TYPED_TEST(LayoutBsr, GivesTheBitsOfTheDefinitionForEveryBlockAndLength) {
  for (const char* mesh : {"@poisson2d:12", "@mesh3d:6", "@rmat:6"})
    for (std::int64_t block = 1; block <= 5; ++block) {
      const auto a = with_blocks<TypeParam>(generate<double>(mesh), block);
      const auto x = full_numbers<TypeParam>(a.cols);
      const auto wanted = bits_of(product(a, x));
      for (const isa set : supported_isas()) {
        const auto p = multiply_inspect(a, {.threads = 2, .isa = set, .layout = plan_layout::bsr});
        EXPECT_EQ(p.nnz(), a.nnz());
        std::vector<TypeParam> y(static_cast<std::size_t>(a.rows));
        multiply(p, x, y);
        EXPECT_EQ(bits_of(y), wanted) << mesh << ", " << p.layout() << ", " << name_of(set);
      }
    }
}

TEST(LayoutBsrBlocks, AreFoundExactly) {
  for (std::int64_t block = 2; block <= 4; ++block) {
    const auto a = with_blocks<double>(generate<double>("@mesh3d:8"), block);
    const auto p = multiply_inspect(a, {.layout = plan_layout::bsr});
    EXPECT_EQ(p.layout(), "bsr-" + std::to_string(block));
    EXPECT_EQ(layout_of(p).entries_in_blocks, a.nnz());
  }
}

TEST(LayoutBsrBlocks, LeaveOtherRowsToSell) {
  const auto a = with_gaps();
  auto p = multiply_inspect(a, {.layout = plan_layout::bsr});
  EXPECT_GT(layout_of(p).entries_in_blocks, a.nnz() / 3);
  EXPECT_GT(layout_of(p).others.entries(), a.nnz() / 10);
  EXPECT_EQ(p.nnz(), a.nnz());
  auto x = full_numbers<double>(a.cols);
  for (std::size_t i = 0; i < x.size(); i += 111) x[i] = std::numeric_limits<double>::infinity();
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  multiply(p, x, y);
  EXPECT_EQ(bits_of(y), bits_of(product(a, x))) << "nothing leaks from padding";
}

TEST(LayoutBsrBlocks, AreChosenWhereTheyMoveFewerBytes) {
  const auto a = with_blocks<double>(generate<double>("@mesh3d:40,shuffled"), 3);
  const auto p = multiply_inspect(a, {.threads = 2});
  EXPECT_EQ(p.layout(), "bsr-3") << p.explain();
  EXPECT_NE(p.explain().find("full blocks of 3 x 3"), std::string::npos) << p.explain();
  const auto csr = multiply_inspect(a, {.threads = 2, .layout = plan_layout::csr});
  EXPECT_LT(p.moved_bytes(), csr.moved_bytes() * 4 / 5);
  const auto plain_mesh = multiply_inspect(generate<double>("@mesh3d:20,shuffled"));
  for (const plan_candidate& c : plain_mesh.report().candidates)
    EXPECT_NE(c.layout.substr(0, 3), "bsr") << "one unknown per node has no blocks";
}

}  // namespace
}  // namespace lacis::test

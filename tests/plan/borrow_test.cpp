// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Plans that refer to the caller's arrays instead of copying them.
#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

#include <lacis/convert.hpp>
#include <lacis/generate.hpp>
#include <lacis/plan.hpp>

#include "plan/borrow_rows.hpp"
#include "summation/spmv.hpp"

namespace lacis::test {
namespace {

csr_matrix<double> sample() { return generate<double>("@rmat:9", {.values = generated_values::random}); }

std::vector<double> ones(std::int64_t size) { return std::vector<double>(static_cast<std::size_t>(size), 1.0); }

std::vector<double> defined(const csr_matrix<double>& a) {
  std::vector<double> y = ones(a.rows);
  summation::spmv<double, std::int32_t, double>(1, a.view(), ones(a.cols), 0, y);
  return y;
}

std::vector<double> product(const plan<double>& p) {
  std::vector<double> y = ones(p.rows());
  multiply(p, ones(p.cols()), y);
  return y;
}

const plan_options borrowing{.layout = plan_layout::csr, .borrow = true};

TEST(Borrow, KeepsOffsetsAlone) {
  const auto a = sample();
  const auto p = multiply_inspect(a, borrowing);
  EXPECT_EQ(p.storage_bytes(), 8 * (a.rows + 1));
  EXPECT_EQ(p.moved_bytes(), multiply_inspect(a, {.layout = plan_layout::csr}).moved_bytes());
  EXPECT_NE(p.explain().find("caller's arrays"), std::string::npos) << p.explain();
  EXPECT_EQ(product(p), defined(a));
}

TEST(Borrow, ReadsTheCallersValues) {
  auto a = sample();
  const auto p = multiply_inspect(a, borrowing);
  a.values.data[0] += 1;  // what the caller promises not to do shows whose values they are
  EXPECT_EQ(product(p), defined(a));
}

TEST(Borrow, NewValuesAreThePlansOwn) {
  const auto a = sample();
  auto p = multiply_inspect(a, borrowing);
  auto other = a;
  for (double& v : other.values.data) v = 2 * v;
  update_values(p, std::span<const double>(other.values.data));
  EXPECT_EQ(product(p), defined(other));
  EXPECT_EQ(p.storage_bytes(), multiply_inspect(a, {.layout = plan_layout::csr}).storage_bytes());
}

TEST(Borrow, NarrowOffsetsMayGo) {
  const auto a = sample();
  std::optional<std::vector<std::int32_t>> narrow(std::in_place, a.row_offsets.begin(), a.row_offsets.end());
  const csr_view<double, std::int32_t, std::int32_t> view(a.rows, a.cols, *narrow, a.view().columns, a.view().values);
  const auto p = multiply_inspect(view, borrowing);
  std::fill(narrow->begin(), narrow->end(), 0);
  EXPECT_EQ(product(p), defined(a));
}

TEST(Borrow, CopiesWhatIsNotTheCallersAsItStands) {
  const auto a = sample();
  const std::int64_t own = multiply_inspect(a, {.layout = plan_layout::csr}).storage_bytes();
  const auto by_entries = multiply_inspect(convert<coo_matrix<double>>(a), borrowing);
  EXPECT_EQ(product(by_entries), defined(a)) << "the converted rows are gone";
  EXPECT_EQ(by_entries.storage_bytes(), own);
  auto reversed = a;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    std::reverse(&reversed.columns[a.row_offsets[i]], &reversed.columns[0] + a.row_offsets[i + 1]);
    std::reverse(&reversed.values.data[a.row_offsets[i]], &reversed.values.data[0] + a.row_offsets[i + 1]);
  }
  const auto sorted = multiply_inspect(reversed, borrowing);
  EXPECT_EQ(product(sorted), defined(a));
  EXPECT_GT(sorted.storage_bytes(), own) << "sorted rows and the pattern as it was given";
}

TEST(Borrow, LetsAnotherLayoutWin) {
  const auto a = generate<double>("@poisson3d:40");
  const auto p = multiply_inspect(a, {.borrow = true});
  EXPECT_NE(p.layout(), "csr");
  EXPECT_GT(p.storage_bytes(), 0);
}

TEST(Borrow, RowsWithoutInspectionGiveTheSameProduct) {
  auto a = sample();
  const auto p = detail::borrow_rows(a.view(), {});
  EXPECT_EQ(p.layout(), "csr");
  EXPECT_EQ(p.storage_bytes(), 8 * (a.rows + 1));
  EXPECT_EQ(product(p), defined(a));
  a.values.data[0] += 1;
  EXPECT_EQ(product(p), defined(a));
}

}  // namespace
}  // namespace lacis::test

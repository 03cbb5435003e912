// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `sell`, and what other layouts leave to it.
#include <gtest/gtest.h>
#include <variant>
#include <vector>

#include <lacis/isa.hpp>
#include <lacis/plan.hpp>

#include "base/parallel.hpp"
#include "cpu/spmv/kernels.hpp"
#include "plan/layout.hpp"
#include "plan/layouts/sell/layout.hpp"
#include "summation/spmv.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

/// Three diagonals in two thirds of the rows; the others have 5 or 50 entries, and the last one as many as `longest`.
csr_matrix<double> rows_of_every_kind(std::int64_t longest) {
  constexpr std::int64_t n = 9600;
  return from_rows<double, std::int32_t>(n, n, entries::reals, [&](std::int64_t i) {
    if (i == n - 1) return consecutive(7, 7 + longest);
    if (i / 160 % 3 == 2) return random_columns(i, i % 8 == 3 ? 50 : 5, n, 3);
    std::vector<std::int64_t> columns;
    for (const std::int64_t d : {-30, 0, 1})
      if (i + d >= 0) columns.push_back(i + d);
    return columns;
  });
}

const detail::sell_layout<double, std::int32_t>& sell_of(const plan<double>& p) {
  return std::get<detail::sell_layout<double, std::int32_t>>(p.internals()->plain.arrays);
}

std::int64_t regions_of_product(const plan<double>& p) {
  const std::vector<double> x(static_cast<std::size_t>(p.cols()), 1.0);
  std::vector<double> y(static_cast<std::size_t>(p.rows()));
  const std::int64_t before = detail::regions_started();
  multiply(p, x, y);
  return detail::regions_started() - before;
}

TEST(LayoutSell, SharesOutRowsUnlessOneHasToBeCut) {
  const auto few = multiply_inspect(rows_of_every_kind(2000), {.threads = 3, .layout = plan_layout::sell});
  EXPECT_GT(sell_of(few).long_rows.size(), 100);
  EXPECT_TRUE(detail::has_shares(sell_of(few), 7));
  const auto many = multiply_inspect(rows_of_every_kind(9500), {.threads = 3, .layout = plan_layout::sell});
  EXPECT_TRUE(detail::has_shares(sell_of(many), 1));
  EXPECT_FALSE(detail::has_shares(sell_of(many), 7));
  const auto ranges =
      multiply_inspect(rows_of_every_kind(50), {.threads = 3, .layout = plan_layout::sell, .column_blocks = 3});
  EXPECT_FALSE(detail::has_shares(sell_of(ranges), 3));
}

TEST(LayoutSell, WakesThreadsOnceForShortAndLongRows) {
  const auto a = rows_of_every_kind(2000);
  for (const plan_layout layout : {plan_layout::sell, plan_layout::stencil, plan_layout::bsr})
    EXPECT_EQ(regions_of_product(multiply_inspect(a, {.threads = 3, .layout = layout})), 1) << name_of(layout);
}

TEST(LayoutSell, HasTheSameBitsWhetherElementsAreGatheredOrLoadedOneByOne) {
  const auto a = rows_of_every_kind(20);
  const auto p = multiply_inspect(a, {.layout = plan_layout::sell});
  std::vector<double> x(static_cast<std::size_t>(a.cols));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = 1 / (1.0 + static_cast<double>(k * k % 4099));
  for (const isa set : supported_isas())
    for (const auto& block : sell_of(p).blocks) {
      std::vector<double> sums[2];
      for (const bool each : {false, true}) {
        auto slices = block.view();
        slices.loads_each = each;
        sums[each ? 1 : 0].assign(static_cast<std::size_t>(a.rows), -1.0);
        cpu::kernels_for<double, std::int32_t, double>(set).packed_rows(slices, x.data() + block.first_column, 0,
                                                                        slices.count, false, cpu::scaling<double>(1, 0),
                                                                        sums[each ? 1 : 0].data());
      }
      EXPECT_EQ(sums[0], sums[1]) << name_of(set);
    }
}

TEST(LayoutSell, HasTheSameBitsWhetherRowsAreSharedOutOrCut) {
  for (const std::int64_t longest : {50, 2000, 9500}) {
    const auto a = rows_of_every_kind(longest);
    const auto x = full_numbers<double>(a.cols);
    const auto old = full_numbers<double>(a.rows);
    auto wanted = old;
    summation::spmv<double, std::int32_t, double>(0.3, a.view(), x, -1.7, wanted);
    for (const plan_layout layout : {plan_layout::sell, plan_layout::stencil, plan_layout::bsr})
      for (const int threads : {1, 2, 3, 7}) {
        auto y = old;
        workspace memory;
        multiply(0.3, multiply_inspect(a, {.threads = threads, .layout = layout}), x, -1.7, y, memory);
        EXPECT_EQ(y, wanted) << name_of(layout) << ' ' << longest << ' ' << threads;
      }
  }
}

}  // namespace
}  // namespace lacis::test

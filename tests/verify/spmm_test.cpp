// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification of products with dense columns: this build passes, the digest depends on nothing but results, and
// products that are wrong in one place are caught.
#include <functional>
#include <gtest/gtest.h>
#include <set>

#include "verify/spmm_sweep-inl.hpp"
#include "verify/verify.hpp"

namespace lacis::verification {
namespace {

verify_report swept(std::vector<isa> sets, std::vector<int> threads) {
  return verify_spmm({.isas = std::move(sets), .threads = std::move(threads)});
}

TEST(VerifySpmm, FindsNoDifferenceAndOneDigestWhateverTheInstructionsAndThreads) {
  const verify_report report = swept({supported_isas().back()}, {3});
  for (const std::string& fault : report.faults) ADD_FAILURE() << fault;
  EXPECT_TRUE(report.good());
  EXPECT_EQ(report.refusals, 440);  // 4 types, 5 matrices in disorder, 11 forms of each, few columns and many
  std::set<std::string> rows;
  for (const verify_count& count : report.table) {
    EXPECT_GT(count.compared, 0) << count.what;
    EXPECT_EQ(count.isa, supported_isas().back());
    rows.insert(count.what);
  }
  std::set<std::string> expected{"bsr", "coo", "csc", "csr", "dia", "ell", "hyb", "jds", "sell"};
  for (const plan_layout layout : plan_layouts) expected.emplace(plan_row(layout));
  EXPECT_EQ(rows, expected);
#ifndef LACIS_SANITIZED  // one sweep takes minutes then; that of scalar kernels takes a minute always, .ci/full has it
  if (supported_isas().size() < 3) return;
  const verify_report other = swept({isa::avx2}, {1});
  EXPECT_TRUE(other.good());
  EXPECT_EQ(other.digest, report.digest);
#endif
}

using matrix = csr_matrix<double, std::int32_t>;
using work = std::function<void(double, const dense_view<const double>&, double, const dense_view<double>&)>;

matrix short_rows() {
  return from_rows<double, std::int32_t>(40, 40, entries::reals,
                                         [](std::int64_t i) { return random_columns(i, 6, 40, 83); });
}

/// What trials say of every number of columns and arrangement when a product is computed like this.
verify_report report_of(const work& compute) {
  const matrix a = short_rows();
  const column_products<double, std::int32_t, double> products(a.view(), 65, all_column_scalars<double>().size());
  const isa sets[] = {isa::scalar};
  const int threads[] = {1};
  ledger book;
  const sweep_options options{true, sets, threads, [] {}};
  trials<double, double> run(options, book, "double", "40x40, 6 a row", 1);
  const subject<double, double> s{
      "csr",
      "csr",
      "csr",
      &compute,
      nullptr,
      [](const void* how, double alpha, const dense_view<const double>& x, double beta, const dense_view<double>& y,
         const multiply_options&, workspace&) { (*static_cast<const work*>(how))(alpha, x, beta, y); }};
  for (const std::int64_t cols : column_counts)
    for (const auto& [x_how, y_how] : arrangements)
      for (std::size_t scalars = 0; scalars < products.scalars(); ++scalars)
        run.run(s, products.make(cols, x_how, y_how, scalars), 0, 0, false);
  return book.report();
}

constexpr std::int64_t products_in_all = 15 * 6 * 5;

void expect_all_caught(const work& compute, const std::string& words) {
  const verify_report report = report_of(compute);
  EXPECT_EQ(report.products, products_in_all);
  EXPECT_EQ(report.differing, products_in_all);
  ASSERT_FALSE(report.faults.empty());
  EXPECT_NE(report.faults.front().find(words), std::string::npos) << report.faults.front();
}

/// The product, and then one thing wrong with it.
work broken(const std::function<void(const dense_view<double>&)>& spoil) {
  return [spoil](double alpha, const dense_view<const double>& x, double beta, const dense_view<double>& y) {
    multiply(alpha, short_rows(), x, beta, y);
    spoil(y);
  };
}

TEST(VerifySpmm, TakesTheProductItself) {
  const verify_report report = report_of(broken([](const dense_view<double>&) {}));
  for (const std::string& fault : report.faults) ADD_FAILURE() << fault;
  EXPECT_EQ(report.products, products_in_all);
}

TEST(VerifySpmm, CatchesOneWrongBitInTheLastColumn) {
  expect_all_caught(broken([](const dense_view<double>& y) {
                      double& one = y(39, y.cols - 1);
                      one = std::nextafter(one, 1e9);
                    }),
                    "the order gives");
}

TEST(VerifySpmm, CatchesAWriteBehindTheEndOfARowOrColumn) {
  const auto spoil = [](const dense_view<double>& y) {
    const bool by_rows = y.col_stride == 1;
    if ((by_rows ? y.row_stride > y.cols : y.col_stride > y.rows)) y.data[by_rows ? y.cols : y.rows] = 0;
  };
  const verify_report report = report_of(broken(spoil));
  EXPECT_EQ(report.differing, products_in_all * 4 / 6);  // two of the six arrangements of Y have no gaps
}

TEST(VerifySpmm, CatchesAReadOfYWhereBetaIsZero) {
  const verify_report report =
      report_of([](double alpha, const dense_view<const double>& x, double beta, const dense_view<double>& y) {
        std::vector<double> before(65 * 43 + 40 * 68);
        const dense_view<double> kept{before.data(), y.rows, y.cols, y.cols, 1};
        for (std::int64_t i = 0; i < y.rows; ++i)
          for (std::int64_t c = 0; c < y.cols; ++c) kept(i, c) = y(i, c);
        multiply(alpha, short_rows(), x, beta, y);
        for (std::int64_t i = 0; i < y.rows; ++i)
          for (std::int64_t c = 0; c < y.cols; ++c) y(i, c) += 0.0 * kept(i, c);
      });
  EXPECT_EQ(report.differing, products_in_all * 2 / 5);  // two of the five pairs of scalars have beta = 0
}

TEST(VerifySpmm, CatchesSumsInAnotherOrder) {
  const verify_report report =
      report_of([](double alpha, const dense_view<const double>& x, double beta, const dense_view<double>& y) {
        if (alpha == 0) return multiply(alpha, short_rows(), x, beta, y);
        const matrix a = short_rows();
        for (std::int64_t c = 0; c < y.cols; ++c)
          for (std::int64_t i = 0; i < y.rows; ++i) {
            double sum = 0;
            for (std::int64_t k = a.row_offsets[i + 1]; k-- > a.row_offsets[i];)
              sum += a.values.data[k] * x(a.columns[k], c);
            const double product = alpha == 1 ? sum : alpha * sum;
            y(i, c) = beta == 0 ? product : product + (beta == 1 ? y(i, c) : beta * y(i, c));
          }
      });
  EXPECT_EQ(report.differing, products_in_all * 4 / 5);  // alpha = 0 has no sums
}

}  // namespace
}  // namespace lacis::verification

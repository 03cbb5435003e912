// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and singular values through lacis.h have the bits of C++, and what goes wrong is a status.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <lacis/eigs.hpp>
#include <lacis/generate.hpp>
#include <lacis/precondition.hpp>

#include "c_api/views.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

template <class Value> class CEigenOf : public testing::Test {};
using value_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CEigenOf, value_types);

template <class T> owned<lacis_operator> c_operator(const csr_matrix<T>& a, bool adjoint = false) {
  const lacis_view view = c_view(a);
  lacis_plan_options options = LACIS_INIT(lacis_plan_options);
  options.transpose = adjoint && !is_complex<T> ? 1 : 0;
  options.conjugate_transpose = adjoint && is_complex<T> ? 1 : 0;
  lacis_plan* plan = nullptr;
  EXPECT_EQ(lacis_plan_make(&view, &options, &plan), LACIS_OK) << lacis_last_error();
  lacis_operator* made = nullptr;
  EXPECT_EQ(lacis_operator_from_plan(plan, &made), LACIS_OK) << lacis_last_error();
  lacis_plan_free(plan);
  return owned<lacis_operator>(made);
}

/// An operator that multiplies 200 elements with 1, 2, 3, ..., and asks to stop while `user` is not zero.
owned<lacis_operator> counting(int* user) {
  const lacis_apply apply = [](void* asks, const void* x, void* y) {
    for (int i = 0; i < 200; ++i) static_cast<double*>(y)[i] = (i + 1) * static_cast<const double*>(x)[i];
    return *static_cast<int*>(asks);
  };
  lacis_operator* made = nullptr;
  EXPECT_EQ(lacis_operator_from_function(200, 200, LACIS_FLOAT64, apply, nullptr, user, &made), LACIS_OK);
  return owned<lacis_operator>(made);
}

template <class T> bool same_bits(const std::vector<T>& a, const buffer<T>& b) {
  return a.size() == static_cast<std::size_t>(b.size()) && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// A search of C with room for what it finds.
template <class T> struct c_search {
  c_search(std::int64_t rows, std::int64_t pairs)
      : values(static_cast<std::size_t>(pairs), -1),
        vectors(static_cast<std::size_t>(rows * pairs), T(-1)),
        residuals(values),
        converged(values.size(), -1) {
    report.residuals = residuals.data();
    report.converged = converged.data();
  }
  lacis_status eigs(const lacis_operator* a) {
    return lacis_eigs(a, static_cast<std::int64_t>(values.size()), values.data(), vectors.data(), &options, &report);
  }

  std::vector<double> values;
  std::vector<T> vectors;
  std::vector<double> residuals;
  std::vector<std::int32_t> converged;
  lacis_eigen_options options = LACIS_INIT(lacis_eigen_options);
  lacis_eigen_report report = LACIS_INIT(lacis_eigen_report);
};

TYPED_TEST(CEigenOf, EigenvaluesHaveTheBitsOfCpp) {
  using T = TypeParam;
  const auto a = generate<T>("@poisson2d:12");
  const auto made = c_operator(a);
  const auto plan = multiply_inspect(a);
  const auto m = make_preconditioner(a, {.kind = preconditioner_kind::jacobi});
  const lacis_view view = c_view(a);
  lacis_operator* jacobi = nullptr;
  ASSERT_EQ(lacis_preconditioner(&view, "jacobi", 0, &jacobi), LACIS_OK) << lacis_last_error();
  const owned<lacis_operator> keeper(jacobi);
  const auto start = full_numbers<T>(2 * a.rows, 7);
  for (const bool is_block : {false, true}) {
    eigen_options<T> options;
    options.part = is_block ? eigen_part::smallest : eigen_part::both;
    options.tolerance = 1e-3;
    options.vectors = 9;
    options.start = {start.data(), a.rows, 2, 2, 1};
    if (is_block) options.preconditioner = m;
    const auto expected = eigs(plan, 3, options);
    EXPECT_TRUE(expected.converged()) << expected.reason;

    c_search<T> search(a.rows, 3);
    search.options.part = is_block ? nullptr : "both";
    search.options.tolerance = 1e-3;
    search.options.vectors = 9;
    search.options.preconditioner = is_block ? jacobi : nullptr;
    lacis_dense given = LACIS_INIT(lacis_dense);
    given.type = c_api::type_of<T>;
    given.rows = a.rows;
    given.cols = 2;
    given.row_stride = 2;
    given.col_stride = 1;
    given.data = const_cast<T*>(start.data());
    search.options.start = &given;
    ASSERT_EQ(search.eigs(made.get()), LACIS_OK) << lacis_last_error();
    EXPECT_EQ(search.values, expected.values);
    EXPECT_EQ(search.residuals, expected.residuals);
    EXPECT_EQ(search.converged, (std::vector<std::int32_t>{1, 1, 1}));
    EXPECT_TRUE(same_bits(search.vectors, expected.vectors));
    EXPECT_EQ(search.report.outcome, LACIS_SOLVE_CONVERGED);
    EXPECT_EQ(search.report.hash, expected.hash);
    EXPECT_EQ(search.report.iterations, expected.iterations);
    EXPECT_EQ(search.report.products, expected.products);
    EXPECT_EQ(std::string(search.report.method), is_block ? "lobpcg" : "lanczos");
    EXPECT_EQ(std::string(search.report.reason), expected.reason);
    // Fixed numbers lead elsewhere: the start vectors were used.
    options.start = {};
    EXPECT_NE(eigs(plan, 3, options).hash, expected.hash);
  }
}

TYPED_TEST(CEigenOf, SingularValuesHaveTheBitsOfCpp) {
  using T = TypeParam;
  const auto a = from_rows<T, std::int32_t>(90, 70, entries::reals, [](auto i) { return random_columns(i, 9, 70, 3); });
  const auto made = c_operator(a, true);
  plan_options how;
  how.transpose = !is_complex<T>;
  how.conjugate_transpose = is_complex<T>;
  const auto expected = svds(multiply_inspect(a, how), 2, {.tolerance = 1e-3});
  EXPECT_TRUE(expected.converged()) << expected.reason;
  std::vector<double> values(2);
  std::vector<T> left(180);
  std::vector<T> right(140);
  lacis_eigen_options options = LACIS_INIT(lacis_eigen_options);
  options.tolerance = 1e-3;
  lacis_eigen_report report = LACIS_INIT(lacis_eigen_report);
  ASSERT_EQ(lacis_svds(made.get(), 2, values.data(), left.data(), right.data(), &options, &report), LACIS_OK)
      << lacis_last_error();
  EXPECT_EQ(values, expected.values);
  EXPECT_TRUE(same_bits(left, expected.left));
  EXPECT_TRUE(same_bits(right, expected.right));
  EXPECT_EQ(report.hash, expected.hash);
  EXPECT_EQ(report.outcome, LACIS_SOLVE_CONVERGED);
  EXPECT_EQ(std::string(report.method), "normal");
  options.part = "smallest";
  ASSERT_EQ(lacis_svds(made.get(), 2, values.data(), nullptr, nullptr, &options, &report), LACIS_OK);
  EXPECT_EQ(std::string(report.method), "bidiagonal");
  EXPECT_EQ(values, svds(multiply_inspect(a, how), 2, {.part = eigen_part::smallest, .tolerance = 1e-3}).values);
  options.method = "lanczos";
  EXPECT_EQ(lacis_svds(made.get(), 2, values.data(), nullptr, nullptr, &options, &report), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_svds(c_operator(a).get(), 2, values.data(), nullptr, nullptr, nullptr, &report),
            LACIS_INVALID_ARGUMENT)
      << "a plan without its transpose";
}

TYPED_TEST(CEigenOf, AnOperatorIsApplied) {
  using T = TypeParam;
  const auto a = from_rows<T, std::int32_t>(90, 70, entries::reals, [](auto i) { return random_columns(i, 9, 70, 3); });
  const auto made = c_operator(a, true);
  const auto x = full_numbers<T>(70, 2);
  const auto u = full_numbers<T>(90, 3);
  std::vector<T> expected(90);
  std::vector<T> y(90);
  multiply(a, x, expected);
  ASSERT_EQ(lacis_operator_apply(made.get(), 0, x.data(), y.data()), LACIS_OK) << lacis_last_error();
  EXPECT_EQ(std::memcmp(y.data(), expected.data(), 90 * sizeof(T)), 0);
  const auto adjoint = is_complex<T> ? conjugate_transpose(a) : transpose(a);
  expected.resize(70);
  multiply(adjoint, u, expected);
  ASSERT_EQ(lacis_operator_apply(made.get(), 1, u.data(), y.data()), LACIS_OK) << lacis_last_error();
  EXPECT_EQ(std::memcmp(y.data(), expected.data(), 70 * sizeof(T)), 0);
  EXPECT_EQ(lacis_operator_apply(c_operator(a).get(), 1, u.data(), y.data()), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_operator_apply(nullptr, 0, x.data(), y.data()), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_operator_apply(made.get(), 0, x.data(), nullptr), LACIS_INVALID_ARGUMENT);
}

TEST(CEigen, TheMonitorAndTheOperatorStop) {
  int asks_to_stop = 0;
  const auto a = counting(&asks_to_stop);
  c_search<double> search(200, 2);
  struct watched {
    std::int64_t last = 0;
    std::int64_t until = 0;
  } seen{0, 25};
  search.options.user = &seen;
  search.options.monitor = [](void* user, std::int64_t iteration, double) {
    auto& all = *static_cast<watched*>(user);
    all.last = iteration;
    return iteration == all.until ? 1 : 0;
  };
  ASSERT_EQ(search.eigs(a.get()), LACIS_OK) << lacis_last_error();
  EXPECT_EQ(search.report.outcome, LACIS_SOLVE_STOPPED);
  EXPECT_EQ(seen.last, 25);
  EXPECT_EQ(search.report.iterations, 25);
  seen.until = -1;
  ASSERT_EQ(search.eigs(a.get()), LACIS_OK);
  EXPECT_EQ(search.report.outcome, LACIS_SOLVE_CONVERGED) << search.report.reason;
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_LE(std::fabs(search.values[k] - static_cast<double>(k + 1)), search.residuals[k] + 200 * 0x1p-52);
  asks_to_stop = 1;
  EXPECT_EQ(search.eigs(a.get()), LACIS_STOPPED);
}

TEST(CEigen, WhatWasNotFoundIsNotANumber) {
  auto a = generate<double>("@poisson2d:12");
  a.values = values_array<double>(std::vector<double>(static_cast<std::size_t>(a.nnz()), std::nan("")));
  const auto made = c_operator(a);
  for (const char* method : {"lanczos", "lobpcg"}) {
    c_search<double> search(a.rows, 2);
    search.options.method = method;
    ASSERT_EQ(search.eigs(made.get()), LACIS_OK) << lacis_last_error();
    EXPECT_EQ(search.report.outcome, LACIS_SOLVE_BROKE_DOWN);
    EXPECT_TRUE(std::isnan(search.values[0]) && std::isnan(search.values[1]));
    EXPECT_TRUE(std::isnan(search.residuals[0]));
    EXPECT_EQ(search.converged, (std::vector<std::int32_t>{0, 0}));
    for (const double one : search.vectors) EXPECT_TRUE(one == 0 || std::isnan(one));
    EXPECT_NE(std::string(search.report.reason).find("not finite"), std::string::npos);
  }
}

TEST(CEigen, MistakesAreStatuses) {
  const auto a = generate<double>("@poisson2d:12");
  const auto made = c_operator(a, true);
  const auto other = c_operator(generate<float>("@poisson2d:12"));
  c_search<double> search(a.rows, 2);
  const auto refused = [&](auto&& change, const char* words) {
    c_search<double> one(a.rows, 2);
    change(one);
    EXPECT_EQ(one.eigs(made.get()), LACIS_INVALID_ARGUMENT) << words;
    EXPECT_NE(std::string(lacis_last_error()).find(words), std::string::npos) << lacis_last_error();
    EXPECT_EQ(one.values[0], -1) << "written by a call that failed";
  };
  refused([](auto& one) { one.options.part = "middle"; }, "no part \"middle\"");
  refused([](auto& one) { one.options.method = "arnoldi"; }, "no method \"arnoldi\"");
  refused([](auto& one) { one.options.tolerance = -1; }, "tolerance");
  refused([](auto& one) { one.options.vectors = 1; }, "vectors");
  refused([&](auto& one) { one.options.preconditioner = other.get(); }, "the preconditioner has the type of A");
  refused([&](auto& one) { one.options.b = other.get(); }, "B has the type of A");
  lacis_dense start = LACIS_INIT(lacis_dense);
  const auto with_start = [&](auto& one) { one.options.start = &start; };
  refused(with_start, "start vectors have the type of A");
  start.type = LACIS_FLOAT64;
  start.rows = 5;
  start.cols = 1;
  refused(with_start, "data of the start vectors is NULL");
  std::vector<double> zeros(144);
  start.data = zeros.data();
  start.row_stride = 1;
  refused(with_start, "start vectors have 5 elements");
  start.rows = 144;
  refused(with_start, "start vector 0 is zero");
  EXPECT_EQ(lacis_eigs(made.get(), 2, nullptr, nullptr, nullptr, &search.report), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_eigs(made.get(), 2, search.values.data(), nullptr, nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_eigs(nullptr, 2, search.values.data(), nullptr, nullptr, &search.report), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_eigs(made.get(), -2, search.values.data(), nullptr, nullptr, &search.report), LACIS_INVALID_ARGUMENT);
  search.options.b = made.get();
  EXPECT_EQ(lacis_svds(made.get(), 2, search.values.data(), nullptr, nullptr, &search.options, &search.report),
            LACIS_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis.h gives what C++ gives, for every type of values, indices and offsets.
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/structure.hpp>

#include "c_api/views.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

template <class Value> class CApiOf : public testing::Test {};
using value_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CApiOf, value_types);

template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}
template <class Value, class Index> csr_matrix<Value, Index> oblong() {
  return from_rows<Value, Index>(90, 70, entries::reals, [](auto i) { return random_columns(i, i % 41, 70, 3); });
}
/// The arrays of an object of lacis.h are those of a matrix.
template <class Value, class Index> void expect_matrix(lacis_matrix* made, const csr_matrix<Value, Index>& expected) {
  const owned<lacis_matrix> keeper(made);
  lacis_view view = LACIS_INIT(lacis_view);
  ASSERT_EQ(lacis_matrix_view(made, &view), LACIS_OK);
  ASSERT_EQ(view.type, c_api::type_of<Value>);
  ASSERT_EQ(view.index_bits, 8 * static_cast<int>(sizeof(Index)));
  ASSERT_EQ(view.offset_bits, 64);
  ASSERT_EQ(view.rows, expected.rows);
  ASSERT_EQ(view.cols, expected.cols);
  ASSERT_EQ(view.nnz, expected.nnz());
  const auto size = [](const auto& array) { return static_cast<std::size_t>(array.size()) * sizeof(array[0]); };
  EXPECT_EQ(std::memcmp(view.offsets, expected.row_offsets.data(), size(expected.row_offsets)), 0);
  EXPECT_EQ(std::memcmp(view.indices, expected.columns.data(), size(expected.columns)), 0);
  EXPECT_EQ(std::memcmp(view.values, expected.values.data.data(), size(expected.values.data)), 0);
}

/// check(matrix, its views in C with every type of offsets)
template <class Value, class Check> void with_views(Check&& check) {
  const auto all = [&](const auto& a) {
    check(a, c_view(a));
    check(a, narrow_c_view(a).view);
  };
  all(oblong<Value, std::int32_t>());
  all(oblong<Value, std::int64_t>());
}

template <class A, class X> void expect_products(const auto& a, const lacis_view& view) {
  using Y = product_of<A, X>;
  EXPECT_EQ(lacis_product_type(view.type, c_api::type_of<X>), c_api::type_of<Y>);
  const auto x = full_numbers<X>(a.cols, 5);
  std::vector<Y> expected(static_cast<std::size_t>(a.rows), Y(2));
  auto y = expected;
  const Y alpha(3);
  const Y beta(-1);
  multiply(alpha, a, x, beta, expected);
  lacis_product_options options = LACIS_INIT(lacis_product_options);
  options.alpha = &alpha;
  options.beta = &beta;
  ASSERT_EQ(lacis_multiply(&view, c_api::type_of<X>, x.data(), y.data(), &options), LACIS_OK) << lacis_last_error();
  EXPECT_TRUE(same_bits(y, expected));

  const auto z = full_numbers<X>(a.rows, 6);
  std::vector<Y> expected_left(static_cast<std::size_t>(a.cols));
  auto left = expected_left;
  multiply(transposed(a), z, expected_left);
  lacis_product_options transposing = LACIS_INIT(lacis_product_options);
  transposing.transpose = 1;
  ASSERT_EQ(lacis_multiply(&view, c_api::type_of<X>, z.data(), left.data(), &transposing), LACIS_OK);
  EXPECT_TRUE(same_bits(left, expected_left));

  lacis_view by_columns = view;  // the same arrays, as those of the transpose
  by_columns.format = LACIS_CSC;
  std::swap(by_columns.rows, by_columns.cols);
  std::fill(left.begin(), left.end(), Y(0));
  ASSERT_EQ(lacis_multiply(&by_columns, c_api::type_of<X>, z.data(), left.data(), nullptr), LACIS_OK);
  EXPECT_TRUE(same_bits(left, expected_left));
  std::fill(y.begin(), y.end(), Y(2));
  transposing.alpha = &alpha;
  transposing.beta = &beta;
  ASSERT_EQ(lacis_multiply(&by_columns, c_api::type_of<X>, x.data(), y.data(), &transposing), LACIS_OK);
  EXPECT_TRUE(same_bits(y, expected));

  constexpr std::int64_t count = 3;
  auto wide = full_numbers<X>(a.cols * count, 7);
  std::vector<Y> expected_wide(static_cast<std::size_t>(a.rows * count));
  auto results = expected_wide;
  multiply(a, row_major(std::span<const X>(wide), a.cols, count), row_major(std::span(expected_wide), a.rows, count));
  lacis_dense from = LACIS_INIT(lacis_dense);
  from.type = c_api::type_of<X>;
  from.rows = a.cols;
  from.cols = count;
  from.row_stride = count;
  from.col_stride = 1;
  from.data = wide.data();
  lacis_dense to = from;
  to.type = c_api::type_of<Y>;
  to.rows = a.rows;
  to.data = results.data();
  ASSERT_EQ(lacis_multiply_dense(&view, &from, &to, nullptr), LACIS_OK) << lacis_last_error();
  EXPECT_TRUE(same_bits(results, expected_wide));

  lacis_plan_options wanted = LACIS_INIT(lacis_plan_options);
  wanted.transpose = 1;
  lacis_plan* made = nullptr;
  ASSERT_EQ(lacis_plan_make(&by_columns, &wanted, &made), LACIS_OK) << lacis_last_error();
  const owned<lacis_plan> plan(made);  // of the transpose
  std::fill(left.begin(), left.end(), Y(0));
  ASSERT_EQ(lacis_plan_multiply(made, c_api::type_of<X>, z.data(), left.data(), nullptr), LACIS_OK);
  EXPECT_TRUE(same_bits(left, expected_left));
  std::fill(y.begin(), y.end(), Y(2));
  ASSERT_EQ(lacis_plan_multiply(made, c_api::type_of<X>, x.data(), y.data(), &transposing), LACIS_OK);
  EXPECT_TRUE(same_bits(y, expected));
  std::fill(results.begin(), results.end(), Y(0));
  lacis_product_options plain_transpose = LACIS_INIT(lacis_product_options);
  plain_transpose.transpose = 1;
  ASSERT_EQ(lacis_plan_multiply_dense(made, &from, &to, &plain_transpose), LACIS_OK) << lacis_last_error();
  EXPECT_TRUE(same_bits(results, expected_wide));
}

TYPED_TEST(CApiOf, MultipliesAsCpp) {
  with_views<TypeParam>([](const auto& a, const lacis_view& view) {
    EXPECT_EQ(lacis_check(&view), LACIS_OK);
    expect_products<TypeParam, float>(a, view);
    expect_products<TypeParam, double>(a, view);
    expect_products<TypeParam, std::complex<float>>(a, view);
    expect_products<TypeParam, std::complex<double>>(a, view);
  });
}

TYPED_TEST(CApiOf, MakesTheSameMatrices) {
  with_views<TypeParam>([](const auto& a, const lacis_view& view) {
    lacis_matrix* made = nullptr;
    ASSERT_EQ(lacis_copy(&view, &made), LACIS_OK) << lacis_last_error();
    expect_matrix(made, a);
    ASSERT_EQ(lacis_transpose(&view, 0, &made), LACIS_OK);
    expect_matrix(made, transpose(a));
    ASSERT_EQ(lacis_transpose(&view, 1, &made), LACIS_OK);
    expect_matrix(made, conjugate_transpose(a));
    lacis_view by_columns = view;
    by_columns.format = LACIS_CSC;
    std::swap(by_columns.rows, by_columns.cols);
    ASSERT_EQ(lacis_spgemm(&view, &by_columns, 0, 0, &made), LACIS_OK) << lacis_last_error();
    expect_matrix(made, multiply(a, transpose(a)));
  });
}

TEST(CApi, ListsTheCandidatesOfAPlan) {
  const auto a = generate<double>("@poisson2d:20");
  const lacis_view view = c_view(a);
  lacis_plan* made = nullptr;
  ASSERT_EQ(lacis_plan_make(&view, nullptr, &made), LACIS_OK) << lacis_last_error();
  const owned<lacis_plan> plan(made);
  lacis_plan_facts facts = LACIS_INIT(lacis_plan_facts);
  ASSERT_EQ(lacis_plan_get_facts(made, &facts), LACIS_OK);
  const std::int64_t count = lacis_plan_candidates(made);
  EXPECT_GT(count, 1);
  EXPECT_EQ(lacis_plan_candidates(nullptr), 0);
  int chosen = 0;
  lacis_plan_candidate c = LACIS_INIT(lacis_plan_candidate);
  for (std::int64_t k = 0; k < count; ++k) {
    ASSERT_EQ(lacis_plan_get_candidate(made, k, &c), LACIS_OK) << lacis_last_error();
    EXPECT_GT(c.seconds, 0);
    EXPECT_LT(c.measured_seconds, 0);
    if (c.chosen == 0) continue;
    ++chosen;
    EXPECT_STREQ(c.layout, facts.layout);
  }
  EXPECT_EQ(chosen, 1);
  EXPECT_EQ(lacis_plan_get_candidate(made, count, &c), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_plan_get_candidate(made, -1, &c), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_plan_get_candidate(made, 0, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_plan_get_candidate(nullptr, 0, &c), LACIS_INVALID_ARGUMENT);
}

TEST(CApi, SumsDuplicatesAndSortsRows) {
  const csr_matrix a{2, 3, std::vector<std::int64_t>{0, 3, 4}, std::vector<std::int32_t>{2, 0, 2, 1},
                     std::vector<double>{1, 2, 3, 4}};
  const lacis_view view = c_view(a);
  lacis_matrix* made = nullptr;
  ASSERT_EQ(lacis_copy(&view, &made), LACIS_OK);
  expect_matrix(made, canonical(a));
}

TYPED_TEST(CApiOf, TellsOfPlans) {
  const auto a = generate<TypeParam>("@poisson2d:40");
  const lacis_view view = c_view(a);
  lacis_plan* made = nullptr;
  ASSERT_EQ(lacis_plan_make(&view, nullptr, &made), LACIS_OK);
  const owned<lacis_plan> keeper(made);
  const auto plan = multiply_inspect(a);
  lacis_plan_facts facts = LACIS_INIT(lacis_plan_facts);
  ASSERT_EQ(lacis_plan_get_facts(made, &facts), LACIS_OK);
  EXPECT_EQ(facts.rows, 1600);
  EXPECT_EQ(facts.nnz, a.nnz());
  EXPECT_EQ(facts.layout, plan.layout());
  EXPECT_EQ(facts.storage_bytes, plan.storage_bytes());
  EXPECT_NE(std::string(lacis_plan_explain(made)), "");
  auto values = full_numbers<TypeParam>(a.nnz(), 9);
  ASSERT_EQ(lacis_plan_update(made, values.data(), a.nnz()), LACIS_OK) << lacis_last_error();
  csr_matrix<TypeParam> other = a;
  other.values = values_array<TypeParam>(std::vector<TypeParam>(values));
  const auto x = full_numbers<TypeParam>(a.cols, 5);
  std::vector<TypeParam> expected(x.size());
  auto y = expected;
  multiply(other, x, expected);
  ASSERT_EQ(lacis_plan_multiply(made, c_api::type_of<TypeParam>, x.data(), y.data(), nullptr), LACIS_OK);
  EXPECT_TRUE(same_bits(y, expected));
}

TYPED_TEST(CApiOf, RepeatsTransposedProductsWithMemory) {
  const auto a = generate<TypeParam>("@rmat:9", {.values = generated_values::random});
  const auto x = full_numbers<TypeParam>(a.rows, 5);
  std::vector<TypeParam> expected(static_cast<std::size_t>(a.cols));
  multiply(transpose(a), x, expected);
  lacis_product_memory* made = nullptr;
  ASSERT_EQ(lacis_product_memory_make(0, &made), LACIS_OK);
  const lacis_view view = c_view(a);
  lacis_product_options options = LACIS_INIT(lacis_product_options);
  options.transpose = 1;
  options.memory = made;
  for (int k = 0; k < 3; ++k) {
    std::vector<TypeParam> y(expected.size());
    ASSERT_EQ(lacis_multiply(&view, c_api::type_of<TypeParam>, x.data(), y.data(), &options), LACIS_OK);
    EXPECT_TRUE(same_bits(y, expected));
    EXPECT_EQ(lacis_product_memory_bytes(made) > 0, k > 0);
  }
  lacis_product_memory_free(made);
  EXPECT_EQ(lacis_product_memory_make(-1, &made), LACIS_INVALID_ARGUMENT);
}

TYPED_TEST(CApiOf, SolvesAsCpp) {
  const auto a = generate<TypeParam>("@poisson2d:12");
  const lacis_view view = c_view(a);
  const std::vector<TypeParam> b(144, TypeParam(1));
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  lacis_solve_options options = LACIS_INIT(lacis_solve_options);
  options.tolerance = 1e-5;
  std::vector<TypeParam> x(144);
  ASSERT_EQ(lacis_solve(&view, nullptr, b.data(), x.data(), &options, &report), LACIS_OK) << lacis_last_error();
  EXPECT_EQ(report.outcome, LACIS_SOLVE_CONVERGED) << report.reason;
  EXPECT_LE(report.true_residual, 1e-5);
  EXPECT_NE(std::string(report.method), "");

  std::vector<TypeParam> expected(144);
  const auto plan = multiply_inspect(a);
  const auto known = solve<TypeParam>(solve_method::cg, *make_operator(plan), b, expected, {.tolerance = 1e-5});
  lacis_plan* made = nullptr;
  ASSERT_EQ(lacis_plan_make(&view, nullptr, &made), LACIS_OK);
  lacis_operator* over_plan = nullptr;
  ASSERT_EQ(lacis_operator_from_plan(made, &over_plan), LACIS_OK);
  lacis_plan_free(made);
  const owned<lacis_operator> keeper(over_plan);
  int calls = 0;
  options.user = &calls;
  options.monitor = [](void* user, std::int64_t, double) { return ++*static_cast<int*>(user) < 0 ? 1 : 0; };
  std::fill(x.begin(), x.end(), TypeParam(0));
  ASSERT_EQ(lacis_solve_operator(over_plan, "cg", b.data(), x.data(), nullptr, &options, &report), LACIS_OK);
  EXPECT_EQ(report.iterations, known.iterations);
  EXPECT_EQ(calls, known.iterations);
  EXPECT_TRUE(same_bits(x, expected));

  lacis_operator* jacobi = nullptr;
  ASSERT_EQ(lacis_preconditioner(&view, "ic0", 0, &jacobi), LACIS_OK) << lacis_last_error();
  const owned<lacis_operator> keeper_too(jacobi);
  std::fill(x.begin(), x.end(), TypeParam(0));
  ASSERT_EQ(lacis_solve_operator(over_plan, "cg", b.data(), x.data(), jacobi, &options, &report), LACIS_OK);
  EXPECT_LT(report.iterations, known.iterations);
  EXPECT_EQ(report.outcome, LACIS_SOLVE_CONVERGED);
}

TEST(CApi, SolvesOnADevice) {
  const auto a = generate<double>("@poisson2d:30");
  const lacis_view view = c_view(a);
  const std::vector<double> b(900, 1);
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  lacis_solve_options options = LACIS_INIT(lacis_solve_options);
  options.preconditioner = "amg";
  options.device = "simt";
  std::vector<double> x(900);
  ASSERT_EQ(lacis_solve(&view, "cg", b.data(), x.data(), &options, &report), LACIS_OK) << lacis_last_error();
  EXPECT_EQ(report.outcome, LACIS_SOLVE_CONVERGED) << report.reason;
  EXPECT_EQ(std::string(report.method), "cg with amg");
  std::vector<double> expected(900);
  const auto known = solve_auto(
      a, std::span<const double>(b), std::span<double>(expected),
      {.method = solve_method::cg, .preconditioner = preconditioner_kind::amg, .device = {device_kind::simt}});
  EXPECT_TRUE(same_bits(x, expected));
  EXPECT_EQ(report.iterations, known.result().iterations);
  options.device = "toaster";
  EXPECT_EQ(lacis_solve(&view, "cg", b.data(), x.data(), &options, &report), LACIS_INVALID_ARGUMENT);

  // Vectors of a device are not for what works on the processor.
  lacis_plan_options there = LACIS_INIT(lacis_plan_options);
  there.device = "simt";
  lacis_plan* made = nullptr;
  ASSERT_EQ(lacis_plan_make(&view, &there, &made), LACIS_OK) << lacis_last_error();
  lacis_operator* over_plan = nullptr;
  ASSERT_EQ(lacis_operator_from_plan(made, &over_plan), LACIS_OK);
  lacis_plan_free(made);
  const owned<lacis_operator> keeper(over_plan);
  lacis_operator* here = nullptr;
  ASSERT_EQ(lacis_preconditioner(&view, "amg", 0, &here), LACIS_OK) << lacis_last_error();
  const owned<lacis_operator> keeper_too(here);
  EXPECT_EQ(lacis_solve_operator(over_plan, "cg", b.data(), x.data(), here, nullptr, &report), LACIS_INVALID_ARGUMENT);
  EXPECT_NE(std::string(lacis_last_error()).find("the preconditioner on cpu"), std::string::npos) << lacis_last_error();
}

TEST(CApi, MakesMultigridWithACycleAndASmoother) {
  const auto a = generate<double, std::int32_t>("@poisson2d:60");
  const lacis_view view = c_view(a);
  lacis_plan* plan = nullptr;
  ASSERT_EQ(lacis_plan_make(&view, nullptr, &plan), LACIS_OK);
  lacis_operator* product = nullptr;
  ASSERT_EQ(lacis_operator_from_plan(plan, &product), LACIS_OK);
  lacis_plan_free(plan);
  const owned<lacis_operator> keeper(product);
  lacis_preconditioner_options options = LACIS_INIT(lacis_preconditioner_options);
  options.cycle = "k";
  options.smoother = "l1-jacobi";
  lacis_operator* made = nullptr;
  ASSERT_EQ(lacis_preconditioner_with(&view, &options, &made), LACIS_OK) << lacis_last_error();
  const owned<lacis_operator> keeper_too(made);
  const std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0);
  std::vector<double> x(b.size());
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  ASSERT_EQ(lacis_solve_operator(product, "cg", b.data(), x.data(), made, nullptr, &report), LACIS_OK);
  EXPECT_EQ(report.outcome, LACIS_SOLVE_CONVERGED);
  const auto same =
      make_preconditioner(a, {.kind = preconditioner_kind::amg,
                              .multigrid = {.cycle = multigrid_cycle::k, .smoother = multigrid_smoother::l1_jacobi}});
  std::vector<double> expected(b.size());
  static_cast<void>(solve<double>(solve_method::cg, *make_operator(multiply_inspect(a)), b, expected, {}, same.get()));
  EXPECT_TRUE(same_bits(x, expected));
  EXPECT_EQ(lacis_solve_operator(product, "gmres", b.data(), x.data(), made, nullptr, &report), LACIS_INVALID_ARGUMENT);

  lacis_solve_options whole = LACIS_INIT(lacis_solve_options);
  whole.preconditioner = "amg";
  whole.cycle = options.cycle;
  whole.smoother = options.smoother;
  x.assign(b.size(), 0);
  ASSERT_EQ(lacis_solve(&view, "cg", b.data(), x.data(), &whole, &report), LACIS_OK) << lacis_last_error();
  EXPECT_TRUE(same_bits(x, expected));
  for (const char* kind : {static_cast<const char*>(nullptr), "none", "ic0"}) {
    whole.preconditioner = kind;
    EXPECT_EQ(lacis_solve(&view, "cg", b.data(), x.data(), &whole, &report), LACIS_INVALID_ARGUMENT);
    EXPECT_NE(std::string(lacis_last_error()).find("of amg"), std::string::npos) << lacis_last_error();
  }

  lacis_operator* none = nullptr;
  options.cycle = "f";
  EXPECT_EQ(lacis_preconditioner_with(&view, &options, &none), LACIS_INVALID_ARGUMENT);
  EXPECT_NE(std::string(lacis_last_error()).find("v, w, k"), std::string::npos) << lacis_last_error();
  options.cycle = "v";
  options.kind = "ic0";
  EXPECT_EQ(lacis_preconditioner_with(&view, &options, &none), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
}

TEST(CApi, SolvesWithAFunctionAndStopsWhenItAsksTo) {
  struct counted {
    int calls = 0;
    int last = 1 << 30;
  } state;
  const lacis_apply twice = [](void* user, const void* x, void* y) {
    auto& s = *static_cast<counted*>(user);
    for (int i = 0; i < 8; ++i) static_cast<double*>(y)[i] = (2 + i) * static_cast<const double*>(x)[i];
    return ++s.calls > s.last ? 1 : 0;
  };
  lacis_operator* made = nullptr;
  ASSERT_EQ(lacis_operator_from_function(8, 8, LACIS_FLOAT64, twice, nullptr, &state, &made), LACIS_OK);
  const owned<lacis_operator> keeper(made);
  const std::vector<double> b(8, 1.0);
  std::vector<double> x(8);
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  ASSERT_EQ(lacis_solve_operator(made, "cg", b.data(), x.data(), nullptr, nullptr, &report), LACIS_OK);
  EXPECT_EQ(report.outcome, LACIS_SOLVE_CONVERGED);
  EXPECT_NEAR(x[3], 1.0 / 5, 1e-8);
  EXPECT_EQ(lacis_solve_operator(made, "lsqr", b.data(), x.data(), nullptr, nullptr, &report), LACIS_UNSUPPORTED);
  state = {.calls = 0, .last = 1};
  std::fill(x.begin(), x.end(), 0.0);
  EXPECT_EQ(lacis_solve_operator(made, "cg", b.data(), x.data(), nullptr, nullptr, &report), LACIS_STOPPED);
  lacis_solve_options options = LACIS_INIT(lacis_solve_options);
  options.monitor = [](void*, std::int64_t iteration, double) { return iteration == 2 ? 1 : 0; };
  state = {};
  EXPECT_EQ(lacis_solve_operator(made, "cg", b.data(), x.data(), nullptr, &options, &report), LACIS_OK);
  EXPECT_EQ(report.outcome, LACIS_SOLVE_STOPPED);
}

TEST(CApi, ReadsAndWritesFiles) {
  const auto path = std::filesystem::temp_directory_path() / "lacis_c_api.mtx";
  lacis_matrix* made = nullptr;
  ASSERT_EQ(lacis_read("@poisson2d:9", nullptr, nullptr, &made), LACIS_OK);
  const owned<lacis_matrix> keeper(made);
  lacis_view view = LACIS_INIT(lacis_view);
  ASSERT_EQ(lacis_matrix_view(made, &view), LACIS_OK);
  ASSERT_EQ(lacis_write(path.c_str(), &view, nullptr, nullptr), LACIS_OK) << lacis_last_error();
  lacis_matrix* again = nullptr;
  ASSERT_EQ(lacis_read(path.c_str(), nullptr, nullptr, &again), LACIS_OK);
  expect_matrix(again, generate<double>("@poisson2d:9"));
  const lacis_progress stop = [](void*, const char*, double) { return 1; };
  EXPECT_EQ(lacis_read("@rmat:12", stop, nullptr, &again), LACIS_STOPPED);
  std::filesystem::remove(path);
  EXPECT_EQ(lacis_read(path.c_str(), nullptr, nullptr, &again), LACIS_IO);
  EXPECT_NE(std::string(lacis_last_error()).find("lacis_c_api.mtx"), std::string::npos);
}

}  // namespace
}  // namespace lacis::test

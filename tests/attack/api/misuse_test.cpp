// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Invalid calls: each is an error with a code and a message that says what was wrong.
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/builder.hpp>
#include <lacis/convert.hpp>
#include <lacis/generate.hpp>
#include <lacis/multiply.hpp>
#include <lacis/operator.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/plan.hpp>
#include <lacis/sddmm.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/spgemm_composed.hpp>
#include <lacis/spgemm_masked.hpp>
#include <lacis/spgemm_plan.hpp>
#include <lacis/structure.hpp>
#include <lacis/triangular.hpp>
#include <lacis/validate.hpp>
#include <lacis/vector.hpp>

#include "support/matrices.hpp"

namespace lacis::test {
namespace {

/// A call, the code of the error that it gives, and a part of the message.
struct misuse {
  const char* name;
  std::function<void()> call;
  errc code;
  std::string_view text;
};

void expect_errors(const std::vector<misuse>& all) {
  for (const misuse& one : all) {
    try {
      one.call();
      ADD_FAILURE() << one.name << ": nothing was thrown";
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), one.code) << one.name << ": " << problem.what();
      EXPECT_NE(std::string_view(problem.what()).find(one.text), std::string_view::npos)
          << one.name << ": " << problem.what();
      EXPECT_EQ(std::string_view(problem.what()).find("--"), std::string_view::npos)
          << one.name << " names an option of the program: " << problem.what();
    }
  }
}

csr_matrix<double> tridiagonal(std::int64_t rows) {
  return from_rows<double, std::int32_t>(rows, rows, entries::integers, [rows](std::int64_t i) {
    return consecutive(std::max<std::int64_t>(0, i - 1), std::min(rows, i + 2));
  });
}
csr_matrix<double> good() { return tridiagonal(4); }
csr_matrix<double> wide() {
  auto a = good();
  a.cols = 7;
  return a;
}
csr_matrix<double> with(const std::function<void(csr_matrix<double>&)>& change) {
  auto a = good();
  change(a);
  return a;
}
csr_matrix<double> descending() {
  return with([](auto& a) { std::swap(a.columns[0], a.columns[1]); });
}
csr_matrix<double> repeating() {
  return with([](auto& a) { a.columns[1] = a.columns[0]; });
}
csr_matrix<double> outside() {
  return with([](auto& a) { a.columns[a.nnz() - 1] = 4; });
}

using numbers = std::vector<double>;

TEST(ApiMisuse, OfProductsWithVectors) {
  const auto a = good();
  const auto plan = multiply_inspect(a);
  numbers four(4, 1.0);
  numbers other(4);
  numbers five(5);
  numbers both(6);
  const std::span<double> all(both);
  const auto columns = [](numbers& memory, std::int64_t rows, std::int64_t cols) {
    return row_major(std::span<double>(memory), rows, cols);
  };
  numbers eight(8);
  numbers other_eight(8);
  const auto product = [&](const csr_matrix<double>& m) { return [&, m] { multiply(m, four, other); }; };
  expect_errors({
      {"x too long", [&] { multiply(a, five, other); }, errc::invalid_argument, "x has 5 elements"},
      {"y too long", [&] { multiply(a, four, five); }, errc::invalid_argument, "y has 5 elements"},
      {"x empty", [&] { multiply(a, numbers{}, other); }, errc::invalid_argument, "x has 0 elements"},
      {"x is y", [&] { multiply(a, four, four); }, errc::invalid_argument, "overlap"},
      {"x and y overlap", [&] { multiply(a, all.subspan(0, 4), all.subspan(2, 4)); }, errc::invalid_argument,
       "overlap"},
      {"plan, x too long", [&] { multiply(plan, five, other); }, errc::invalid_argument, "x has 5 elements"},
      {"plan, y too long", [&] { multiply(plan, four, five); }, errc::invalid_argument, "y has 5 elements"},
      {"plan, x is y", [&] { multiply(plan, four, four); }, errc::invalid_argument, "overlap"},
      {"plan without its transpose", [&] { multiply(transposed(plan), four, other); }, errc::invalid_argument,
       "plan_options.transpose"},
      {"plan without its conjugate transpose", [&] { multiply(conjugate_transposed(plan), four, other); },
       errc::invalid_argument, "plan_options.conjugate_transpose"},
      {"negative threads", [&] { multiply(a, four, other, {.threads = -1}); }, errc::invalid_argument,
       "not be negative: -1"},
      {"X and Y of other widths", [&] { multiply(a, columns(eight, 4, 2), columns(other, 4, 1)); },
       errc::invalid_argument, "X has 2 columns"},
      {"X of another height", [&] { multiply(a, columns(eight, 2, 4), columns(other_eight, 2, 4)); },
       errc::invalid_argument, "a column of X"},
      {"X is Y", [&] { multiply(a, columns(eight, 4, 2), columns(eight, 4, 2)); }, errc::invalid_argument, "overlap"},
      {"a dense view of too little", [&] { static_cast<void>(columns(eight, 4, 3)); }, errc::invalid_argument, "8"},
      {"a dense view of negative size", [&] { static_cast<void>(columns(eight, -4, 2)); }, errc::invalid_argument,
       "-4"},
      {"columns descend", product(descending()), errc::invalid_matrix, "do not ascend strictly"},
      {"columns repeat", product(repeating()), errc::invalid_matrix, "do not ascend strictly"},
      {"a column outside", product(outside()), errc::invalid_matrix, "row 3 has column 4, outside 0 to 3"},
      {"a column far outside", product(with([](auto& m) { m.columns[0] = std::numeric_limits<int>::max(); })),
       errc::invalid_matrix, "row 0 has column 2147483647"},
      {"a negative column", product(with([](auto& m) { m.columns[0] = -7; })), errc::invalid_matrix, "column -7"},
      {"too few offsets", product(with([](auto& m) { m.row_offsets = buffer<std::int64_t>(2, 0); })),
       errc::invalid_matrix, "there are 2 offsets for 4 rows"},
      {"no offsets", product(with([](auto& m) { m.row_offsets = {}; })), errc::invalid_matrix, "there are 0 offsets"},
      {"offsets that fall", product(with([](auto& m) { m.row_offsets[2] = 1; })), errc::invalid_matrix,
       "row 1 ends at offset 1, before its begin 2"},
      {"offsets that begin late", product(with([](auto& m) { m.row_offsets[0] = 1; })), errc::invalid_matrix,
       "begin at 1"},
      {"offsets that end late", product(with([](auto& m) { m.row_offsets[4] = 99; })), errc::invalid_matrix,
       "end at 99"},
      {"too few values", product(with([](auto& m) { m.values = values_array<double>(3); })), errc::invalid_matrix,
       "there are 3 values"},
      {"an iso matrix of many values", product(with([](auto& m) { m.values.iso = true; })), errc::invalid_matrix,
       "iso"},
      {"inspection of a column outside", [] { static_cast<void>(multiply_inspect(outside())); }, errc::invalid_matrix,
       "row 3 has column 4"},
      {"require_valid of a column outside", [] { require_valid(outside()); }, errc::invalid_matrix, "column 4"},
  });
}

TEST(ApiMisuse, OfPlans) {
  const auto a = good();
  auto plan = multiply_inspect(a);
  expect_errors({
      {"too few values", [&] { update_values(plan, numbers(3)); }, errc::invalid_argument, "these are 3 values"},
      {"a memory limit that nothing fits", [&] { static_cast<void>(multiply_inspect(a, {.memory_limit = 1})); },
       errc::out_of_memory, "1"},
      {"another ordering of what is not square",
       [&] { static_cast<void>(multiply_inspect(wide(), {.reorder = reordering::rcm})); }, errc::invalid_argument,
       "square"},
  });
}

TEST(ApiMisuse, OfSparseProducts) {
  const auto a = good();
  const auto b = wide();
  const numbers dense(8, 1.0);
  const auto x = row_major(std::span<const double>(dense), 4, 2);
  const auto y = row_major(std::span<const double>(dense), 2, 4);
  const auto plan = multiply_compute(a, a);
  const auto ignore = [](std::int64_t, const csr_matrix<double>&) {};
  expect_errors({
      {"sizes that do not fit", [&] { static_cast<void>(multiply(b, a)); }, errc::invalid_argument, "A has 7 columns"},
      {"A descends", [&] { static_cast<void>(multiply(descending(), a)); }, errc::invalid_matrix, "ascending"},
      {"B descends", [&] { static_cast<void>(multiply(a, descending())); }, errc::invalid_matrix, "ascending"},
      {"A reaches outside", [&] { static_cast<void>(multiply(outside(), a)); }, errc::invalid_matrix, "column 4"},
      {"B reaches outside", [&] { static_cast<void>(multiply(a, outside())); }, errc::invalid_matrix, "column 4"},
      {"a negative memory limit", [&] { static_cast<void>(multiply(a, a, {.memory_limit = -1})); },
       errc::invalid_argument, "-1 bytes"},
      {"slabs of A that reaches outside", [&] { multiply_in_slabs(outside(), a, ignore); }, errc::invalid_matrix,
       "column 4"},
      {"a plan of A that reaches outside", [&] { static_cast<void>(multiply_compute(outside(), a)); },
       errc::invalid_matrix, "column 4"},
      {"a plan for another pattern", [&] { static_cast<void>(multiply_fill(plan, b, a)); }, errc::invalid_argument,
       "another pattern"},
      {"a plan, and values that are missing",
       [&] { static_cast<void>(multiply_fill(plan, with([](auto& m) { m.values = values_array<double>(2); }), a)); },
       errc::invalid_matrix, "there are 2 values"},
      {"a mask of another size", [&] { static_cast<void>(multiply_masked(a, a, b)); }, errc::invalid_argument,
       "the mask is 4 x 7"},
      {"a mask that reaches outside", [&] { static_cast<void>(multiply_masked(a, a, outside())); },
       errc::invalid_matrix, "column 4"},
      {"D of another size", [&] { static_cast<void>(multiply_add(a, a, b)); }, errc::invalid_argument, "D is 4 x 7"},
      {"D that reaches outside", [&] { static_cast<void>(multiply_add(a, a, outside())); }, errc::invalid_matrix,
       "column 4"},
      {"P of another size", [&] { static_cast<void>(triple_product(a, b)); }, errc::invalid_argument, "P^T A P"},
      {"A A^T of what reaches outside", [&] { static_cast<void>(multiply_transposed(outside())); },
       errc::invalid_matrix, "column 4"},
      {"sddmm of sizes that do not fit", [&] { static_cast<void>(sddmm(a, x, x)); }, errc::invalid_argument,
       "does not fit"},
      {"sddmm at places outside", [&] { static_cast<void>(sddmm(outside(), x, y)); }, errc::invalid_matrix, "column 4"},
      {"sddmm at places in disorder", [&] { static_cast<void>(sddmm(descending(), x, y)); }, errc::invalid_matrix,
       "ascending"},
  });
}

TEST(ApiMisuse, OfTriangularSystems) {
  auto plan = triangular_inspect(good());
  numbers four(4, 1.0);
  numbers three(3);
  const auto inspect = [](const csr_matrix<double>& a) { return [a] { static_cast<void>(triangular_inspect(a)); }; };
  auto other = generate<double>("@poisson2d:2");
  expect_errors({
      {"a matrix that is not square", inspect(wide()), errc::invalid_argument, "4 x 7"},
      {"columns in disorder", inspect(descending()), errc::invalid_matrix, "ascending"},
      {"a column outside", inspect(outside()), errc::invalid_matrix, "column 4"},
      {"too few offsets", inspect(with([](auto& a) { a.row_offsets = {}; })), errc::invalid_matrix, "0 offsets"},
      {"b too short", [&] { triangular_solve(plan, three, four); }, errc::invalid_argument, "b has 3 elements"},
      {"x too short", [&] { triangular_solve(plan, four, three); }, errc::invalid_argument, "x 3"},
      {"values of another size", [&] { update_values(plan, tridiagonal(5)); }, errc::invalid_argument,
       "the matrix has 5"},
      {"values of another pattern", [&] { update_values(plan, other); }, errc::invalid_argument, "inspect it anew"},
      {"values of a matrix that reaches outside", [&] { update_values(plan, outside()); }, errc::invalid_matrix,
       "column 4"},
  });
}

TEST(ApiMisuse, OfVectors) {
  numbers four(4, 1.0);
  numbers three(3);
  numbers six(6);
  const std::span<double> all(six);
  expect_errors({
      {"dot of lengths that differ", [&] { static_cast<void>(dot(four, three)); }, errc::invalid_argument, "3"},
      {"dotc of lengths that differ", [&] { static_cast<void>(dotc(four, three)); }, errc::invalid_argument, "3"},
      {"axpby of lengths that differ", [&] { axpby(1.0, four, 1.0, three); }, errc::invalid_argument, "3"},
      {"axpby of vectors that overlap", [&] { axpby(1.0, all.subspan(0, 4), 1.0, all.subspan(1, 4)); },
       errc::invalid_argument, "overlap"},
      {"negative threads", [&] { static_cast<void>(norm(four, {.threads = -2})); }, errc::invalid_argument,
       "not be negative: -2"},
  });
}

TEST(ApiMisuse, OfOperators) {
  const auto tall = csr_matrix<double>{3, 1, buffer<std::int64_t>(4, 0), {}, {}};
  const std::function<void(const csr_matrix<double>&)> product_and_dot = [](const csr_matrix<double>& a) {
    const auto op = make_operator(multiply_inspect(a));
    static_cast<void>(op->apply_and_dot(op->space().zeros(a.cols), op->space().zeros(a.rows)));
  };
  const auto of_function = [](std::int64_t rows, std::int64_t cols) {
    const auto op = make_operator<double>(
        rows, cols, [](std::span<const double>, std::span<double> y) { std::fill(y.begin(), y.end(), 0.0); });
    static_cast<void>(op->apply_and_dot(op->space().zeros(cols), op->space().zeros(rows)));
  };
  const auto space = make_host_space<double>();
  const auto four = space->zeros(4);
  const auto three = space->zeros(3);
  std::vector<double> products(1);
  expect_errors({
      {"product and dot of a wide matrix", [&] { product_and_dot(wide()); }, errc::invalid_argument,
       "square matrix, not one of 4 x 7"},
      {"product and dot of a tall matrix", [&] { product_and_dot(tall); }, errc::invalid_argument,
       "square matrix, not one of 3 x 1"},
      {"product and dot of a wide function", [&] { of_function(2, 3); }, errc::invalid_argument,
       "square matrix, not one of 2 x 3"},
      {"product and dot of a tall function", [&] { of_function(3, 2); }, errc::invalid_argument,
       "square matrix, not one of 3 x 2"},
      {"dot of vectors that differ", [&] { static_cast<void>(space->dot(four, three)); }, errc::invalid_argument,
       "3 and 4"},
      {"update and square of vectors that differ", [&] { space->axpy_and_square(1, four, three); },
       errc::invalid_argument, "3"},
      {"advance of vectors that differ", [&] { space->advance(1, four, three, 1, four); }, errc::invalid_argument, "3"},
      {"dots of vectors that differ", [&] { space->dots(std::span(&three, 1), four, products); },
       errc::invalid_argument, "3"},
      {"combination of vectors that differ", [&] { space->add_combination(products, std::span(&three, 1), four); },
       errc::invalid_argument, "3"},
  });
}

TEST(ApiMisuse, OfPageRank) {
  const auto links = pagerank_inspect(good());
  const numbers three(3, 1.0);
  const numbers negative{1, -1, 1, 1};
  const numbers nothing(4);
  const auto rank = [&](const pagerank_options& options) {
    return [&links, options] { static_cast<void>(pagerank(links, options)); };
  };
  expect_errors({
      {"links that are not square", [] { static_cast<void>(pagerank_inspect(wide())); }, errc::invalid_argument,
       "square"},
      {"a link to a page that is not there", [] { static_cast<void>(pagerank_inspect(outside())); },
       errc::invalid_matrix, "column 4"},
      {"too few offsets", [] { static_cast<void>(pagerank_inspect(with([](auto& a) { a.row_offsets = {}; }))); },
       errc::invalid_matrix, "0 offsets"},
      {"a damping of 1", rank({.damping = 1}), errc::invalid_argument, "damping"},
      {"a damping that is no number", rank({.damping = std::numeric_limits<double>::quiet_NaN()}),
       errc::invalid_argument, "damping"},
      {"no iterations", rank({.max_iterations = 0}), errc::invalid_argument, "iteration"},
      {"a short personalisation", rank({.personalisation = three}), errc::invalid_argument, "3 numbers for 4 pages"},
      {"a negative personalisation", rank({.personalisation = negative}), errc::invalid_argument, "negative"},
      {"a personalisation of zeros", rank({.personalisation = nothing}), errc::invalid_argument, "positive"},
  });
}

TEST(ApiMisuse, OfFormatsAndBuilders) {
  const auto a = good();
  builder<double> assembled(3, 3);
  auto put = assembled.inserter();
  const auto convert_with = [&](const convert_options& options) {
    return [&a, options] { static_cast<void>(convert<sell_matrix<double>>(a, options)); };
  };
  expect_errors({
      {"slices of no rows", convert_with({.slice_height = 0}), errc::invalid_argument, "slice height of 0"},
      {"a window that is no multiple", convert_with({.slice_height = 4, .sort_window = 6}), errc::invalid_argument,
       "sort window of 6"},
      {"blocks of nothing", [&] { static_cast<void>(convert<bsr_matrix<double>>(a, {.block_size = 0})); },
       errc::invalid_argument, "block size of 0"},
      {"BSR of rows in disorder", [] { static_cast<void>(convert<bsr_matrix<double>>(descending())); },
       errc::invalid_matrix, "ascending"},
      {"DIA of a column outside", [] { static_cast<void>(convert<dia_matrix<double>>(outside())); },
       errc::invalid_matrix, "column 4"},
      {"an entry outside a builder", [&] { put(3, 0, 1.0); }, errc::invalid_argument, "3"},
      {"a sum of sizes that differ", [&] { static_cast<void>(add(1.0, a, 1.0, wide())); }, errc::invalid_argument, "7"},
      {"a sum with what reaches outside", [&] { static_cast<void>(add(1.0, a, 1.0, outside())); }, errc::invalid_matrix,
       "column 4"},
      {"the norm of what reaches outside", [] { static_cast<void>(norm_one(outside())); }, errc::invalid_matrix,
       "column 4"},
      {"a permutation of another length",
       [&] {
         const std::vector<std::int64_t> order{0, 1};
         static_cast<void>(permute(a, order, order));
       },
       errc::invalid_argument, "2"},
      {"a spec that says nothing", [] { static_cast<void>(generate<double>("@nothing:4")); }, errc::invalid_argument,
       "nothing"},
      {"a spec without a size", [] { static_cast<void>(generate<double>("@poisson2d")); }, errc::invalid_argument,
       "poisson2d"},
  });
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products, solvers and PageRank of any number of processes have the bits of one.
#include <lacis/hash.hpp>
#include <lacis/multiply.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/solve.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/vector.hpp>

#include "mpi/systems.hpp"

namespace lacis::test {
namespace {

/// Several blocks of sums, and shapes that the cut between processes meets differently.
const std::vector<std::string> specs = {"@poisson3d:32",           "@mesh3d:27",     "@rmat:14", "@kmer:30000",
                                        "@powerlaw:20000,12,6000", "@banded:17000,5"};

template <class T> csr_matrix<T> generated_matrix(const std::string& spec) {
  return generate<T>(spec, {.values = generated_values::random});
}

/// The same bits, NaNs being one.
template <class T> bool same(T a, T b) { return solution_hash(std::vector<T>{a}) == solution_hash(std::vector<T>{b}); }

template <class T> void expect_products(const csr_matrix<T>& a, const distributed_options& options) {
  const auto x = numbers<T>(a.cols, 3);
  std::vector<T> y(static_cast<std::size_t>(a.rows));
  multiply(a, x, y);
  const auto spread_a = spread(a);
  const distributed_matrix<T> product(spread_a, options);
  auto& space = product.space();
  const auto dx = space.zeros(product.cols());
  const auto dy = space.zeros(product.rows());
  space.from_host(part_of(x, spread_a.own_cols()), dx);
  std::vector<T> mine(static_cast<std::size_t>(product.rows()));
  for (int again = 0; again < 2; ++again) {
    product.apply(dx, dy);
    space.to_host(dy, mine);
    expect_same(mine, y, spread_a.own_rows());
  }
  EXPECT_EQ(space.hash(dy), solution_hash(y));
  EXPECT_TRUE(same(space.norm(dx), norm(x)));
  if (a.rows != a.cols) return;
  EXPECT_TRUE(same(space.dot(dx, dy), dotc(x, y)));
  space.axpby(T(0), dy, T(0), dy);
  EXPECT_TRUE(same(product.apply_and_dot(dx, dy), dotc(x, y)));
  EXPECT_EQ(space.hash(dy), solution_hash(y));
}

TEST(Bits, ProductsWithEveryExchange) {
  for (const auto& spec : specs)
    for (const exchange_kind kind :
         {exchange_kind::point_to_point, exchange_kind::neighbourhood, exchange_kind::all_to_all}) {
      SCOPED_TRACE(spec + " " + std::string(name_of(kind)));
      expect_products(generated_matrix<double>(spec), {.exchange = kind});
    }
}

TEST(Bits, ProductsOfEveryTypeInSmallMessages) {
  const distributed_options small{.exchange = exchange_kind::point_to_point, .longest_message = 7};
  expect_products(generated_matrix<float>("@rmat:14"), small);
  expect_products(generated_matrix<std::complex<float>>("@mesh3d:27"), small);
  expect_products(generated_matrix<std::complex<double>>("@kmer:30000"), {});
}

TEST(Bits, RowsAsTheyAreWhereMemoryIsShort) {
  for (const auto& spec : specs) {
    SCOPED_TRACE(spec);
    expect_products(generated_matrix<double>(spec), {.memory_limit = 1});
  }
}

TEST(Bits, LongRowsAreCut) {
  for (const std::int64_t longest : {std::int64_t{40}, std::int64_t{5000}}) {
    expect_products(generated_matrix<double>("@powerlaw:20000,12,6000"), {.longest_row = longest});
    expect_products(generated_matrix<std::complex<float>>("@rmat:14"), {.longest_row = longest});
  }
}

TEST(Bits, EveryMatrixOfTheBattery) {
  for (const auto& [name, a] : verification::test_matrices<double, std::int32_t>(verification::entries::reals)) {
    SCOPED_TRACE(name);
    if (is_canonical(a)) expect_products(a, {.longest_row = 3000});
  }
}

TEST(Bits, Transposes) {
  const auto a = generated_matrix<std::complex<double>>("@rmat:14");
  expect_equal(collect(transpose(spread(a))), wide(transpose(a)));
  expect_equal(collect(transpose(spread(a), true)), wide(conjugate_transpose(a)));
}

TEST(Bits, SparseProducts) {
  for (const auto& spec : {"@poisson3d:32", "@mesh3d:27", "@kmer:30000", "@banded:17000,5"}) {
    SCOPED_TRACE(spec);
    const auto a = generated_matrix<double>(spec);
    const auto spread_a = spread(a);
    expect_equal(collect(multiply(spread_a, spread_a)), wide(multiply(a, a)));
  }
}

TEST(Bits, Solvers) {
  for (const auto& spec : {"@poisson3d:32", "@mesh3d:27", "@banded:17000,5"}) {
    const auto a = solvable(spec);
    const auto b = numbers<double>(a.rows, 5);
    const auto spread_a = spread(a);
    const distributed_matrix<double> product(spread_a, {.adjoint = true});
    const auto serial = make_operator(multiply_inspect(a, {.transpose = true}));
    for (std::size_t i = 0; i < solve_methods; ++i) {
      const auto method = static_cast<solve_method>(i);
      SCOPED_TRACE(std::string(spec) + " " + std::string(name_of(method)));
      const solve_options options{.max_iterations = 25, .restart = 8};
      std::vector<double> x(static_cast<std::size_t>(a.cols), 0);
      const auto expected = solve<double>(method, *serial, b, x, options);
      std::vector<double> mine(static_cast<std::size_t>(product.cols()), 0);
      const auto found = solve<double>(method, product, part_of(b, spread_a.own_rows()), mine, options);
      EXPECT_EQ(found.history, expected.history);
      EXPECT_EQ(found.true_residual, expected.true_residual);
      expect_same(mine, x, spread_a.own_cols());
    }
  }
}

TEST(Bits, PageRank) {
  const auto links = generate<double>("@rmat:14");
  const auto expected = pagerank(links);
  const auto spread_links = spread(links);
  const auto found = pagerank(pagerank_inspect(spread_links));
  EXPECT_EQ(found.iterations, expected.iterations);
  EXPECT_EQ(found.change, expected.change);
  EXPECT_EQ(found.dangling, expected.dangling);
  EXPECT_EQ(found.links, expected.links);
  expect_same(std::vector<double>(found.ranks.begin(), found.ranks.end()),
              std::vector<double>(expected.ranks.begin(), expected.ranks.end()), spread_links.own_rows());
}

}  // namespace
}  // namespace lacis::test

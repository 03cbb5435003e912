// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operations that are two in one have the bits of the two, for every number of threads and instruction set.
#include <gtest/gtest.h>

#include <lacis/hash.hpp>
#include <lacis/operator.hpp>
#include <lacis/vector.hpp>

#include "solve/systems.hpp"

namespace lacis::test {
namespace {

template <class T> std::vector<T> numbers(std::int64_t n, int seed) {
  const auto all = full_numbers<T>(n, seed);
  return {all.begin(), all.end()};
}

template <class T> space_vector<T> put(vector_space<T>& space, const std::vector<T>& x) {
  auto there = space.zeros(static_cast<std::int64_t>(x.size()));
  space.from_host(x, there);
  return there;
}
template <class T> std::vector<T> get(vector_space<T>& space, const space_vector<T>& x) {
  std::vector<T> host(static_cast<std::size_t>(x.size()));
  space.to_host(x, host);
  return host;
}

/// Only what a space must have: the rest is what vector_space makes of it.
template <class T> class plain_space final : public vector_space<T> {
 public:
  using vector = space_vector<T>;
  explicit plain_space(vector_space<T>& all) : all_(all) {}
  vector zeros(std::int64_t size) override { return all_.zeros(size); }
  void from_host(std::span<const T> host, const vector& x) override { all_.from_host(host, x); }
  void to_host(const vector& x, std::span<T> host) override { all_.to_host(x, host); }
  void axpby(T alpha, const vector& x, T beta, const vector& y) override { all_.axpby(alpha, x, beta, y); }
  T dot(const vector& x, const vector& y) override { return all_.dot(x, y); }

 private:
  vector_space<T>& all_;
};

/// Gram matrices and combinations of several numbers of vectors: full tiles, and what is left of them.
template <class T> void use_blocks_of(vector_space<T>& space, std::int64_t n, std::vector<std::vector<T>>& results) {
  std::vector<space_vector<T>> x;
  std::vector<space_vector<T>> y;
  for (int i = 0; i < 19; ++i) x.push_back(put(space, numbers<T>(n, 50 + i)));
  for (int i = 0; i < 7; ++i) y.push_back(space.zeros(n));
  std::vector<T> factors = numbers<T>(42, 40);
  factors[41] = T(0);  // a vector that is not read
  for (const auto& [xs, ys] : {std::pair<std::size_t, std::size_t>{1, 3}, {6, 7}, {5, 1}, {5, 2}, {19, 2}, {17, 1}}) {
    space.combine(std::span(factors).last(xs * ys), std::span(x).first(xs), std::span(y).first(ys));
    for (std::size_t j = 0; j < ys; ++j) results.push_back(get(space, y[j]));
    std::vector<T> products(xs * ys);
    space.gram(std::span(x).first(xs), std::span(y).first(ys), products);
    results.push_back(products);
    std::vector<T> squares(ys * ys);
    space.gram(std::span(y).first(ys), std::span(y).first(ys), squares);
    results.push_back(squares);
    space.add_combinations(std::span(factors).last(xs * ys), std::span(x).first(xs), std::span(y).first(ys));
    for (std::size_t j = 0; j < ys; ++j) results.push_back(get(space, y[j]));
  }
  // What is not read may be infinite.
  std::vector<T> infinite(static_cast<std::size_t>(n), T(std::numeric_limits<real_of<T>>::infinity()));
  space.from_host(infinite, x[5]);
  space.combine(factors, std::span(x).first(6), y);
  results.push_back(get(space, y[6]));
}

template <class T> void expect_fused_like_plain(std::int64_t n, const multiply_options& options) {
  const auto host = make_host_space<T>(options);
  plain_space<T> plain(*host);
  const T alpha = numbers<T>(1, 21)[0];
  for (vector_space<T>* space : {static_cast<vector_space<T>*>(host.get()), static_cast<vector_space<T>*>(&plain)}) {
    static std::vector<std::vector<T>> first;
    std::vector<std::vector<T>> now;
    const auto x = put(*space, numbers<T>(n, 1));
    const auto y = put(*space, numbers<T>(n, 2));
    const auto z = put(*space, numbers<T>(n, 3));
    now.push_back({space->axpy_and_square(alpha, x, y)});
    now.push_back(get(*space, y));
    space->advance(alpha, y, z, -alpha, x);
    now.push_back(get(*space, x));
    now.push_back(get(*space, y));
    const std::vector<space_vector<T>> basis = {x, z, x};
    std::vector<T> products(3);
    space->dots(basis, y, products);
    now.push_back(products);
    space->add_combination(products, std::span(basis).first(2), y);
    now.push_back(get(*space, y));
    use_blocks_of(*space, n, now);
    if (space == host.get())
      first = now;
    else
      for (std::size_t i = 0; i < now.size(); ++i)
        EXPECT_EQ(solution_hash(now[i]), solution_hash(first[i])) << i << " of " << n;
  }
}

TEST(Space, TwoInOneHasTheBitsOfTheTwo) {
  for (const std::int64_t n : {0, 1, 31, 4095, 4096, 4097, 20000, 40001})
    for (const isa set : supported_isas())
      for (const int threads : {1, 2, 7}) {
        expect_fused_like_plain<double>(n, {threads, set});
        expect_fused_like_plain<float>(n, {threads, set});
        expect_fused_like_plain<std::complex<double>>(n, {threads, set});
      }
}

template <class T> void expect_product_and_dot(const csr_matrix<T>& a, const std::string& name) {
  if (a.rows != a.cols) return;
  const auto x = numbers<T>(a.cols, 5);
  for (const isa set : supported_isas())
    for (const int threads : {1, 2, 3, 7}) {
      const auto plan = multiply_inspect(a, {.threads = threads, .isa = set});
      const auto op = make_operator(plan);
      const auto there = put(op->space(), x);
      const auto y = op->space().zeros(a.rows);
      const T product = op->apply_and_dot(there, y);
      std::vector<T> expected(static_cast<std::size_t>(a.rows));
      multiply(a, x, expected);
      EXPECT_EQ(solution_hash(get(op->space(), y)), solution_hash(expected)) << name;
      const std::vector<T> sums = {product, dotc(x, expected)};
      EXPECT_EQ(solution_hash(std::span(sums).first(1)), solution_hash(std::span(sums).last(1)))
          << name << ' ' << plan.layout() << ' ' << threads;
    }
}

TEST(Space, AProductAndItsDotProductHaveTheBitsOfTheTwo) {
  for (const auto& [name, a] : test_matrices<double>(entries::reals)) expect_product_and_dot(a, name);
  for (const char* spec : {"@poisson3d:25", "@stencil27:17", "@poisson2d:130", "@banded:30000,3", "@uniform:9000,4"}) {
    generate_options options;
    options.values = generated_values::random;
    expect_product_and_dot(generate<double, std::int32_t>(spec, options), spec);
    expect_product_and_dot(generate<std::complex<float>, std::int32_t>(spec, options), spec);
  }
}

}  // namespace
}  // namespace lacis::test

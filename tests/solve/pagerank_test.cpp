// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// PageRank against the definition, with pages that link nowhere, with a reader's own pages, on threads.
#include <gtest/gtest.h>
#include <numeric>

#include <lacis/generate.hpp>
#include <lacis/hash.hpp>
#include <lacis/pagerank.hpp>

#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

/// Pages 0, 5, 10 ... link nowhere.
csr_matrix<double> web(std::int64_t n) {
  return from_rows<double, std::int32_t>(n, n, entries::reals, [n](std::int64_t i) {
    return i % 5 == 0 ? std::vector<std::int64_t>{} : random_columns(i, 1 + i % 7, n, 9);
  });
}

/// The definition, on a dense vector, for long enough.
std::vector<double> definition(const csr_matrix<double>& a, double damping, std::vector<double> start) {
  const auto n = static_cast<std::size_t>(a.rows);
  if (start.empty()) start.assign(n, 1.0);
  const double all = std::accumulate(start.begin(), start.end(), 0.0);
  for (double& value : start) value /= all;
  std::vector<double> rank(start);
  for (int k = 0; k < 300; ++k) {
    double lost = 0;
    std::vector<double> next(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto begin = a.row_offsets[static_cast<std::int64_t>(i)];
      const auto end = a.row_offsets[static_cast<std::int64_t>(i) + 1];
      if (begin == end) lost += rank[i];
      for (auto e = begin; e < end; ++e)
        next[static_cast<std::size_t>(a.columns[e])] += damping * rank[i] / static_cast<double>(end - begin);
    }
    for (std::size_t i = 0; i < n; ++i) next[i] += (damping * lost + 1 - damping) * start[i];
    rank = next;
  }
  return rank;
}

TEST(Pagerank, IsTheFixedPointOfItsDefinition) {
  for (const std::int64_t n : {1, 7, 900}) {
    const auto a = web(n);
    for (const double damping : {0.0, 0.5, 0.85}) {
      const auto result = pagerank(a, {.damping = damping, .tolerance = 1e-13, .max_iterations = 1000});
      EXPECT_TRUE(result.converged);
      const auto expected = definition(a, damping, {});
      double distance = 0;
      for (std::int64_t i = 0; i < n; ++i)
        distance += std::fabs(result.ranks[i] - expected[static_cast<std::size_t>(i)]);
      EXPECT_LT(distance, 1e-11) << n << ' ' << damping;
      EXPECT_NEAR(std::accumulate(result.ranks.begin(), result.ranks.end(), 0.0), 1, 1e-12);
    }
  }
}

TEST(Pagerank, ReadersMayHavePagesOfTheirOwn) {
  const auto a = web(900);
  std::vector<double> mine(900, 0.0);
  mine[3] = 2;
  mine[77] = 1;
  const auto result = pagerank(a, {.tolerance = 1e-13, .max_iterations = 1000, .personalisation = mine});
  const auto expected = definition(a, 0.85, mine);
  double distance = 0;
  for (std::int64_t i = 0; i < 900; ++i) distance += std::fabs(result.ranks[i] - expected[static_cast<std::size_t>(i)]);
  EXPECT_LT(distance, 1e-11);
  EXPECT_EQ(top_pages(result.ranks, 1).at(0).page, 3);
}

TEST(Pagerank, CountsALinkOnceWhateverItsValue) {
  auto a = web(50);
  auto twice = from_rows<double, std::int32_t>(50, 50, entries::reals, [&](std::int64_t i) {
    std::vector<std::int64_t> columns;
    for (auto k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) columns.insert(columns.end(), 2, a.columns[k]);
    return columns;
  });
  const auto once = pagerank(a);
  const auto both = pagerank(twice);
  EXPECT_EQ(solution_hash(once.ranks), solution_hash(both.ranks));
  EXPECT_EQ(both.links, a.nnz());
  EXPECT_EQ(both.dangling, 10);
}

TEST(Pagerank, HasTheSameBitsOnEveryNumberOfThreads) {
  const auto a = generate<double, std::int32_t>("@rmat:14");
  const auto expected = pagerank(a, {.threads = 1});
  for (const int threads : {2, 3, 5, 7}) {
    const auto result = pagerank(a, {.threads = threads});
    EXPECT_EQ(solution_hash(result.ranks), solution_hash(expected.ranks)) << threads;
    EXPECT_EQ(result.change, expected.change);
  }
}

TEST(Pagerank, TellsHowFarItIsAndStopsWhenAsked) {
  pagerank_options options;
  std::int64_t told = 0;
  options.monitor = [&](const pagerank_progress& now) {
    EXPECT_EQ(now.iteration, ++told);
    EXPECT_GT(now.edges_per_second, 0);
    return told < 4;
  };
  const auto result = pagerank(web(900), options);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 4);
}

TEST(Pagerank, TopPagesAreSortedAndTiesGoToTheFirst) {
  const std::vector<double> ranks = {0.1, 0.3, 0.2, 0.3, 0.1};
  const auto best = top_pages(ranks, 4);
  ASSERT_EQ(best.size(), 4u);
  EXPECT_EQ(best[0].page, 1);
  EXPECT_EQ(best[1].page, 3);
  EXPECT_EQ(best[2].page, 2);
  EXPECT_EQ(best[3].page, 0);
  EXPECT_EQ(top_pages(ranks, 9).size(), 5u);
}

TEST(Pagerank, RefusesWhatIsNoWeb) {
  const auto wide = from_rows<double, std::int32_t>(4, 5, entries::reals,
                                                    [](std::int64_t i) { return std::vector<std::int64_t>{i}; });
  EXPECT_EQ(code_of([&] { static_cast<void>(pagerank(wide)); }), errc::invalid_argument);
  const auto a = web(6);
  EXPECT_EQ(code_of([&] { static_cast<void>(pagerank(a, {.damping = 1})); }), errc::invalid_argument);
  const std::vector<double> negative = {1, 1, 1, -1, 1, 1};
  EXPECT_EQ(code_of([&] { static_cast<void>(pagerank(a, {.personalisation = negative})); }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::test

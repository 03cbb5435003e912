// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbering along paths.
#include <gtest/gtest.h>

#include <lacis/generate.hpp>

#include "reorder/graphs.hpp"

namespace lacis::test {
namespace {

std::vector<std::int64_t> chain_order_of(std::int64_t size, const edge_list& edges) {
  return list_of(reorder(matrix_of_edges(size, edges), reordering::chain));
}

TEST(Chain, StraightensAPath) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    EXPECT_EQ(bandwidth(reordered(matrix_of_edges(1000, shuffled(1000, path(1000), seed)), reordering::chain)), 1);
}

TEST(Chain, StartsAtTheSmallerEnd) {
  EXPECT_EQ(chain_order_of(5, {{4, 0}, {0, 2}, {2, 1}, {1, 3}}), (std::vector<std::int64_t>{3, 1, 2, 0, 4}));
}

/// A vertex alone is a path, too.
TEST(Chain, PutsPathsInOrderOfTheirStarts) {
  EXPECT_EQ(chain_order_of(7, {{5, 4}, {4, 3}, {6, 2}, {2, 0}}), (std::vector<std::int64_t>{0, 2, 6, 1, 3, 4, 5}));
}

/// All edges of a cycle but one join consecutive numbers.
TEST(Chain, CutsACycleOnce) {
  const auto a = reordered(matrix_of_edges(1000, shuffled(1000, cycle(1000))), reordering::chain);
  EXPECT_EQ(entries_beside_diagonal(a), 2 * 999);
  EXPECT_EQ(bandwidth(a), 999);
}

TEST(Chain, NumbersCyclesAfterPaths) {
  edge_list edges = cycle(3);
  edges.insert(edges.end(), {{5, 4}, {4, 3}});
  EXPECT_EQ(chain_order_of(6, edges), (std::vector<std::int64_t>{3, 4, 5, 0, 1, 2}));
}

/// The branch 2 keeps 1 and 3; the arm that begins at 4 is a path of its own.
TEST(Chain, GoesOnThroughABranch) {
  EXPECT_EQ(chain_order_of(7, {{0, 1}, {1, 2}, {2, 3}, {3, 6}, {2, 4}, {4, 5}}),
            (std::vector<std::int64_t>{0, 1, 2, 3, 6, 4, 5}));
}

/// Branches 0 and 1 have one plain neighbour each to go on to (2 and 3) and join each other; 4 and 5 are of no use to
/// them, as they belong to the triangle with 6.
TEST(Chain, JoinsBranchesThatHaveRoom) {
  const edge_list edges = {{2, 0}, {0, 1}, {1, 3}, {0, 4}, {1, 5}, {4, 5}, {5, 6}, {6, 4}};
  const auto order = chain_order_of(7, edges);
  const auto at = std::find(order.begin(), order.end(), 2) - order.begin();
  EXPECT_EQ((std::vector<std::int64_t>(order.begin() + at, order.begin() + at + 4)),
            (std::vector<std::int64_t>{2, 0, 1, 3}));
}

TEST(Chain, LeavesTheLeavesOfAStarThatDoNotFit) {
  edge_list star;
  for (std::int64_t v = 0; v < 5; ++v) star.emplace_back(5, v);
  EXPECT_EQ(chain_order_of(6, star), (std::vector<std::int64_t>{0, 5, 1, 2, 3, 4}));
}

/// 2 (n - 1) entries could stand beside the diagonal if one path joined all vertices.
TEST(Chain, PutsMostOfADeBruijnGraphBesideTheDiagonal) {
  const auto a = generate<float>("@kmer:100000");
  EXPECT_LT(entries_beside_diagonal(a) * 100, a.nnz());
  EXPECT_GT(entries_beside_diagonal(reordered(a, reordering::chain)) * 100, a.nnz() * 92);
}

}  // namespace
}  // namespace lacis::test

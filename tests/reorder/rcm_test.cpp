// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reverse Cuthill-McKee.
#include <gtest/gtest.h>

#include "reorder/graphs.hpp"

namespace lacis::test {
namespace {

TEST(Rcm, StraightensAPath) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    EXPECT_EQ(bandwidth(reordered(matrix_of_edges(1000, shuffled(1000, path(1000), seed)), reordering::rcm)), 1);
}

TEST(Rcm, FoldsACycle) {
  EXPECT_EQ(bandwidth(reordered(matrix_of_edges(1001, shuffled(1001, cycle(1001))), reordering::rcm)), 2);
}

/// From a corner, levels are diagonals of the grid, of at most `width` vertices; an edge joins neighbouring levels.
TEST(Rcm, NumbersAGridAlongItsDiagonals) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    EXPECT_LE(bandwidth(reordered(matrix_of_edges(400, shuffled(400, grid(10, 40), seed)), reordering::rcm)), 11);
}

/// From leaf 0 the farthest are the other leaves, of which 1 is the first.
TEST(Rcm, PutsTheCentreOfAStarBesideALeaf) {
  edge_list star;
  for (std::int64_t v = 0; v < 9; ++v) star.emplace_back(9, v);
  EXPECT_EQ(list_of(reorder(matrix_of_edges(10, star), reordering::rcm)),
            (std::vector<std::int64_t>{8, 7, 6, 5, 4, 3, 2, 0, 9, 1}));
}

/// The search from 0 ends at 10, the one from there at 7 and 8, as far from 10 as anything is. From 7 on, the
/// neighbours of 1 come in the order 0, 4, 2 of their degrees, and those of 2, which have equal ones, as 5, 6.
TEST(Rcm, TakesNeighboursByDegreeThenByNumber) {
  const edge_list edges = {{0, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}, {3, 7}, {4, 8}, {5, 9}, {6, 9}, {9, 10}};
  EXPECT_EQ(list_of(reorder(matrix_of_edges(11, edges), reordering::rcm)),
            (std::vector<std::int64_t>{10, 9, 6, 5, 8, 2, 4, 0, 1, 3, 7}));
}

TEST(Rcm, KeepsComponentsTogether) {
  edge_list edges = path(500);
  for (const auto& [v, w] : path(300)) edges.emplace_back(500 + v, 500 + w);
  EXPECT_EQ(bandwidth(reordered(matrix_of_edges(900, shuffled(900, edges)), reordering::rcm)), 1);
}

}  // namespace
}  // namespace lacis::test

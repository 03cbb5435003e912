// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A square matrix as a graph.
#include "reorder/graph.hpp"

#include <gtest/gtest.h>

#include "reorder/graphs.hpp"
#include "support/views.hpp"

namespace lacis::test {
namespace {

template <class Index> class Graph : public testing::Test {};
using index_types = testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Graph, index_types);

template <index Index> std::vector<std::int64_t> row_of(const detail::graph<Index>& g, std::int64_t v) {
  return {g.row(v).begin(), g.row(v).end()};
}

TYPED_TEST(Graph, BorrowsAMatrixThatIsSymmetric) {
  for (const edge_list& edges : {path(50), grid(7, 9), random_edges(20000, 60000, 4), edge_list{{0, 0}}}) {
    const auto a = matrix_of_edges<TypeParam>(20000, edges);
    EXPECT_EQ(detail::graph<TypeParam>(a.view()).columns().data(), a.columns.data());
  }
}

TYPED_TEST(Graph, SeesASingleEntryWithoutMirrorImage) {
  for (std::int64_t k = 0; k < 200; ++k) {
    edge_list entries;
    for (const auto& [v, w] : path(101)) entries.insert(entries.end(), {{v, w}, {w, v}});
    entries.erase(entries.begin() + k);
    const auto a = matrix_of_entries<TypeParam>(101, entries);
    EXPECT_FALSE(detail::examine(a.view()).symmetric) << "without entry " << k;
  }
}

/// As many entries below the diagonal as above it, in the same rows and columns, but elsewhere.
TYPED_TEST(Graph, SeesEntriesThatOnlyCountAlike) {
  const auto a = matrix_of_entries<TypeParam>(3, {{0, 1}, {1, 2}, {2, 0}});
  EXPECT_FALSE(detail::examine(a.view()).symmetric);
}

TYPED_TEST(Graph, SeesOrderAndLoops) {
  const auto facts_of = [](const edge_list& entries) {
    return detail::examine(view_of(matrix_of_entries<TypeParam>(3, entries)));
  };
  EXPECT_TRUE(facts_of({{0, 1}, {1, 0}, {1, 2}, {2, 1}}).canonical);
  EXPECT_FALSE(facts_of({{0, 1}, {1, 2}, {1, 0}, {2, 1}}).canonical);
  EXPECT_FALSE(facts_of({{0, 1}, {0, 1}, {1, 0}, {1, 0}}).canonical);
  EXPECT_FALSE(facts_of({{0, 1}, {1, 0}}).loops);
  EXPECT_TRUE(facts_of({{0, 1}, {1, 0}, {2, 2}}).loops);
  EXPECT_TRUE(facts_of({{0, 1}, {1, 0}, {2, 2}}).symmetric);
}

TYPED_TEST(Graph, MakesOtherMatricesSymmetric) {
  const auto a = matrix_of_entries<TypeParam>(4, {{0, 2}, {0, 1}, {0, 2}, {2, 2}, {3, 0}});
  const detail::graph<TypeParam> g(a.view());
  EXPECT_EQ(row_of(g, 0), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(row_of(g, 1), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(row_of(g, 2), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(row_of(g, 3), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(g.degree(0), 3);
  EXPECT_EQ(g.degree(2), 1);
}

TEST(VertexSet, HoldsWhatWasAdded) {
  detail::vertex_set set(200);
  for (const std::int64_t v : {0, 63, 64, 199}) set.add(v);
  set.remove(63);
  std::vector<std::int64_t> members;
  set.for_each(0, set.words(), [&](std::int64_t v) { members.push_back(v); });
  EXPECT_EQ(members, (std::vector<std::int64_t>{0, 64, 199}));
  std::vector<std::int64_t> others;
  set.for_each_other(3, set.words(), [&](std::int64_t v) { others.push_back(v); });
  EXPECT_EQ(others, (std::vector<std::int64_t>{192, 193, 194, 195, 196, 197, 198}));
  EXPECT_TRUE(set.holds(64));
  EXPECT_FALSE(set.holds(63));
}

}  // namespace
}  // namespace lacis::test

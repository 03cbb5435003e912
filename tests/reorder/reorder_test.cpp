// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What holds for every ordering of a square matrix.
#include <complex>
#include <gtest/gtest.h>
#include <string>

#include <lacis/generate.hpp>

#include "reorder/graphs.hpp"
#include "reorder/orders.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

constexpr reordering every_one[] = {reordering::none, reordering::rcm, reordering::chain, reordering::degree};

struct named_graph {
  std::string name;
  std::int64_t size;
  edge_list edges;
};

/// Small ones of every shape, and some large enough that several threads share the work.
std::vector<named_graph> graphs() {
  edge_list star;
  for (std::int64_t v = 1; v < 20; ++v) star.emplace_back(0, v);
  edge_list two_cycles = cycle(7);
  for (const auto& edge : cycle(5, 10)) two_cycles.push_back(edge);
  edge_list theta = path(6);
  theta.insert(theta.end(), {{0, 5}, {1, 4}});
  edge_list complete;
  for (std::int64_t v = 0; v < 6; ++v)
    for (std::int64_t w = 0; w < v; ++w) complete.emplace_back(v, w);
  return {{"nothing", 0, {}},
          {"one vertex", 1, {}},
          {"one vertex with a loop", 1, {{0, 0}}},
          {"no edges", 130, {}},
          {"only loops", 3, {{0, 0}, {1, 1}, {2, 2}}},
          {"one edge", 2, {{0, 1}}},
          {"path", 100, shuffled(100, path(100))},
          {"star", 20, star},
          {"two cycles, isolated vertices", 15, two_cycles},
          {"theta", 6, theta},
          {"complete", 6, complete},
          {"grid", 20 * 30, shuffled(20 * 30, grid(20, 30))},
          {"large path", 30000, shuffled(30000, path(30000))},
          {"large cycle", 30000, shuffled(30000, cycle(30000))},
          {"sparse at random", 40000, random_edges(40000, 40000, 2)},
          {"denser at random", 20000, random_edges(20000, 90000, 3)}};
}

TEST(Reorder, HasNames) {
  EXPECT_EQ(name_of(reordering::none), "none");
  EXPECT_EQ(name_of(reordering::rcm), "rcm");
  EXPECT_EQ(name_of(reordering::chain), "chain");
  EXPECT_EQ(name_of(reordering::degree), "degree");
}

TEST(Reorder, GivesEveryVertexOneNumber) {
  for (const auto& [name, size, edges] : graphs())
    for (const reordering how : every_one) {
      SCOPED_TRACE(name + ", " + std::string(name_of(how)));
      EXPECT_TRUE(is_permutation_of(list_of(reorder(matrix_of_edges(size, edges), how)), size));
      EXPECT_TRUE(is_permutation_of(list_of(reorder(matrix_of_entries(size, edges), how)), size));
    }
}

TEST(Reorder, LeavesTheOrderForNone) {
  EXPECT_EQ(list_of(reorder(matrix_of_edges(4, path(4)), reordering::none)), (std::vector<std::int64_t>{0, 1, 2, 3}));
}

TEST(Reorder, DoesNotDependOnThreads) {
  for (const auto& [name, size, edges] : graphs())
    for (const reordering how : every_one) {
      SCOPED_TRACE(name + ", " + std::string(name_of(how)));
      const auto a = matrix_of_edges(size, edges);
      std::vector<std::int64_t> alone;
      with_threads(1, [&] { alone = list_of(reorder(a, how)); });
      for (const int threads : {2, 3, 7})
        with_threads(threads, [&] { EXPECT_EQ(list_of(reorder(a, how)), alone) << threads << " threads"; });
    }
}

TEST(Reorder, DoesNotDependOnTypes) {
  for (const auto& [name, size, edges] : graphs())
    for (const reordering how : every_one) {
      SCOPED_TRACE(name + ", " + std::string(name_of(how)));
      const auto narrow = matrix_of_edges<std::int32_t>(size, edges);
      const auto wide = matrix_of_edges<std::int64_t>(size, edges);
      const auto expected = list_of(reorder(narrow, how));
      EXPECT_EQ(list_of(reorder(wide, how)), expected);
      EXPECT_EQ(list_of(reorder(cast_values<std::complex<double>>(narrow), how)), expected);
    }
}

TEST(Reorder, KeepsWideNumbersOnTheWayToo) {
  for (const auto& [name, size, edges] : graphs()) {
    SCOPED_TRACE(name);
    const auto a = matrix_of_edges<std::int64_t>(size, edges);
    const detail::graph<std::int64_t> g(a.view());
    EXPECT_EQ(list_of(detail::rcm_order<std::int64_t>(g)), list_of(reorder(a, reordering::rcm)));
    EXPECT_EQ(list_of(detail::chain_order<std::int64_t>(g)), list_of(reorder(a, reordering::chain)));
  }
}

/// The orderings of graphs see an entry, its mirror image and its repetitions as one edge, and no diagonal.
TEST(Reorder, JoinsRowsAndColumnsEitherWay) {
  for (const auto& [name, size, edges] : graphs())
    for (const reordering how : {reordering::rcm, reordering::chain}) {
      SCOPED_TRACE(name + ", " + std::string(name_of(how)));
      edge_list more = edges;
      more.insert(more.end(), edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(edges.size() / 2));
      for (std::int64_t v = 0; v < size; v += 3) more.emplace_back(v, v);
      EXPECT_EQ(list_of(reorder(matrix_of_entries(size, more), how)),
                list_of(reorder(matrix_of_edges(size, edges), how)));
    }
}

TEST(Reorder, RejectsOtherShapes) {
  auto a = matrix_of_edges(3, path(3));
  a.cols = 4;
  for (const reordering how : every_one)
    EXPECT_EQ(code_of([&] { static_cast<void>(reorder(a, how)); }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::test

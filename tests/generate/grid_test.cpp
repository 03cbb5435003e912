// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Grids, bands and the mesh against their closed forms.
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

#include <lacis/generate.hpp>

#include "generate/inspect.hpp"

namespace lacis::test {
namespace {

double row_sum(const csr_matrix<double>& a, std::int64_t i) {
  double sum = 0;
  for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) sum += a.values[k];
  return sum;
}

TEST(Grid, HasTheRowsOfTheBatterysNeighbours) {
  for (const std::int64_t n : {1, 2, 3, 6}) {
    const std::string size = std::to_string(n);
    const struct {
      csr_matrix<double> made;
      std::int64_t depth;
      bool faces;
      double diagonal;
    } cases[] = {{generate<double>("@poisson2d:" + size), 1, true, 4},
                 {generate<double>("@poisson3d:" + size), n, true, 6},
                 {generate<double>("@stencil27:" + size), n, false, 26}};
    for (const auto& c : cases) {
      ASSERT_EQ(c.made.rows, n * n * c.depth);
      ASSERT_EQ(c.made.cols, c.made.rows);
      for (std::int64_t i = 0; i < c.made.rows; ++i) {
        const auto expected = grid_neighbours(i, n, c.depth, c.faces);
        ASSERT_EQ(row_length(c.made, i), static_cast<std::int64_t>(expected.size()));
        for (std::size_t k = 0; k < expected.size(); ++k) {
          const std::int64_t slot = c.made.row_offsets[i] + static_cast<std::int64_t>(k);
          ASSERT_EQ(c.made.columns[slot], expected[k]);
          ASSERT_EQ(c.made.values[slot], expected[k] == i ? c.diagonal : -1);
        }
      }
    }
  }
}

TEST(Grid, HasAsManyEntriesAsTheClosedForms) {
  EXPECT_EQ(generate<double>("@poisson2d:200").nnz(), 5 * 200 * 200 - 4 * 200);
  EXPECT_EQ(generate<double>("@poisson3d:30").nnz(), 7 * 30 * 30 * 30 - 6 * 30 * 30);
  EXPECT_EQ(generate<double>("@stencil27:30").nnz(), 88 * 88 * 88);
  EXPECT_EQ(generate<double>("@banded:30000,7").nnz(), 30000 * 15 - 7 * 8);
}

TEST(Banded, HoldsEveryEntryWithinReachOfTheDiagonal) {
  for (const std::int64_t reach : {0, 1, 4, 9}) {
    const auto a = generate<double>("@banded:10," + std::to_string(reach));
    ASSERT_EQ(canonical_problem(a), "");
    for (std::int64_t i = 0; i < 10; ++i)
      for (std::int64_t j = 0; j < 10; ++j) {
        const std::int64_t slot = find_entry(a, i, j);
        ASSERT_EQ(slot >= 0, std::abs(i - j) <= reach);
        if (slot >= 0) {
          ASSERT_EQ(a.values[slot], i == j ? 2.0 * static_cast<double>(reach) + 1 : -1);
        }
      }
  }
}

TEST(Mesh, HasTheEdgesOfItsTetrahedra) {
  constexpr std::int64_t n = 5;
  const auto a = generate<double>("@mesh3d:5");
  using point = std::tuple<int, int, int>;  // corners have even coordinates, centres odd ones
  std::vector<point> points;
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        points.emplace_back(2 * x, 2 * y, 2 * z);
        if (x < n - 1 && y < n - 1 && z < n - 1) points.emplace_back(2 * x + 1, 2 * y + 1, 2 * z + 1);
      }
  ASSERT_EQ(a.rows, static_cast<std::int64_t>(points.size()));
  ASSERT_EQ(canonical_problem(a), "");
  ASSERT_TRUE(is_symmetric(a));
  std::map<point, int> diagonals_through;  // the middle of each square between cells
  std::int64_t axes = 0;
  std::int64_t rising = 0;
  std::int64_t to_centres = 0;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      if (a.columns[k] == i) continue;
      const auto [x, y, z] = points[static_cast<std::size_t>(i)];
      const auto [u, v, w] = points[static_cast<std::size_t>(a.columns[k])];
      const int distance = (x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w);
      ASSERT_TRUE(distance == 3 || distance == 4 || distance == 8) << "no edge of the mesh has this length";
      if (distance == 3) {
        ASSERT_NE(x % 2, u % 2) << "two centres are joined";
        ++to_centres;
      }
      if (distance == 4) ++axes;
      if (distance == 8) {
        diagonals_through[{(x + u) / 2, (y + v) / 2, (z + w) / 2}]++;
        if ((x - u) * (y - v) + (x - u) * (z - w) + (y - v) * (z - w) > 0) ++rising;
      }
    }
  EXPECT_EQ(to_centres, 2 * 8 * 64);
  EXPECT_EQ(axes, 2 * 3 * n * n * (n - 1));
  EXPECT_EQ(diagonals_through.size(), 3u * n * (n - 1) * (n - 1));
  for (const auto& [middle, entries] : diagonals_through) ASSERT_EQ(entries, 2) << "one diagonal a square";
  EXPECT_GT(rising / 2, 80);  // of 240 squares; five standard deviations are 39
  EXPECT_LT(rising / 2, 160);
}

TEST(Mesh, HasDegreePlusOneOnTheDiagonal) {
  for (const std::string spec : {"@mesh3d:1", "@mesh3d:2", "@mesh3d:9", "@mesh3d:9,shuffled"}) {
    const auto a = generate<double>(spec);
    for (std::int64_t i = 0; i < a.rows; ++i) {
      const std::int64_t slot = find_entry(a, i, i);
      ASSERT_GE(slot, 0);
      ASSERT_EQ(a.values[slot], static_cast<double>(row_length(a, i)));
      ASSERT_EQ(row_sum(a, i), 1);
    }
  }
}

TEST(Mesh, ShuffledIsTheSameMeshInAnotherOrder) {
  const auto plain = generate<double>("@mesh3d:20");
  const auto shuffled = generate<double>("@mesh3d:20,shuffled");
  const std::int64_t edges = 3 * 20 * 20 * 19 + 3 * 20 * 19 * 19 + 8 * 19 * 19 * 19;
  EXPECT_EQ(plain.nnz(), plain.rows + 2 * edges);
  EXPECT_EQ(shuffled.nnz(), plain.nnz());
  auto lengths = row_lengths(plain);
  auto shuffled_lengths = row_lengths(shuffled);
  EXPECT_NE(lengths, shuffled_lengths);
  std::sort(lengths.begin(), lengths.end());
  std::sort(shuffled_lengths.begin(), shuffled_lengths.end());
  EXPECT_EQ(lengths, shuffled_lengths);
  EXPECT_EQ(canonical_problem(shuffled), "");
  EXPECT_TRUE(is_symmetric(shuffled));
  std::int64_t reach = 0;
  for (std::int64_t i = 0; i < plain.rows; ++i)
    reach = std::max<std::int64_t>(reach, plain.columns[plain.row_offsets[i + 1] - 1] - i);
  EXPECT_LT(reach, 2 * 20 * 20 + 2 * 20) << "numbers of neighbours differ by a plane and a line at most";
}

}  // namespace
}  // namespace lacis::test

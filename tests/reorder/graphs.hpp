// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Small graphs as matrices, orderings of them, and what a good ordering does to a matrix.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <omp.h>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <lacis/reorder.hpp>
#include <lacis/structure.hpp>

namespace lacis::test {

using edge_list = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The pattern with these entries, as they stand: neither sorted nor mirrored.
template <index Index = std::int32_t> csr_matrix<float, Index> matrix_of_entries(std::int64_t size, edge_list entries) {
  std::stable_sort(entries.begin(), entries.end(), [](auto a, auto b) { return a.first < b.first; });
  csr_matrix<float, Index> a{.rows = size,
                             .cols = size,
                             .row_offsets = buffer<std::int64_t>(size + 1, 0),
                             .columns = buffer<Index>(static_cast<std::int64_t>(entries.size())),
                             .values = values_array<float>::same(1)};
  for (std::size_t k = 0; k < entries.size(); ++k) {
    ++a.row_offsets[entries[k].first + 1];
    a.columns[static_cast<std::int64_t>(k)] = static_cast<Index>(entries[k].second);
  }
  std::partial_sum(a.row_offsets.begin(), a.row_offsets.end(), a.row_offsets.begin());
  return a;
}

/// Both entries of each edge, in canonical rows.
template <index Index = std::int32_t>
csr_matrix<float, Index> matrix_of_edges(std::int64_t size, const edge_list& edges) {
  std::set<std::pair<std::int64_t, std::int64_t>> entries;
  for (const auto& [v, w] : edges) entries.insert({{v, w}, {w, v}});
  return matrix_of_entries<Index>(size, {entries.begin(), entries.end()});
}

/// The same graph with its vertices numbered at random.
inline edge_list shuffled(std::int64_t size, edge_list edges, unsigned seed = 1) {
  std::vector<std::int64_t> number(static_cast<std::size_t>(size));
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), std::mt19937(seed));
  for (auto& [v, w] : edges) {
    v = number[static_cast<std::size_t>(v)];
    w = number[static_cast<std::size_t>(w)];
  }
  return edges;
}

inline edge_list path(std::int64_t size) {
  edge_list edges;
  for (std::int64_t v = 0; v + 1 < size; ++v) edges.emplace_back(v, v + 1);
  return edges;
}

inline edge_list cycle(std::int64_t size, std::int64_t first = 0) {
  edge_list edges;
  for (std::int64_t v = 0; v < size; ++v) edges.emplace_back(first + v, first + (v + 1) % size);
  return edges;
}

inline edge_list grid(std::int64_t width, std::int64_t height) {
  edge_list edges;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      if (x + 1 < width) edges.emplace_back(y * width + x, y * width + x + 1);
      if (y + 1 < height) edges.emplace_back(y * width + x, (y + 1) * width + x);
    }
  return edges;
}

/// Edges drawn at random, with a few loops among them.
inline edge_list random_edges(std::int64_t size, std::int64_t count, unsigned seed) {
  std::mt19937_64 draw(seed);
  edge_list edges;
  const auto vertex = [&] { return static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(size)); };
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t v = vertex();
    edges.emplace_back(v, k % 50 == 0 ? v : vertex());
  }
  return edges;
}

inline std::vector<std::int64_t> list_of(const buffer<std::int64_t>& order) { return {order.begin(), order.end()}; }

inline bool is_permutation_of(std::vector<std::int64_t> order, std::int64_t size) {
  std::sort(order.begin(), order.end());
  std::vector<std::int64_t> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

/// The largest distance of an entry from the diagonal.
template <class Matrix> std::int64_t bandwidth(const Matrix& a) {
  std::int64_t widest = 0;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      widest = std::max(widest, std::abs(i - static_cast<std::int64_t>(a.columns[k])));
  return widest;
}

/// How many entries stand right beside the diagonal.
template <class Matrix> std::int64_t entries_beside_diagonal(const Matrix& a) {
  std::int64_t beside = 0;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      beside += std::abs(i - static_cast<std::int64_t>(a.columns[k])) == 1 ? 1 : 0;
  return beside;
}

template <class Matrix> Matrix reordered(const Matrix& a, reordering how) {
  const auto order = reorder(a, how);
  return permute(a, order, order);
}

template <class Work> void with_threads(int threads, Work&& work) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  work();
  omp_set_num_threads(before);
}

}  // namespace lacis::test

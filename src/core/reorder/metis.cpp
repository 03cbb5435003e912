// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A graph cut by METIS (Karypis and Kumar 1998): multilevel recursive bisection.
#include "reorder/metis.hpp"

#include <limits>
#include <metis.h>
#include <numeric>

#include <lacis/error.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace lacis::detail {
namespace {

template <index Index> void require_countable(const graph<Index>& g, const buffer<std::int64_t>& weights) {
  constexpr std::int64_t most = std::numeric_limits<idx_t>::max();
  const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  if (g.row_offsets().back() > most || total > most)
    throw error(errc::overflow, text("the graph has ", g.row_offsets().back(), " entries and weighs ", total,
                                     ", but this METIS counts to ", most,
                                     "; cut it with PT-Scotch under mpirun, or link a METIS ", "with 64-bit numbers"));
}

/// Neighbours in the numbers of METIS, which knows no vertex that is its own neighbour.
struct metis_graph {
  buffer<idx_t> offsets;
  buffer<idx_t> neighbours;

  template <class Index> explicit metis_graph(const graph<Index>& g) : offsets(g.size() + 1) {
    offsets[0] = 0;
    for (std::int64_t v = 0; v < g.size(); ++v) offsets[v + 1] = offsets[v] + static_cast<idx_t>(g.degree(v));
    neighbours = buffer<idx_t>(offsets[g.size()]);
    parallel_for(g.size(), [&](std::int64_t v) {
      std::int64_t next = offsets[v];
      for (const Index w : g.row(v))
        if (w != v) neighbours[next++] = static_cast<idx_t>(w);
    });
  }
};

}  // namespace

template <class Index>
buffer<std::int32_t> bisected(const graph<Index>& g, const buffer<std::int64_t>& weights, std::int64_t count) {
  require_countable(g, weights);
  metis_graph all(g);
  buffer<idx_t> vertex_weights(g.size());
  parallel_for(g.size(), [&](std::int64_t v) { vertex_weights[v] = static_cast<idx_t>(weights[v]); });
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  constexpr idx_t seed = 1;
  options[METIS_OPTION_SEED] = seed;
  idx_t vertices = static_cast<idx_t>(g.size());
  idx_t constraints = 1;
  idx_t parts = static_cast<idx_t>(count);
  idx_t cut = 0;
  buffer<idx_t> part(g.size());
  const int outcome = METIS_PartGraphRecursive(&vertices, &constraints, all.offsets.data(), all.neighbours.data(),
                                               vertex_weights.data(), nullptr, nullptr, &parts, nullptr, nullptr,
                                               options, &cut, part.data());
  if (outcome == METIS_ERROR_MEMORY)
    throw error(errc::out_of_memory, text("METIS found no memory for a graph of ", all.neighbours.size(), " entries"));
  if (outcome != METIS_OK) throw error(errc::unsupported, text("METIS gave up with its error ", outcome));
  buffer<std::int32_t> result(g.size());
  parallel_for(g.size(), [&](std::int64_t v) { result[v] = static_cast<std::int32_t>(part[v]); });
  return result;
}

template buffer<std::int32_t> bisected(const graph<std::int32_t>&, const buffer<std::int64_t>&, std::int64_t);
template buffer<std::int32_t> bisected(const graph<std::int64_t>&, const buffer<std::int64_t>&, std::int64_t);

}  // namespace lacis::detail

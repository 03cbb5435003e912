// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Nested parts: vertices weighed, cut, and numbered part by part.
#include <algorithm>

#include <lacis/error.hpp>
#include <lacis/partition.hpp>
#include <lacis/row_ranges.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/radix.hpp"
#include "base/text.hpp"
#include "reorder/metis.hpp"

namespace lacis {

bool has_partitioner() {
#ifdef LACIS_HAS_METIS
  return true;
#else
  return false;
#endif
}

namespace detail {
namespace {

#ifdef LACIS_HAS_METIS

/// Rows and entries. A row that outweighs a part cannot be cut: it counts for no more than a sixteenth of one, since
/// bisection needs several vertices to choose from.
buffer<std::int64_t> weights_of(std::span<const std::int64_t> row_offsets, std::int64_t count) {
  constexpr std::int64_t least_vertices = 16;
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  const std::int64_t most = std::max<std::int64_t>(1, (rows + row_offsets.back()) / count / least_vertices);
  buffer<std::int64_t> weights(rows);
  parallel_for(rows, [&](std::int64_t i) {
    weights[i] = std::min(1 + row_offsets.data()[i + 1] - row_offsets.data()[i], most);
  });
  return weights;
}

/// Where parts begin, each at the nearest multiple of rows_in_chunk.
std::vector<std::int64_t> begins_of(const buffer<std::int32_t>& part, std::int64_t count) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(count), 0);
  for (const std::int32_t p : part) ++sizes[static_cast<std::size_t>(p)];
  std::vector<std::int64_t> begins = {0};
  std::int64_t before = 0;
  for (std::size_t p = 0; p + 1 < sizes.size(); ++p) {
    before += sizes[p];
    const std::int64_t nearest = (before + rows_in_chunk / 2) / rows_in_chunk * rows_in_chunk;
    if (nearest > begins.back() && nearest < part.size()) begins.push_back(nearest);
  }
  begins.push_back(part.size());
  return begins;
}

template <index Index> row_parts cut(const pattern_view<Index>& a, std::int64_t count) {
  const buffer<std::int32_t> part = bisected(graph<Index>(a), weights_of(a.row_offsets, count), count);
  return {order_by_key<std::int64_t>(a.rows, count - 1, [&](std::int64_t row) { return part[row]; }),
          begins_of(part, count)};
}

#endif

row_parts one_part(std::int64_t rows) {
  row_parts all{buffer<std::int64_t>(rows), {0, rows}};
  parallel_for(rows, [&](std::int64_t i) { all.order[i] = i; });
  return all;
}

}  // namespace

template <class Value, class Index> row_parts nested_parts(const csr_view<Value, Index>& a, std::int64_t count) {
  if (a.rows != a.cols)
    throw error(errc::invalid_argument,
                text("only a square matrix is cut into parts; this one is ", a.rows, " x ", a.cols));
  if (count < 1) throw error(errc::invalid_argument, text("a matrix cannot be cut into ", count, " parts"));
  if (!has_partitioner())
    throw error(errc::unsupported, "this build has no METIS to cut with; build with -DLACIS_WITH_METIS=ON");
  const std::int64_t most = a.rows / rows_in_chunk;
  if (std::min(count, most) < 2) return one_part(a.rows);
#ifdef LACIS_HAS_METIS
  return cut(unit_pattern_of(a), std::min(count, most));
#else
  return {};
#endif
}

#define LACIS_PARTITION(Value, Index) \
  template LACIS_API row_parts nested_parts(const csr_view<Value, Index>&, std::int64_t);
LACIS_FOR_EACH_TYPE(LACIS_PARTITION)

}  // namespace detail
}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Shapes of rows found and numbered; values laid out by entries.
#include "cpu/spgemm/shapes.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "base/parallel.hpp"
#include "formats/order_rows.hpp"

namespace lacis::cpu {
namespace {

/// Two of the widest vectors: rows that a kernel may read beyond the last one.
constexpr std::int64_t lanes = 32;

/// Values held entry by entry may take so many times what the matrix holds.
constexpr double most_padding = 1.5;

/// Of all rows, so many have the shape of the row before.
constexpr double fewest_following = 0.75;

template <class T, class Index> bool follows(const csr_view<T, Index>& a, std::int64_t row) {
  const std::int64_t* offsets = a.row_offsets.data();
  const std::int64_t length = offsets[row] - offsets[row - 1];
  if (offsets[row + 1] - offsets[row] != length) return false;
  const Index* before = a.columns.data() + offsets[row - 1];
  const Index* here = a.columns.data() + offsets[row];
  for (std::int64_t k = 0; k < length; ++k)
    if (here[k] != before[k] + 1) return false;
  return true;
}

/// A few hundred pairs of rows, evenly spread.
template <class T, class Index> bool looks_regular(const csr_view<T, Index>& a) {
  constexpr std::int64_t samples = 512;
  const std::int64_t taken = std::min(samples, a.rows - 1);
  std::int64_t following = 0;
  for (std::int64_t s = 0; s < taken; ++s) following += follows(a, 1 + s * (a.rows - 1) / taken) ? 1 : 0;
  return static_cast<double>(following) >= fewest_following * static_cast<double>(taken);
}

/// The rows at which a shape begins.
template <class T, class Index> std::vector<std::int64_t> find_heads(const csr_view<T, Index>& a) {
  const int threads = detail::threads_for(a.nnz());
  std::vector<std::vector<std::int64_t>> parts(static_cast<std::size_t>(threads));
  detail::on_threads(threads, [&](int t, int count) {
    const std::int64_t last = detail::even_cut(a.rows, t + 1, count);
    for (std::int64_t i = detail::even_cut(a.rows, t, count); i < last; ++i)
      if (i == 0 || !follows(a, i)) parts[static_cast<std::size_t>(t)].push_back(i);
  });
  std::vector<std::int64_t> heads = std::move(parts[0]);
  for (std::size_t t = 1; t < parts.size(); ++t) heads.insert(heads.end(), parts[t].begin(), parts[t].end());
  return heads;
}

/// More shapes than these are no pattern.
constexpr std::size_t most_shapes = 4096;

/// A number for the shape of each head: equal numbers for equal distances from the diagonal. Nothing when there are too
/// many.
template <class T, class Index>
std::vector<std::int32_t> number_shapes(const csr_view<T, Index>& a, const std::vector<std::int64_t>& heads) {
  std::map<std::vector<std::int64_t>, std::int32_t> known;
  std::vector<std::int32_t> numbers;
  numbers.reserve(heads.size());
  std::vector<std::int64_t> distances;
  for (const std::int64_t row : heads) {
    distances.clear();
    for (std::int64_t p = a.row_offsets.data()[row]; p < a.row_offsets.data()[row + 1]; ++p)
      distances.push_back(a.columns.data()[p] - row);
    // The other rows of a shape are as this one.
    if (std::adjacent_find(distances.begin(), distances.end(), std::greater_equal<>()) != distances.end())
      detail::require_canonical(a, "spgemm");
    numbers.push_back(known.try_emplace(distances, static_cast<std::int32_t>(known.size())).first->second);
    if (known.size() > most_shapes) return {};
  }
  return numbers;
}

/// From one row's entry to the next: an odd number of pairs of cache lines, so that the entries of a row do not fall
/// into few sets of a cache.
std::int64_t stride_for(std::int64_t rows) { return (rows / (2 * lanes) + 2) * 2 * lanes + lanes; }

template <class T, class Index> std::optional<row_shapes> shapes_of(const csr_view<T, Index>& a) {
  const bool fits = a.rows <= std::numeric_limits<std::int32_t>::max();
  if (a.rows < 2 * lanes || !fits || !looks_regular(a)) return std::nullopt;
  const std::vector<std::int64_t> heads = find_heads(a);
  if (static_cast<double>(heads.size()) > (1 - fewest_following) * static_cast<double>(a.rows)) return std::nullopt;
  row_shapes found;
  for (const std::int64_t row : heads)
    found.longest = std::max(found.longest, a.row_offsets.data()[row + 1] - a.row_offsets.data()[row]);
  const auto padded = static_cast<double>(stride_for(a.rows) * found.longest);
  if (padded > most_padding * static_cast<double>(a.nnz()) + 4096) return std::nullopt;
  const std::vector<std::int32_t> numbers = number_shapes(a, heads);
  if (numbers.empty()) return std::nullopt;
  found.shape = buffer<std::int32_t>(a.rows);
  found.run_end = buffer<std::int32_t>(a.rows);
  const auto count = static_cast<std::int64_t>(heads.size());
  detail::on_threads(detail::threads_for(a.rows), [&](int t, int parts) {
    const std::int64_t end = detail::even_cut(count, t + 1, parts);
    for (std::int64_t h = detail::even_cut(count, t, parts); h < end; ++h) {
      const std::int64_t first = heads[static_cast<std::size_t>(h)];
      const std::int64_t last = h + 1 < count ? heads[static_cast<std::size_t>(h + 1)] : a.rows;
      std::fill(found.shape.data() + first, found.shape.data() + last, numbers[static_cast<std::size_t>(h)]);
      std::fill(found.run_end.data() + first, found.run_end.data() + last, static_cast<std::int32_t>(last));
    }
  });
  return found;
}

template <class T, class Index> entry_values<T> values_of(const csr_view<T, Index>& a, const row_shapes& shapes) {
  entry_values<T> held;
  if (a.values.iso) {
    held.data = buffer<T>(lanes, a.values[0]);
    held.row_step = 0;
    return held;
  }
  held.stride = stride_for(a.rows);
  held.data = buffer<T>(held.stride * shapes.longest + lanes);
  const std::int64_t* offsets = a.row_offsets.data();
  const std::int64_t blocks = a.rows / lanes + 2;  // what lies behind the last row is read, and must be a number
  // A few rows at a time: what is read stays in cache until every entry of it is written.
  detail::on_threads(detail::threads_for(a.nnz()), [&](int t, int parts) {
    const std::int64_t end = detail::even_cut(blocks, t + 1, parts);
    for (std::int64_t block = detail::even_cut(blocks, t, parts); block < end; ++block) {
      const std::int64_t first = block * lanes;
      T* to = held.data.data() + first;
      const bool is_one_run = first + lanes <= a.rows && shapes.run_end[first] >= first + lanes;
      if (is_one_run) {
        const std::int64_t length = offsets[first + 1] - offsets[first];
        const T* from = a.values.data.data() + offsets[first];
        for (std::int64_t e = 0; e < length; ++e)
          for (std::int64_t lane = 0; lane < lanes; ++lane) to[e * held.stride + lane] = from[lane * length + e];
        for (std::int64_t e = length; e < shapes.longest; ++e) std::fill_n(to + e * held.stride, lanes, T{});
        continue;
      }
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const std::int64_t row = first + lane;
        const std::int64_t from = row < a.rows ? offsets[row] : 0;
        const std::int64_t length = row < a.rows ? offsets[row + 1] - from : 0;
        for (std::int64_t e = 0; e < shapes.longest; ++e)
          to[e * held.stride + lane] = e < length ? a.values.data.data()[from + e] : T{};
      }
    }
  });
  return held;
}

}  // namespace

template <class T, class Index>
std::optional<operand_shapes> find_shapes(const csr_view<T, Index>& a, const csr_view<T, Index>& b) {
  std::optional<row_shapes> right = shapes_of(b);
  if (!right) return std::nullopt;
  operand_shapes both{std::move(*right), std::nullopt};
  const bool are_one = a.columns.data() == b.columns.data() && a.row_offsets.data() == b.row_offsets.data();
  if (are_one && a.rows == b.rows) return both;
  both.own_a = shapes_of(a);
  return both.own_a ? std::optional(std::move(both)) : std::nullopt;
}

template <class T, class Index>
operand_values<T> values_by_entry(const csr_view<T, Index>& a, const csr_view<T, Index>& b,
                                  const operand_shapes& shapes) {
  operand_values<T> both{values_of(b, shapes.b), std::nullopt};
  const bool same = !shapes.own_a && a.values.data.data() == b.values.data.data();
  if (!same) both.own_a = values_of(a, shapes.a());
  return both;
}

std::int64_t bytes_of(const operand_shapes& shapes) {
  return shapes.b.bytes() + (shapes.own_a ? shapes.own_a->bytes() : 0);
}

#define LACIS_SHAPES(T, Index)                                                                              \
  template std::optional<operand_shapes> find_shapes(const csr_view<T, Index>&, const csr_view<T, Index>&); \
  template operand_values<T> values_by_entry(const csr_view<T, Index>&, const csr_view<T, Index>&,          \
                                             const operand_shapes&);
LACIS_SHAPES(float, std::int32_t)
LACIS_SHAPES(double, std::int32_t)

}  // namespace lacis::cpu

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Counting how often columns occur, in all entries or in a sample of them.
#include "plan/layouts/staged/by_frequency.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "summation/hash.hpp"

namespace lacis::detail {
namespace {

constexpr std::size_t classes = 128;

/// Small counts as they are, larger ones by their first two bits behind the leading one: a larger class for a larger
/// count.
std::size_t class_of(std::uint32_t count) {
  const int bits = std::bit_width(count);
  if (bits <= 3) return count;
  return static_cast<std::size_t>(bits - 2) * 4 + (count >> (bits - 3) & 3);
}

/// How many entries refer to each column; every thread counts for itself as far as that takes no more memory than the
/// entries do.
template <index Index>
std::vector<std::vector<std::uint32_t>> count_columns(std::span<const Index> entries, std::int64_t cols) {
  const auto size = static_cast<std::int64_t>(entries.size());
  const std::int64_t worth = std::max<std::int64_t>(1, size / std::max<std::int64_t>(1, cols));
  const int threads = static_cast<int>(std::min<std::int64_t>(threads_for(size), worth));
  std::vector<std::vector<std::uint32_t>> counts(static_cast<std::size_t>(threads));
  on_threads(threads, [&](int t, int) {
    auto& mine = counts[static_cast<std::size_t>(t)];
    mine.assign(static_cast<std::size_t>(cols), 0);
    const auto end = static_cast<std::size_t>(even_cut(size, t + 1, threads));
    for (auto k = static_cast<std::size_t>(even_cut(size, t, threads)); k < end; ++k)
      ++mine[static_cast<std::size_t>(entries[k])];
  });
  return counts;
}

}  // namespace

template <index Index> buffer<std::int32_t> by_frequency(std::span<const Index> entries, std::int64_t cols) {
  const auto counts = count_columns(entries, cols);
  std::vector<std::uint8_t> class_of_column(static_cast<std::size_t>(cols));
  parallel_for(cols, [&](std::int64_t c) {
    std::uint32_t count = 0;
    for (const auto& part : counts) count += part[static_cast<std::size_t>(c)];
    class_of_column[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(class_of(count));
  });
  std::array<std::int64_t, classes> next{};
  for (const std::uint8_t one : class_of_column) ++next[one];
  std::int64_t place = 0;
  for (std::size_t k = classes; k-- > 0;) place += std::exchange(next[k], place);
  buffer<std::int32_t> order(cols);
  for (std::int64_t c = 0; c < cols; ++c)
    order[next[class_of_column[static_cast<std::size_t>(c)]]++] = static_cast<std::int32_t>(c);
  return order;
}

double frequent_columns::share_of(std::int64_t first) const {
  const auto known = static_cast<std::int64_t>(shares.size()) - 1;
  if (first >= cols) return 1;
  if (first <= known) return shares[static_cast<std::size_t>(first)];
  return 1 - (1 - shares.back()) * static_cast<double>(cols - first) / static_cast<double>(cols - known);
}

/// Columns are found in every other entry of the sample; the rest tells what share they have: columns that occur by
/// chance have none.
template <index Index> frequent_columns frequent_columns_of(std::span<const Index> entries, std::int64_t cols) {
  constexpr std::int64_t most = 1 << 15;
  frequent_columns found{.cols = cols};
  const auto size = static_cast<std::int64_t>(entries.size());
  const std::int64_t half = std::min(most, size / 32);
  if (half == 0) return found;
  std::vector<Index> seen[2];
  const std::int64_t step = size / (2 * half);
  // Somewhere in each step: rows of equal length are not met at the same place each time.
  for (std::int64_t k = 0; k < 2 * half; ++k) {
    const std::uint64_t place = summation::mix(static_cast<std::uint64_t>(k)) % static_cast<std::uint64_t>(step);
    seen[k % 2].push_back(entries[static_cast<std::size_t>(k * step) + place]);
  }
  for (auto& columns : seen) std::sort(columns.begin(), columns.end());
  // How often a column is in the first half and in the second.
  std::vector<std::pair<std::int64_t, std::int64_t>> counts;
  auto other = seen[1].begin();
  for (auto at = seen[0].begin(); at != seen[0].end();) {
    const auto end = std::upper_bound(at, seen[0].end(), *at);
    other = std::lower_bound(other, seen[1].end(), *at);
    const auto other_end = std::upper_bound(other, seen[1].end(), *at);
    counts.emplace_back(end - at, other_end - other);
    at = end;
    other = other_end;
  }
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::int64_t entries_of_first = 0;
  for (const auto& [chosen_for, told] : counts) {
    entries_of_first += told;
    found.shares.push_back(static_cast<double>(entries_of_first) / static_cast<double>(half));
  }
  return found;
}

#define LACIS_INSTANTIATE(Index)                                                           \
  template buffer<std::int32_t> by_frequency<Index>(std::span<const Index>, std::int64_t); \
  template frequent_columns frequent_columns_of<Index>(std::span<const Index>, std::int64_t);
LACIS_INSTANTIATE(std::int32_t)
LACIS_INSTANTIATE(std::int64_t)

}  // namespace lacis::detail

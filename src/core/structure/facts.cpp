// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Facts of a matrix, counted.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>
#include <variant>

#include <lacis/facts.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/order_rows.hpp"

namespace lacis {
namespace {

constexpr std::size_t bin_of(std::int64_t length) { return std::bit_width(static_cast<std::uint64_t>(length)); }

template <class View> std::int64_t length_of(const View& a, std::int64_t row) {
  const auto i = static_cast<std::size_t>(row);
  return a.row_offsets[i + 1] - a.row_offsets[i];
}

/// What is counted row by row; tallies of ranges of rows join to that of all rows.
struct tally {
  std::array<std::int64_t, 65> bins = {};
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  std::int64_t longest = 0;
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int64_t diagonal = 0;

  template <class View> void add_row(const View& a, std::int64_t i) {
    const std::int64_t length = length_of(a, i);
    ++bins[bin_of(length)];
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
    const auto begin = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(i)]);
    for (const std::int64_t column : a.columns.subspan(begin, static_cast<std::size_t>(length))) {
      lower = std::max(lower, i - column);
      upper = std::max(upper, column - i);
      diagonal += column == i ? 1 : 0;
    }
  }
  void join(const tally& other) {
    for (std::size_t bin = 0; bin < bins.size(); ++bin) bins[bin] += other.bins[bin];
    shortest = std::min(shortest, other.shortest);
    longest = std::max(longest, other.longest);
    lower = std::max(lower, other.lower);
    upper = std::max(upper, other.upper);
    diagonal += other.diagonal;
  }
};

template <class View> tally tally_of(const View& a) {
  tally all;
  std::mutex mutex;
  detail::parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    tally some;
    for (std::int64_t i = first; i < last; ++i) some.add_row(a, i);
    const std::scoped_lock lock(mutex);
    all.join(some);
  });
  return all;
}

void take(const tally& all, matrix_facts& facts) {
  facts.lower_bandwidth = all.lower;
  facts.upper_bandwidth = all.upper;
  facts.diagonal_entries = all.diagonal;
  if (facts.rows == 0) return;
  facts.empty_rows = all.bins[0];
  facts.shortest_row = all.shortest;
  facts.longest_row = all.longest;
  for (std::size_t bin = 0; bin <= bin_of(all.longest); ++bin) {
    const auto last = static_cast<std::int64_t>((std::uint64_t{1} << bin) - 1);
    facts.bins.push_back({bin == 0 ? 0 : last / 2 + 1, last, all.bins[bin]});
  }
}

/// The length of the row at place `rank` when rows are sorted by length: the bins find its bin, then the lengths within
/// that bin are counted, which takes no more memory than the matrix.
template <class View> std::int64_t length_at(const View& a, const std::vector<length_bin>& bins, std::int64_t rank) {
  auto bin = bins.begin();
  while (rank >= bin->rows) rank -= (bin++)->rows;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bin->last - bin->first + 1), 0);
  for (std::int64_t i = 0; i < a.rows; ++i)
    if (const std::int64_t length = length_of(a, i); length >= bin->first && length <= bin->last)
      ++counts[static_cast<std::size_t>(length - bin->first)];
  std::int64_t length = bin->first;
  for (const std::int64_t count : counts) {
    if (rank < count) break;
    rank -= count;
    ++length;
  }
  return length;
}

/// A byte per column, or, when there are many more columns than entries, the columns themselves sorted.
template <class View> std::int64_t count_empty_columns(const View& a) {
  using Index = typename View::index_type;
  if (a.cols / 8 > a.nnz()) {
    std::vector<Index> used(a.columns.begin(), a.columns.end());
    std::sort(used.begin(), used.end());
    return a.cols - (std::unique(used.begin(), used.end()) - used.begin());
  }
  std::vector<unsigned char> used(static_cast<std::size_t>(a.cols), 0);
  detail::parallel_for(a.nnz(), [&](std::int64_t k) {
    std::atomic_ref flag(used[static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)])]);
    if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
  });
  return std::count(used.begin(), used.end(), 0);
}

}  // namespace

double matrix_facts::density() const {
  if (rows == 0 || cols == 0) return 0;
  return static_cast<double>(entries) / static_cast<double>(rows) / static_cast<double>(cols);
}

double matrix_facts::mean_row() const {
  return rows == 0 ? 0 : static_cast<double>(entries) / static_cast<double>(rows);
}

namespace detail {

template <class Value, class Index> matrix_facts find_facts(const csr_view<Value, Index>& a) {
  require_canonical(a, "find_facts");
  matrix_facts facts;
  facts.rows = a.rows;
  facts.cols = a.cols;
  facts.entries = a.nnz();
  facts.value_type = type_name<Value>();
  facts.value_bytes = sizeof(Value);
  facts.index_bytes = sizeof(Index);
  facts.iso = a.values.iso;
  take(tally_of(a), facts);
  if (a.rows > 0) {
    const std::int64_t low = length_at(a, facts.bins, (a.rows - 1) / 2);
    const std::int64_t high = a.rows % 2 == 1 ? low : length_at(a, facts.bins, a.rows / 2);
    facts.median_row = (static_cast<double>(low) + static_cast<double>(high)) / 2;
  }
  facts.empty_cols = count_empty_columns(a);
  facts.symmetry = find_symmetry(a);
  return facts;
}

#define LACIS_FACTS(Value, Index) template LACIS_API matrix_facts find_facts(const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_FACTS)

}  // namespace detail

matrix_facts find_facts(const any_csr& matrix) {
  return std::visit([](const auto& a) { return detail::find_facts(a.view()); }, matrix);
}

}  // namespace lacis

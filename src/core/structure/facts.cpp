// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What can be counted about a matrix.
#include "commands/matrix/facts.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

namespace lacis::app {
namespace {

// Below this many rows and entries a loop is not worth waking threads for.
constexpr std::int64_t parallel_size = 1 << 16;
constexpr std::int64_t rows_at_a_time = 4096;

constexpr std::size_t bin_of(std::int64_t length) { return std::bit_width(static_cast<std::uint64_t>(length)); }

template <class View> std::int64_t length_of(const View& a, std::int64_t row) {
  const auto i = static_cast<std::size_t>(row);
  return a.row_offsets[i + 1] - a.row_offsets[i];
}

template <class View> void count_lengths(const View& a, matrix_facts& facts) {
  std::vector<std::int64_t> bins(65, 0);
  std::int64_t* const counts = bins.data();
  std::int64_t shortest = a.rows == 0 ? 0 : std::numeric_limits<std::int64_t>::max();
  std::int64_t longest = 0;
#pragma omp parallel for schedule(static) if (a.rows > parallel_size) reduction(min : shortest) \
    reduction(max : longest) reduction(+ : counts[ : 65])
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::int64_t length = length_of(a, i);
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
    ++counts[bin_of(length)];
  }
  facts.empty_rows = bins[0];
  facts.shortest_row = shortest;
  facts.longest_row = longest;
  for (std::size_t bin = 0; a.rows > 0 && bin <= bin_of(longest); ++bin) {
    const auto last = static_cast<std::int64_t>((std::uint64_t{1} << bin) - 1);
    facts.bins.push_back({bin == 0 ? 0 : last / 2 + 1, last, bins[bin]});
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

template <class View> void measure_entries(const View& a, matrix_facts& facts) {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int64_t diagonal = 0;
#pragma omp parallel for schedule(dynamic, rows_at_a_time) if (a.rows + a.nnz() > parallel_size) \
    reduction(max : lower, upper) reduction(+ : diagonal)
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[static_cast<std::size_t>(i)];
         k < a.row_offsets[static_cast<std::size_t>(i) + 1]; ++k) {
      const std::int64_t distance = std::int64_t{a.columns[static_cast<std::size_t>(k)]} - i;
      lower = std::max(lower, -distance);
      upper = std::max(upper, distance);
      diagonal += distance == 0 ? 1 : 0;
    }
  facts.lower_bandwidth = lower;
  facts.upper_bandwidth = upper;
  facts.diagonal_entries = diagonal;
}

/// A byte for each column, or, when there are many more columns than entries, the columns themselves sorted.
template <class View> std::int64_t count_empty_columns(const View& a) {
  using Index = typename View::index_type;
  if (a.cols / 8 > a.nnz()) {
    std::vector<Index> used(a.columns.begin(), a.columns.end());
    std::sort(used.begin(), used.end());
    return a.cols - (std::unique(used.begin(), used.end()) - used.begin());
  }
  std::vector<unsigned char> used(static_cast<std::size_t>(a.cols), 0);
#pragma omp parallel for schedule(static) if (a.nnz() > parallel_size)
  for (std::int64_t k = 0; k < a.nnz(); ++k) {
    std::atomic_ref flag(used[static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)])]);
    if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
  }
  return std::count(used.begin(), used.end(), 0);
}

template <value Value, index Index> matrix_facts facts_of_view(const csr_view<Value, Index>& a) {
  matrix_facts facts;
  facts.rows = a.rows;
  facts.cols = a.cols;
  facts.entries = a.nnz();
  facts.value_type = type_name<Value>();
  facts.value_bytes = sizeof(Value);
  facts.index_bytes = sizeof(Index);
  facts.iso = a.values.iso;
  count_lengths(a, facts);
  if (a.rows > 0) {
    const std::int64_t low = length_at(a, facts.bins, (a.rows - 1) / 2);
    const std::int64_t high = a.rows % 2 == 1 ? low : length_at(a, facts.bins, a.rows / 2);
    facts.median_row = (static_cast<double>(low) + static_cast<double>(high)) / 2;
  }
  measure_entries(a, facts);
  facts.empty_cols = count_empty_columns(a);
  facts.symmetry = find_symmetry(a);
  return facts;
}

}  // namespace

double matrix_facts::density() const {
  if (rows == 0 || cols == 0) return 0;
  return static_cast<double>(entries) / static_cast<double>(rows) / static_cast<double>(cols);
}

double matrix_facts::mean_row() const {
  return rows == 0 ? 0 : static_cast<double>(entries) / static_cast<double>(rows);
}

matrix_facts facts_of(const any_csr& matrix) {
  return std::visit([](const auto& a) { return facts_of_view(a.view()); }, matrix);
}

}  // namespace lacis::app

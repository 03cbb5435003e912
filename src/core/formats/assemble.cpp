// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// From coordinates to CSR by two-level counting: entries are dealt to buckets of rows, then each bucket is placed in
// cache.
#include "formats/assemble.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/parallel.hpp"

namespace lacis::detail {
namespace {

/// A place in a bucket: the row is counted from the bucket's first row.
template <index Index> struct place {
  std::uint32_t row;
  Index column;
};

/// Rows are dealt to buckets by their upper bits. A bucket's row counters and its share of the result should stay in a
/// core's cache; there should be several buckets a thread, and few enough that each write stream keeps its cache line.
int bucket_shift(std::int64_t rows, int threads) {
  constexpr std::int64_t cached_rows = 1 << 15;
  constexpr std::int64_t most_buckets = 4096;
  std::int64_t span = std::min(cached_rows, std::max<std::int64_t>(1, rows / (std::int64_t{8} * threads)));
  span = std::max(span, rows / most_buckets + 1);
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(span - 1)));
}

template <value Value> Value image_of(Value value, mirror image) {
  if (image == mirror::skew) return -value;
  if constexpr (is_complex<Value>)
    if (image == mirror::hermitian) return std::conj(value);
  return value;
}

/// Entries that are gone through between two looks.
constexpr std::int64_t entries_at_once = std::int64_t{1} << 18;

/// Calls put(row, column, entry, is_image) for every entry of a range and for its image off the diagonal.
template <index Index, class Put>
void for_each_place(std::span<const Index> rows, std::span<const Index> columns, std::int64_t begin, std::int64_t end,
                    bool mirrored, Put&& put) {
  for (std::int64_t k = begin; k < end; ++k) {
    const Index i = rows[static_cast<std::size_t>(k)];
    const Index j = columns[static_cast<std::size_t>(k)];
    put(i, j, k, false);
    if (mirrored && i != j) put(j, i, k, true);
  }
}

template <value Value, index Index> void require_inside(const coo_view<Value, Index>& a, std::int64_t entry) {
  const auto i = static_cast<std::int64_t>(a.row_indices[static_cast<std::size_t>(entry)]);
  const auto j = static_cast<std::int64_t>(a.columns[static_cast<std::size_t>(entry)]);
  if (i < 0 || i >= a.rows)
    throw error(errc::invalid_matrix, text("entry ", entry, " is in row ", i, " of a matrix with ", a.rows, " rows"));
  throw error(errc::invalid_matrix,
              text("entry ", entry, " is in column ", j, " of a matrix with ", a.cols, " columns"));
}

}  // namespace

template <value Value, index Index>
csr_matrix<Value, Index> gather_rows(const coo_view<Value, Index>& a, mirror image) {
  const bool mirrored = image != mirror::none;
  const std::int64_t entries = a.nnz();
  if (mirrored && a.rows != a.cols)
    throw error(errc::invalid_argument, text("a ", a.rows, " x ", a.cols, " matrix cannot be symmetric"));
  const int threads = threads_for(entries + a.rows);
  const int shift = bucket_shift(a.rows, threads);
  const std::int64_t buckets = a.rows == 0 ? 0 : ((a.rows - 1) >> shift) + 1;
  const auto streams = static_cast<std::size_t>(buckets) * static_cast<std::size_t>(threads);

  // Count places by (bucket, thread): a scan in that order keeps the entries of a bucket in their order in `a`.
  std::vector<std::int64_t> cursor(streams + 1, 0);
  std::vector<std::int64_t> bad(static_cast<std::size_t>(threads), std::numeric_limits<std::int64_t>::max());
  const stop_check stop;
  on_threads(threads, [&](int t, int parts) {
    std::vector<std::int64_t> count(static_cast<std::size_t>(buckets), 0);
    const std::int64_t end = even_cut(entries, t + 1, parts);
    for (std::int64_t k = even_cut(entries, t, parts); k < end; ++k) {
      const auto i = static_cast<std::int64_t>(a.row_indices[static_cast<std::size_t>(k)]);
      const auto j = static_cast<std::int64_t>(a.columns[static_cast<std::size_t>(k)]);
      if (i < 0 || i >= a.rows || j < 0 || j >= a.cols) {
        bad[static_cast<std::size_t>(t)] = k;
        return;
      }
      ++count[static_cast<std::size_t>(i >> shift)];
      if (mirrored && i != j) ++count[static_cast<std::size_t>(j >> shift)];
    }
    for (std::int64_t b = 0; b < buckets; ++b)
      cursor[static_cast<std::size_t>(b * parts + t)] = count[static_cast<std::size_t>(b)];
  });
  if (const auto first = *std::min_element(bad.begin(), bad.end()); first < entries) require_inside(a, first);
  const std::int64_t total = counts_to_offsets(cursor);
  std::vector<std::int64_t> bucket_begin(static_cast<std::size_t>(buckets) + 1, total);
  for (std::int64_t b = 0; b < buckets; ++b)
    bucket_begin[static_cast<std::size_t>(b)] = cursor[static_cast<std::size_t>(b * threads)];

  // Deal.
  buffer<place<Index>> places(total);
  buffer<Value> dealt(a.values.iso ? 0 : total);
  const bool skew_iso = a.values.iso && image == mirror::skew;
  const Index mask = shift >= std::numeric_limits<Index>::digits ? std::numeric_limits<Index>::max()
                                                                 : static_cast<Index>((Index{1} << shift) - 1);
  on_threads(threads, [&](int t, int parts) {
    std::vector<std::int64_t> next(static_cast<std::size_t>(buckets));
    for (std::int64_t b = 0; b < buckets; ++b)
      next[static_cast<std::size_t>(b)] = cursor[static_cast<std::size_t>(b * parts + t)];
    const std::int64_t last = even_cut(entries, t + 1, parts);
    for (std::int64_t first = even_cut(entries, t, parts); first < last; first += entries_at_once) {
      stop();
      for_each_place(a.row_indices, a.columns, first, std::min(last, first + entries_at_once), mirrored,
                     [&](Index i, Index j, std::int64_t k, bool is_image) {
                       const std::int64_t slot = next[static_cast<std::size_t>(i >> shift)]++;
                       places[slot] = {static_cast<std::uint32_t>(i & mask), j};
                       if (!a.values.iso) dealt[slot] = is_image ? image_of(a.values[k], image) : a.values[k];
                     });
    }
  });
  if (skew_iso && total > entries)
    throw error(errc::invalid_matrix, "a skew-symmetric matrix has values of both signs: it cannot be a pattern");

  // Place: each bucket knows where its rows begin, so buckets are independent.
  csr_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .row_offsets = buffer<std::int64_t>(a.rows + 1),
                                  .columns = buffer<Index>(total),
                                  .values = values_array<Value>::like(a.values, total)};
  result.row_offsets[a.rows] = total;
  std::atomic<std::int64_t> ticket{0};
  on_threads(threads, [&](int, int) {
    std::vector<std::int64_t> next(std::size_t{1} << shift);
    for (std::int64_t b = ticket++; b < buckets; b = ticket++) {
      stop();
      const std::int64_t first_row = b << shift;
      const std::int64_t rows = std::min(a.rows - first_row, std::int64_t{1} << shift);
      const std::int64_t begin = bucket_begin[static_cast<std::size_t>(b)];
      const std::int64_t end = bucket_begin[static_cast<std::size_t>(b) + 1];
      std::fill_n(next.begin(), rows, 0);
      for (std::int64_t k = begin; k < end; ++k) ++next[places[k].row];
      std::int64_t offset = begin;
      for (std::int64_t r = 0; r < rows; ++r) {
        result.row_offsets[first_row + r] = offset;
        offset += std::exchange(next[static_cast<std::size_t>(r)], offset);
      }
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t slot = next[places[k].row]++;
        result.columns[slot] = places[k].column;
        if (!a.values.iso) result.values.data[slot] = dealt[k];
      }
    }
  });
  return result;
}

template <value Value, index Index>
csr_matrix<Value, Index> assemble(const coo_view<Value, Index>& a, mirror image, duplicates rule,
                                  std::int64_t* merged) {
  csr_matrix<Value, Index> result = gather_rows(a, image);
  const std::int64_t count = make_canonical(result, rule);
  if (merged != nullptr) *merged = count;
  return result;
}

#define LACIS_ASSEMBLE(Value, Index)                                                    \
  template csr_matrix<Value, Index> gather_rows(const coo_view<Value, Index>&, mirror); \
  template csr_matrix<Value, Index> assemble(const coo_view<Value, Index>&, mirror, duplicates, std::int64_t*);
LACIS_FOR_EACH_TYPE(LACIS_ASSEMBLE)

}  // namespace lacis::detail

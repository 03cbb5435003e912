// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cutting a square matrix for a cluster: parts with few entries between them, and what a cut costs each process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// An ordering in which parts are ranges of rows.
struct row_parts {
  buffer<std::int64_t> order;       ///< element k is the row and column that gets number k, as permute() takes it
  std::vector<std::int64_t> parts;  ///< where each begins in that order; the last element is the number of rows
};

/// One range of rows and what a product exchanges for it.
struct range_exchange {
  std::int64_t rows = 0;          ///< of the range
  std::int64_t entries = 0;       ///< of its rows
  std::int64_t ghosts = 0;        ///< distinct columns of its rows that other ranges own: elements received
  std::int64_t sent = 0;          ///< elements sent, counted once for each receiver
  std::int64_t messages_in = 0;   ///< ranges that it receives from
  std::int64_t messages_out = 0;  ///< ranges that it sends to
};

/// What one product with a vector exchanges between ranges of rows.
struct row_exchange {
  std::vector<range_exchange> ranges;  ///< one per range, in their order
  std::int64_t ghosts = 0;             ///< of all ranges: the elements that travel
  /// Element (i, j): how many elements range i receives from range j. Takes 12 bytes a message.
  csr_matrix<double> transfers;
};

/// How a process stores its rows.
struct rank_storage {
  std::int64_t value_bytes = 8;  ///< of an element of a vector, and of an entry
  bool stores_values = true;     ///< not for patterns, whose one value is shared
  std::int64_t vectors = 2;      ///< of the length of its rows: x and y
};

/// Whether this build has METIS, without which nested_parts cannot work.
[[nodiscard]] LACIS_API bool has_partitioner();

/// The bytes that a process holds for its range: 4 bytes of column and a value per entry, an offset (8) per row and
/// one more, the vectors; for each ghost its number in the whole matrix (8) and its element, for each element sent its
/// place (4) and its copy.
[[nodiscard]] LACIS_API std::int64_t memory_of(const range_exchange& range, const rank_storage& storage);

namespace detail {
template <class Value, class Index>
LACIS_API row_parts nested_parts(const csr_view<Value, Index>& a, std::int64_t count);
template <class Value, class Index>
LACIS_API row_exchange exchange_of(const csr_view<Value, Index>& a, std::span<const std::int64_t> ranges);
}  // namespace detail

/// Cuts the graph of A + A^T into `count` parts by recursive bisection (METIS), each of nearly the same rows + entries,
/// so that few columns are read across. Parts are numbered in the order of the bisections: neighbouring ones belong
/// together, so that any smaller number of ranges made of whole parts (cut_rows) is a good cut as well. Rows keep their
/// order inside of a part. Parts begin at multiples of rows_in_chunk (row_ranges.hpp): each begin moves by at most half
/// of that, and parts that vanish leave fewer than `count`. The same result each time; METIS seeds and uses std::rand.
/// Throws error(invalid_argument) for matrices that are not square, error(unsupported) without METIS, and
/// error(overflow) for more rows or entries than its numbers count.
template <class Matrix> [[nodiscard]] row_parts nested_parts(const Matrix& a, std::int64_t count) {
  return detail::nested_parts(detail::wide(a).view(), count);
}

/// What each range receives and sends in a product with a square matrix, counted exactly. `ranges` is where they begin,
/// 0, ..., rows (cut_rows). O(nnz), ranges in parallel; every thread takes a bit per column.
/// Throws error(invalid_argument) for other shapes and ranges.
template <class Matrix> [[nodiscard]] row_exchange exchange_of(const Matrix& a, std::span<const std::int64_t> ranges) {
  return detail::exchange_of(detail::wide(a).view(), ranges);
}

}  // namespace lacis

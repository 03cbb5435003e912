// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The invariants of every format, checked in parallel; the lowest row at fault is named.
#include "formats/validate.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <type_traits>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/views.hpp"

namespace lacis::detail {
namespace {

using finding = std::optional<violation>;

template <class... Parts> finding broken(std::int64_t row, const Parts&... parts) {
  return violation{row, text(parts...)};
}

/// The lowest i of 0 .. size for which is_bad(i), or -1. Rows that a thread need not look at any more are skipped.
template <class Bad> std::int64_t lowest(std::int64_t size, Bad&& is_bad) {
  std::atomic<std::int64_t> found{std::numeric_limits<std::int64_t>::max()};
  parallel_ranges(size, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && i < found.load(std::memory_order_relaxed); ++i) {
      if (!is_bad(i)) continue;
      std::int64_t known = found.load();
      while (i < known && !found.compare_exchange_weak(known, i)) {
      }
      return;
    }
  });
  return found == std::numeric_limits<std::int64_t>::max() ? -1 : found.load();
}

template <class T> std::int64_t count(std::span<T> array) { return static_cast<std::int64_t>(array.size()); }
template <class T> std::int64_t at(std::span<const T> array, std::int64_t i) {
  return static_cast<std::int64_t>(array[static_cast<std::size_t>(i)]);
}

finding check_shape(std::int64_t rows, std::int64_t cols) {
  if (rows < 0 || cols < 0) return broken(-1, "the sizes ", rows, " x ", cols, " are negative");
  return {};
}

template <value Value>
finding check_values(const values_view<Value>& values, std::int64_t slots, std::string_view what) {
  if (values.iso && values.data.size() != 1)
    return broken(-1, "an iso matrix stores one value, this one stores ", values.data.size());
  if (!values.iso && count(values.data) != slots)
    return broken(-1, "there are ", values.data.size(), " values for ", slots, ' ', what);
  return {};
}

/// There are offsets of `owners` ranges, from 0 to `end`.
template <class Offset>
finding check_ends(std::span<const Offset> offsets, std::int64_t owners, std::int64_t end, std::string_view owner,
                   std::string_view what) {
  if (offsets.empty() || count(offsets) - 1 != owners)
    return broken(-1, "there are ", offsets.size(), " offsets for ", owners, ' ', owner, "s; one more than ", owner,
                  "s is needed");
  if (offsets[0] != 0) return broken(owners > 0 ? 0 : -1, "the offsets begin at ", offsets[0], ", not at 0");
  if (at(offsets, owners) != end)
    return broken(owners - 1, "the offsets end at ", at(offsets, owners), ", but there are ", end, ' ', what);
  return {};
}

/// None of the ranges ends before it begins.
finding check_rise(std::span<const std::int64_t> offsets, std::string_view owner) {
  const std::int64_t falls =
      lowest(count(offsets) - 1, [&](std::int64_t i) { return at(offsets, i + 1) < at(offsets, i); });
  if (falls < 0) return {};
  return broken(falls, owner, ' ', falls, " ends at offset ", at(offsets, falls + 1), ", before its begin ",
                at(offsets, falls));
}

/// Whether some number of an array lies outside 0 .. limit: without a branch for each, so that compilers take several
/// at once.
template <index Index> bool any_outside(std::span<const Index> indices, std::int64_t limit) {
  using bits = std::make_unsigned_t<Index>;  // of which negative numbers are the largest
  const auto last = static_cast<bits>(std::clamp<std::int64_t>(limit, 0, std::numeric_limits<Index>::max()));
  std::atomic<bool> found = false;
  parallel_ranges(count(indices), [&](std::int64_t begin, std::int64_t end) {
    bits outside = 0;
    for (std::int64_t k = begin; k < end; ++k)
      outside |= static_cast<bits>(static_cast<bits>(indices[static_cast<std::size_t>(k)]) >= last);
    if (outside != 0) found = true;
  });
  return found;
}

/// Indices of each owner's range lie in 0 .. limit; the ranges are all of the array.
template <index Index>
finding check_indices(std::span<const std::int64_t> offsets, std::span<const Index> indices, std::int64_t limit,
                      std::string_view owner, std::string_view what) {
  if (!any_outside(indices, limit)) return {};
  const auto outside = [&](std::int64_t k) { return at(indices, k) < 0 || at(indices, k) >= limit; };
  const std::int64_t row = lowest(count(offsets) - 1, [&](std::int64_t i) {
    for (std::int64_t k = at(offsets, i); k < at(offsets, i + 1); ++k)
      if (outside(k)) return true;
    return false;
  });
  if (row < 0) return {};
  std::int64_t k = at(offsets, row);
  while (!outside(k)) ++k;
  return broken(row, owner, ' ', row, " has ", what, ' ', at(indices, k), ", outside 0 to ", limit - 1);
}

template <index Index> finding check_places(std::span<const Index> permutation, std::int64_t rows) {
  if (count(permutation) == rows) return {};
  return broken(-1, "the permutation has ", permutation.size(), " places for ", rows, " rows");
}

template <index Index> finding check_permutation(std::span<const Index> permutation, std::int64_t rows) {
  buffer<std::uint8_t> seen(rows, 0);
  for (std::int64_t p = 0; p < rows; ++p) {
    const std::int64_t row = at(permutation, p);
    if (row < 0 || row >= rows) return broken(p, "place ", p, " of the permutation names row ", row, " of ", rows);
    if (seen[row]++ != 0) return broken(row, "the permutation names row ", row, " more than once");
  }
  return {};
}

template <index Index> finding check_length_count(std::span<const Index> lengths, std::int64_t rows) {
  if (count(lengths) == rows) return {};
  return broken(-1, "there are ", lengths.size(), " row lengths for ", rows, " rows");
}

/// Lengths lie in 0 .. the slots that `width_of(row)` gives, and add up to `entries`.
template <index Index, class Width>
finding check_lengths(std::span<const Index> lengths, std::int64_t rows, std::int64_t entries, Width&& width_of) {
  const std::int64_t row =
      lowest(rows, [&](std::int64_t i) { return at(lengths, i) < 0 || at(lengths, i) > width_of(i); });
  if (row >= 0) return broken(row, "row ", row, " has ", at(lengths, row), " entries in ", width_of(row), " slots");
  std::int64_t sum = 0;
  for (const Index length : lengths) sum += length;
  if (sum != entries) return broken(-1, "the row lengths add up to ", sum, ", not to the ", entries, " entries");
  return {};
}

template <index Index> finding check_slot_count(std::span<const Index> columns, std::int64_t slots) {
  if (count(columns) == slots) return {};
  return broken(-1, "there are ", columns.size(), " columns for ", slots, " slots");
}

template <index Index> finding check_slots(std::span<const Index> columns, std::int64_t cols) {
  const std::int64_t slot =
      lowest(count(columns), [&](std::int64_t k) { return at(columns, k) < 0 || at(columns, k) >= cols; });
  if (slot >= 0) return broken(-1, "slot ", slot, " has column ", at(columns, slot), ", outside 0 to ", cols - 1);
  return {};
}

/// The first of several findings.
template <class... Checks> finding first_of(Checks&&... checks) {
  finding result;
  (void)((result = checks()) || ...);
  return result;
}

/// How many blocks, slices or words of `size` it takes.
std::int64_t parts_of(std::int64_t count, std::int64_t size) { return count / size + (count % size != 0 ? 1 : 0); }

// The sizes of arrays, and the ends of offsets: what takes no time, whatever the size of the matrix.

template <value Value, index Index, index Offset> finding find_in_sizes(const csr_view<Value, Index, Offset>& a) {
  return first_of([&] { return check_shape(a.rows, a.cols); },
                  [&] { return check_values(a.values, a.nnz(), "columns"); },
                  [&] { return check_ends(a.row_offsets, a.rows, a.nnz(), "row", "columns"); });
}

template <value Value, index Index> finding find_in_sizes(const csc_view<Value, Index>& a) {
  return first_of([&] { return check_shape(a.rows, a.cols); },
                  [&] { return check_values(a.values, a.nnz(), "row indices"); },
                  [&] { return check_ends(a.column_offsets, a.cols, a.nnz(), "column", "row indices"); });
}

template <value Value, index Index> finding find_in_sizes(const coo_view<Value, Index>& a) {
  if (auto result = check_shape(a.rows, a.cols)) return result;
  if (a.row_indices.size() != a.columns.size())
    return broken(-1, "there are ", a.row_indices.size(), " row indices and ", a.columns.size(), " columns");
  return check_values(a.values, a.nnz(), "entries");
}

template <value Value, index Index> finding find_in_sizes(const ell_view<Value, Index>& a) {
  if (auto result = check_shape(a.rows, a.cols)) return result;
  std::int64_t slots = 0;
  if (a.width < 0 || __builtin_mul_overflow(a.rows, a.width, &slots))
    return broken(-1, "a width of ", a.width, " for ", a.rows, " rows");
  return first_of([&] { return check_values(a.values, slots, "slots"); },
                  [&] { return check_length_count(a.row_lengths, a.rows); },
                  [&] { return check_slot_count(a.columns, slots); });
}

template <value Value, index Index> finding find_in_sizes(const hyb_view<Value, Index>& a) {
  for (const auto& [rows, cols] : {std::pair{a.ell.rows, a.ell.cols}, {a.coo.rows, a.coo.cols}})
    if (rows != a.rows || cols != a.cols)
      return broken(-1, "a part is ", rows, " x ", cols, ", the whole ", a.rows, " x ", a.cols);
  if (a.ell.values.iso != a.coo.values.iso) return broken(-1, "one part is iso, the other is not");
  return first_of([&] { return find_in_sizes(a.ell); }, [&] { return find_in_sizes(a.coo); });
}

template <value Value, index Index> finding find_in_sizes(const jds_view<Value, Index>& a) {
  return first_of([&] { return check_shape(a.rows, a.cols); },
                  [&] { return check_values(a.values, a.nnz(), "columns"); },
                  [&] {
                    const std::int64_t diagonals = std::max<std::int64_t>(count(a.diagonal_offsets) - 1, 0);
                    return check_ends(a.diagonal_offsets, diagonals, a.nnz(), "jagged diagonal", "columns");
                  },
                  [&] { return check_places(a.permutation, a.rows); });
}

template <value Value, index Index> finding find_in_sizes(const sell_view<Value, Index>& a) {
  if (auto result = check_shape(a.rows, a.cols)) return result;
  if (a.slice_height < 1) return broken(-1, "a slice height of ", a.slice_height);
  const std::int64_t slots = count(a.columns);
  return first_of(
      [&] { return check_values(a.values, slots, "slots"); },
      [&] { return check_ends(a.slice_offsets, parts_of(a.rows, a.slice_height), slots, "slice", "slots"); },
      [&] { return check_places(a.permutation, a.rows); }, [&] { return check_length_count(a.row_lengths, a.rows); });
}

template <value Value, index Index> finding find_in_sizes(const bsr_view<Value, Index>& a) {
  if (auto result = check_shape(a.rows, a.cols)) return result;
  if (a.block_size < 1 || a.block_size > 64) return broken(-1, "a block size of ", a.block_size, ", outside 1 to 64");
  const std::int64_t blocks = count(a.block_columns);
  return first_of(
      [&] { return check_values(a.values, blocks * a.block_size * a.block_size, "slots"); },
      [&]() -> finding {
        if (count(a.mask) == blocks * a.mask_bytes()) return {};
        return broken(-1, "the mask has ", a.mask.size(), " bytes for ", blocks, " blocks of ", a.mask_bytes());
      },
      [&] { return check_ends(a.row_offsets, parts_of(a.rows, a.block_size), blocks, "block row", "blocks"); });
}

template <value Value, index Index> finding find_in_sizes(const dia_view<Value, Index>& a) {
  if (auto result = check_shape(a.rows, a.cols)) return result;
  const std::int64_t diagonals = count(a.diagonals);
  std::int64_t slots = 0;
  if (__builtin_mul_overflow(a.rows, diagonals, &slots))
    return broken(-1, diagonals, " diagonals of ", a.rows, " rows do not fit in 64 bits");
  if (auto result = check_values(a.values, slots, "slots")) return result;
  if (count(a.mask) == diagonals * a.mask_words()) return {};
  return broken(-1, "the mask has ", a.mask.size(), " words for ", diagonals, " diagonals of ", a.mask_words());
}

// What the arrays hold, given that their sizes fit.

template <value Value, index Index> finding find_in_arrays(const csr_view<Value, Index>& a) {
  return first_of([&] { return check_rise(a.row_offsets, "row"); },
                  [&] { return check_indices(a.row_offsets, a.columns, a.cols, "row", "column"); });
}

template <value Value, index Index> finding find_in_arrays(const csc_view<Value, Index>& a) {
  return first_of([&] { return check_rise(a.column_offsets, "column"); },
                  [&] { return check_indices(a.column_offsets, a.row_indices, a.rows, "column", "row"); });
}

template <value Value, index Index> finding find_in_arrays(const coo_view<Value, Index>& a) {
  const std::int64_t entry = lowest(a.nnz(), [&](std::int64_t k) {
    return at(a.row_indices, k) < 0 || at(a.row_indices, k) >= a.rows || at(a.columns, k) < 0 ||
           at(a.columns, k) >= a.cols;
  });
  if (entry < 0) return {};
  return broken(at(a.row_indices, entry), "entry ", entry, " at (", at(a.row_indices, entry), ", ",
                at(a.columns, entry), ") lies outside ", a.rows, " x ", a.cols);
}

template <value Value, index Index> finding find_in_arrays(const ell_view<Value, Index>& a) {
  return first_of([&] { return check_lengths(a.row_lengths, a.rows, a.entries, [&](auto) { return a.width; }); },
                  [&] { return check_slots(a.columns, a.cols); });
}

template <value Value, index Index> finding find_in_arrays(const hyb_view<Value, Index>& a) {
  if (auto result = find_in_arrays(a.ell)) return result;
  if (auto result = find_in_arrays(a.coo)) return result;
  const std::int64_t k = lowest(a.coo.nnz(), [&](std::int64_t entry) {
    const std::int64_t row = at(a.coo.row_indices, entry);
    return at(a.ell.row_lengths, row) != a.ell.width || (entry > 0 && at(a.coo.row_indices, entry - 1) > row);
  });
  if (k < 0) return {};
  const std::int64_t row = at(a.coo.row_indices, k);
  if (at(a.ell.row_lengths, row) != a.ell.width)
    return broken(row, "row ", row, " goes on in coo before its ", a.ell.width, " slots in ell are full");
  return broken(row, "entry ", k, " of coo, in row ", row, ", comes after a later row");
}

template <value Value, index Index> finding find_in_arrays(const jds_view<Value, Index>& a) {
  return first_of(
      [&] { return check_rise(a.diagonal_offsets, "jagged diagonal"); },
      [&]() -> finding {
        const auto length = [&](std::int64_t d) { return at(a.diagonal_offsets, d + 1) - at(a.diagonal_offsets, d); };
        const std::int64_t d = lowest(count(a.diagonal_offsets) - 1, [&](std::int64_t k) {
          return length(k) > (k == 0 ? a.rows : length(k - 1)) || length(k) == 0;
        });
        if (d < 0) return {};
        return broken(-1, "jagged diagonal ", d, " has ", length(d), " entries; lengths start at ", a.rows,
                      " or less, never grow and never reach 0");
      },
      [&] { return check_permutation(a.permutation, a.rows); }, [&] { return check_slots(a.columns, a.cols); });
}

template <value Value, index Index> finding find_in_arrays(const sell_view<Value, Index>& a) {
  const auto width_of = [&](std::int64_t p) {
    const std::int64_t t = p / a.slice_height;
    return (at(a.slice_offsets, t + 1) - at(a.slice_offsets, t)) / a.slice_height;
  };
  return first_of([&] { return check_rise(a.slice_offsets, "slice"); },
                  [&]() -> finding {
                    const std::int64_t t = lowest(
                        a.slices() + 1, [&](std::int64_t s) { return at(a.slice_offsets, s) % a.slice_height != 0; });
                    if (t < 0) return {};
                    if (t == a.slices())
                      return broken(-1, "the last slice ends at ", at(a.slice_offsets, t),
                                    ", not at a multiple of the slice height ", a.slice_height);
                    return broken(t * a.slice_height, "slice ", t, " begins at ", at(a.slice_offsets, t),
                                  ", not at a multiple of the slice height ", a.slice_height);
                  },
                  [&] { return check_permutation(a.permutation, a.rows); },
                  [&] { return check_lengths(a.row_lengths, a.rows, a.entries, width_of); },
                  [&] { return check_slots(a.columns, a.cols); });
}

template <value Value, index Index> finding find_in_arrays(const bsr_view<Value, Index>& a) {
  const std::int64_t size = a.block_size;
  const auto last_of = [&](std::int64_t r) { return at(a.row_offsets, r + 1); };
  return first_of([&] { return check_rise(a.row_offsets, "block row"); },
                  [&] {
                    return check_indices(a.row_offsets, a.block_columns, parts_of(a.cols, size), "block row",
                                         "block column");
                  },
                  [&]() -> finding {
                    const std::int64_t r = lowest(a.block_rows(), [&](std::int64_t row) {
                      for (std::int64_t b = at(a.row_offsets, row) + 1; b < last_of(row); ++b)
                        if (at(a.block_columns, b) <= at(a.block_columns, b - 1)) return true;
                      return false;
                    });
                    if (r < 0) return {};
                    return broken(r, "block row ", r, " has block columns that do not ascend");
                  },
                  [&]() -> finding {
                    std::atomic<std::int64_t> entries{0};
                    const std::int64_t r = lowest(a.block_rows(), [&](std::int64_t row) {
                      std::int64_t mine = 0;
                      bool outside = false;
                      for (std::int64_t b = at(a.row_offsets, row); b < last_of(row); ++b)
                        for (std::int64_t slot = 0; slot < a.mask_bytes() * 8; ++slot) {
                          if (!a.occupied(b, slot)) continue;
                          ++mine;
                          outside = outside || slot >= size * size || row * size + slot / size >= a.rows ||
                                    at(a.block_columns, b) * size + slot % size >= a.cols;
                        }
                      entries += mine;
                      return outside;
                    });
                    if (r >= 0) return broken(r, "block row ", r, " has an occupied slot outside the matrix");
                    if (entries != a.entries)
                      return broken(-1, "the mask has ", entries.load(), " occupied slots for ", a.entries, " entries");
                    return {};
                  });
}

template <value Value, index Index> finding find_in_arrays(const dia_view<Value, Index>& a) {
  const std::int64_t diagonals = count(a.diagonals);
  for (std::int64_t d = 0; d < diagonals; ++d) {
    const std::int64_t diagonal = at(a.diagonals, d);
    if (diagonal <= -a.rows || diagonal >= a.cols || (d > 0 && diagonal <= at(a.diagonals, d - 1)))
      return broken(-1, "diagonal ", diagonal, " lies outside the matrix or does not ascend");
  }
  std::atomic<std::int64_t> entries{0};
  const auto lowest_outside = [&](std::int64_t word) {  // of the 64 rows of a mask word, or -1
    std::int64_t row = -1;
    for (std::int64_t d = 0; d < diagonals; ++d)
      for (std::uint64_t bits = a.mask[static_cast<std::size_t>(d * a.mask_words() + word)]; bits != 0;
           bits &= bits - 1) {
        const std::int64_t i = word * 64 + std::countr_zero(bits);
        const std::int64_t column = i + at(a.diagonals, d);
        if ((i >= a.rows || column < 0 || column >= a.cols) && (row < 0 || i < row)) row = i;
      }
    return row;
  };
  const std::int64_t word = lowest(a.mask_words(), [&](std::int64_t w) {
    std::int64_t mine = 0;
    for (std::int64_t d = 0; d < diagonals; ++d)
      mine += std::popcount(a.mask[static_cast<std::size_t>(d * a.mask_words() + w)]);
    entries += mine;
    return lowest_outside(w) >= 0;
  });
  if (word >= 0) {
    const std::int64_t row = lowest_outside(word);
    return broken(row, "row ", row, " has an occupied slot outside the matrix");
  }
  if (entries != a.entries)
    return broken(-1, "the mask has ", entries.load(), " occupied slots for ", a.entries, " entries");
  return {};
}

}  // namespace

template <class View> finding find_size_violation(const View& view) { return find_in_sizes(view); }

template <class View> finding find_violation(const View& view) {
  return first_of([&] { return find_in_sizes(view); }, [&] { return find_in_arrays(view); });
}

template <class View> void require_valid_view(const View& view) {
  if (const finding broken = find_violation(view)) throw error(errc::invalid_matrix, broken->message);
}

#define LACIS_VALIDATE_VIEW(View, Value, Index)                         \
  template finding find_size_violation(const View<Value, Index>&);      \
  template LACIS_API finding find_violation(const View<Value, Index>&); \
  template LACIS_API void require_valid_view(const View<Value, Index>&);
#define LACIS_VALIDATE(Value, Index) LACIS_FOR_EACH_VIEW(LACIS_VALIDATE_VIEW, Value, Index)
LACIS_FOR_EACH_TYPE(LACIS_VALIDATE)
#define LACIS_VALIDATE_NARROW(Value) template finding find_size_violation(const narrow_csr_view<Value, std::int32_t>&);
LACIS_FOR_EACH_VALUE(LACIS_VALIDATE_NARROW)

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// DIA to and from CSR.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <vector>

#include <lacis/convert.hpp>

#include "base/instantiate.hpp"
#include "base/pieces.hpp"
#include "formats/layout.hpp"
#include "formats/order_rows.hpp"

namespace lacis::detail {

template <value Value, index Index> buffer<std::int64_t> dia_diagonals(const csr_view<Value, Index>& a) {
  // With many more diagonals than entries, those of the entries are sorted.
  if (a.rows / 8 + a.cols / 8 > a.nnz()) {
    std::vector<std::int64_t> used(static_cast<std::size_t>(a.nnz()));
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t k = a.row_offsets[static_cast<std::size_t>(i)];
           k < a.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
        used[static_cast<std::size_t>(k)] = a.columns[static_cast<std::size_t>(k)] - i;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    return buffer<std::int64_t>(std::span<const std::int64_t>(used));
  }
  // One flag for each diagonal there may be; diagonal 1 - rows is flag 0.
  const std::int64_t possible = a.rows == 0 || a.cols == 0 ? 0 : checked_add(a.rows, a.cols, "the diagonals") - 1;
  buffer<std::uint8_t> present(possible);
  parallel_ranges(possible, [&](std::int64_t begin, std::int64_t end) {
    std::fill(present.begin() + begin, present.begin() + end, std::uint8_t{0});
  });
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      for (std::int64_t k = a.row_offsets[static_cast<std::size_t>(i)];
           k < a.row_offsets[static_cast<std::size_t>(i) + 1]; ++k) {
        std::atomic_ref flag(present[a.columns[static_cast<std::size_t>(k)] - i + a.rows - 1]);
        if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
      }
  });
  buffer<std::int64_t> diagonals(std::count(present.begin(), present.end(), 1));
  std::int64_t next = 0;
  for (std::int64_t d = 0; d < possible; ++d)
    if (present[d] != 0) diagonals[next++] = d - (a.rows - 1);
  return diagonals;
}

template <class Value, class Index> csr_matrix<Value, Index> to_csr(const dia_view<Value, Index>& a) {
  csr_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .row_offsets = buffer<std::int64_t>(a.rows + 1),
                                  .columns = buffer<Index>(a.nnz()),
                                  .values = values_array<Value>::like(a.values, a.nnz())};
  const auto diagonals = static_cast<std::int64_t>(a.diagonals.size());
  // visit(row, diagonal) for the entries of 64 rows: diagonals ascend, so the columns of each row do.
  const auto for_each_entry = [&](std::int64_t word, auto&& visit) {
    for (std::int64_t d = 0; d < diagonals; ++d)
      for (std::uint64_t bits = a.mask[static_cast<std::size_t>(d * a.mask_words() + word)]; bits != 0;
           bits &= bits - 1)
        visit(word * 64 + std::countr_zero(bits), d);
  };
  parallel_for(a.rows, [&](std::int64_t i) { result.row_offsets[i] = 0; });
  on_threads(threads_for(a.nnz() + a.rows), [&](int t, int parts) {
    const std::int64_t end = even_cut(a.mask_words(), t + 1, parts);
    for (std::int64_t w = even_cut(a.mask_words(), t, parts); w < end; ++w)
      for_each_entry(w, [&](std::int64_t i, std::int64_t) { ++result.row_offsets[i]; });
  });
  counts_to_offsets(result.row_offsets);
  on_threads(threads_for(a.nnz() + a.rows), [&](int t, int parts) {
    const std::int64_t end = even_cut(a.mask_words(), t + 1, parts);
    for (std::int64_t w = even_cut(a.mask_words(), t, parts); w < end; ++w) {
      std::array<std::int64_t, 64> next;
      for (std::int64_t i = w * 64; i < std::min(a.rows, (w + 1) * 64); ++i)
        next[static_cast<std::size_t>(i % 64)] = result.row_offsets[i];
      for_each_entry(w, [&](std::int64_t i, std::int64_t d) {
        const std::int64_t k = next[static_cast<std::size_t>(i % 64)]++;
        result.columns[k] = static_cast<Index>(i + a.diagonals[static_cast<std::size_t>(d)]);
        if (!a.values.iso) result.values.data[k] = a.values[d * a.rows + i];
      });
    }
  });
  return result;
}

template <class Value, class Index>
dia_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                  std::type_identity<dia_matrix<Value, Index>>) {
  require_canonical(a, "dia, which has one slot for each place,");
  require_memory(storage_bytes(a, matrix_format::dia, options), matrix_format::dia, options);
  auto diagonals = dia_diagonals(a);
  const std::int64_t words = (a.rows + 63) / 64;
  const std::int64_t slots = checked_multiply(diagonals.size(), a.rows, "the slots of dia");
  const std::int64_t mask_words = checked_multiply(diagonals.size(), words, "the mask of dia");
  dia_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .entries = a.nnz(),
                                  .diagonals = std::move(diagonals),
                                  .mask = buffer<std::uint64_t>(mask_words),
                                  .values = values_array<Value>::like(a.values, slots)};
  // Whole mask words per thread: no two threads share one.
  parallel_piece_ranges(words, a.rows + a.nnz(), [&](std::int64_t first_word, std::int64_t last_word) {
    const std::int64_t first = first_word * 64;
    const std::int64_t last = std::min(a.rows, last_word * 64);
    for (std::int64_t d = 0; d < result.diagonals.size(); ++d) {
      std::fill(result.mask.begin() + d * words + first_word, result.mask.begin() + d * words + last_word, 0u);
      if (!a.values.iso)
        std::fill(result.values.data.begin() + d * a.rows + first, result.values.data.begin() + d * a.rows + last,
                  Value{});
    }
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t* diagonal = result.diagonals.begin();
      for (std::int64_t k = a.row_offsets[static_cast<std::size_t>(i)];
           k < a.row_offsets[static_cast<std::size_t>(i) + 1]; ++k) {
        diagonal = std::lower_bound(diagonal, static_cast<const std::int64_t*>(result.diagonals.end()),
                                    a.columns[static_cast<std::size_t>(k)] - i);
        const std::int64_t d = diagonal - result.diagonals.begin();
        result.mask[d * words + i / 64] |= std::uint64_t{1} << (i % 64);
        if (!a.values.iso) result.values.data[d * a.rows + i] = a.values[k];
      }
    }
  });
  return result;
}

#define LACIS_DIA(Value, Index)                                                                               \
  template buffer<std::int64_t> dia_diagonals(const csr_view<Value, Index>&);                                 \
  template LACIS_API csr_matrix<Value, Index> to_csr(const dia_view<Value, Index>&);                          \
  template LACIS_API dia_matrix<Value, Index> from_csr(const csr_view<Value, Index>&, const convert_options&, \
                                                       std::type_identity<dia_matrix<Value, Index>>);
LACIS_FOR_EACH_TYPE(LACIS_DIA)

}  // namespace lacis::detail

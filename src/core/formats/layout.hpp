// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the formats' files share: row lengths, the memory a padded format may take, and the bytes of each format.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <lacis/ell.hpp>
#include <lacis/format.hpp>

#include "base/checked.hpp"
#include "base/parallel.hpp"

namespace lacis::detail {

/// The largest row_offsets[i + 1] - row_offsets[i], 0 without rows.
[[nodiscard]] std::int64_t longest_row(std::span<const std::int64_t> row_offsets);

/// Throws error(out_of_memory) when a format would take more than options.memory_limit bytes.
void require_memory(std::int64_t bytes, matrix_format f, const convert_options& options);

/// Throws error(invalid_argument) when an option has no meaning for the format.
void require_sell_options(const convert_options& options);
void require_bsr_options(const convert_options& options);

/// The bytes of one slot that holds a column and a value.
template <value Value, index Index> [[nodiscard]] std::int64_t slot_bytes(const csr_view<Value, Index>& a) {
  return static_cast<std::int64_t>(sizeof(Index)) + (a.values.iso ? 0 : static_cast<std::int64_t>(sizeof(Value)));
}

// The sizes that the converters allocate and storage_bytes adds up.

/// The number of ELL slots a row that makes HYB smallest.
template <value Value, index Index> [[nodiscard]] std::int64_t hyb_width(const csr_view<Value, Index>& a);
/// SELL: the places of rows, and from them the slice offsets.
template <index Index>
[[nodiscard]] buffer<Index> sell_permutation(std::span<const std::int64_t> row_offsets, std::int64_t sort_window);
template <index Index>
[[nodiscard]] buffer<std::int64_t> sell_slice_offsets(std::span<const std::int64_t> row_offsets,
                                                      std::span<const Index> permutation, std::int64_t slice_height);
/// BSR: how many blocks come before each block row.
template <value Value, index Index>
[[nodiscard]] buffer<std::int64_t> bsr_row_offsets(const csr_view<Value, Index>& a, std::int64_t block_size);
/// DIA: the diagonals that have an entry, ascending.
template <value Value, index Index> [[nodiscard]] buffer<std::int64_t> dia_diagonals(const csr_view<Value, Index>& a);

/// HYB's ELL part: the first `width` entries of every row.
template <value Value, index Index>
[[nodiscard]] ell_matrix<Value, Index> ell_prefix(const csr_view<Value, Index>& a, std::int64_t width);

}  // namespace lacis::detail

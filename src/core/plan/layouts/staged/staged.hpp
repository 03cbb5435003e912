// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Blocks of rows with all that they read of x side by side: how they are built, walked and refilled.
#pragma once

#include <cstdint>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/plan.hpp>

#include "base/parallel.hpp"
#include "base/pieces.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/staged.hpp"
#include "plan/layouts/sell/packed_values.hpp"

namespace lacis::detail {

/// Parts of x, piece by block, that a layout may have: more would each be too small.
inline constexpr std::int64_t most_parts = std::int64_t{1} << 25;

/// How a matrix is cut into blocks: rows and entries together fill one.
[[nodiscard]] std::int64_t staged_block_count(std::int64_t rows, std::int64_t entries);
/// Pieces of x times blocks.
[[nodiscard]] std::int64_t staged_part_count(std::int64_t rows, std::int64_t cols, std::int64_t entries);

/// A row of several chunks, whose sums join as neighbours.
struct cut_row {
  std::int64_t row = 0;
  std::int64_t partial = 0;  ///< of its first chunk
  std::int64_t chunks = 0;
};

/// Owns what cpu::staging and cpu::staged_blocks describe.
template <class Value, class Index> struct staged_rows {
  static constexpr std::int64_t height = cpu::slice_height<Value>;

  std::int64_t cols = 0;
  std::int64_t entries = 0;
  std::int64_t staged_size = 0;  ///< elements of x that blocks need, one after the other
  /// The columns, as by_frequency() orders them, where blocks share a permutation of x; empty where they do not. Then
  /// there are no parts, and places are in `shared_places`.
  buffer<std::int32_t> order;
  buffer<std::int64_t> part_first;
  buffer<std::int64_t> part_target;
  buffer<std::uint16_t> part_places;
  buffer<cpu::staged_block> blocks;
  buffer<cpu::staged_chunk> chunks;
  buffer<std::uint16_t> places;
  buffer<std::int32_t> shared_places;
  packed_values<Value> values;
  buffer<std::uint16_t> rows;
  buffer<std::uint8_t> lengths;
  std::vector<cut_row> cut_rows;
  std::int64_t partial_sums = 0;

  [[nodiscard]] bool permutes() const { return !order.empty(); }
  /// Of entries and padding.
  [[nodiscard]] std::int64_t slots() const { return (permutes() ? shared_places.size() : places.size()) - spare_slots; }
  [[nodiscard]] std::int64_t pieces() const { return (cols + cpu::piece_size - 1) / cpu::piece_size; }
  [[nodiscard]] cpu::staging staging_view() const {
    return {blocks.size(), cols, part_first.data(), part_target.data(), part_places.data()};
  }
  [[nodiscard]] cpu::staged_blocks<Value> view() const {
    return {blocks.data(), blocks.size(), chunks.data(), places.data(), permutes() ? shared_places.data() : nullptr,
            values.view(), rows.data(),   lengths.data()};
  }
  /// The columns of a block's own elements of x, ascending.
  [[nodiscard]] std::vector<Index> columns_of(std::int64_t block) const;
};

/// entry(row, rank in the row, slot, column) for every entry, blocks on threads.
template <class Value, class Index, class Entry>
void for_each_entry(const staged_rows<Value, Index>& st, Entry&& entry) {
  constexpr std::int64_t height = staged_rows<Value, Index>::height;
  parallel_pieces(st.blocks.size(), st.slots(), [&](std::int64_t k) {
    const cpu::staged_block& b = st.blocks[k];
    const std::vector<Index> columns = st.columns_of(k);
    const auto at = [&](std::int64_t row, std::int64_t rank, std::int64_t slot) {
      entry(row, rank, slot,
            st.permutes() ? std::int64_t{st.order[st.shared_places[slot]]} : std::int64_t{columns[st.places[slot]]});
    };
    std::int64_t slot = b.slots;
    for (std::int64_t first = 0; first < b.rows; first += height) {
      for (std::int64_t l = first; l < std::min(b.rows, first + height); ++l)
        for (std::int64_t s = 0; s < st.lengths[b.lanes + l]; ++s)
          at(b.first_row + st.rows[b.lanes + l], s, slot + s * height + l - first);
      slot += st.lengths[b.lanes + first] * height;
    }
    for (std::int64_t c = b.chunks; c < b.chunks + b.chunk_count; ++c) {
      const cpu::staged_chunk& chunk = st.chunks[c];
      std::int64_t row = chunk.target;
      std::int64_t rank = 0;
      if (row < 0) {
        const auto after = std::upper_bound(st.cut_rows.begin(), st.cut_rows.end(), ~chunk.target,
                                            [](std::int64_t place, const cut_row& r) { return place < r.partial; });
        row = (after - 1)->row;
        rank = (~chunk.target - (after - 1)->partial) * cpu::chunk_size;
      }
      for (std::int64_t e = 0; e < chunk.count; ++e) at(row, rank + e, chunk.slots + e);
    }
  });
}

template <class Value, class Index>
[[nodiscard]] staged_rows<Value, Index> make_staged(const csr_view<Value, Index>& a, cpu::value_form form,
                                                    bool permutes);
/// Puts the values of `a` in their places, in that form.
template <class Value, class Index>
void set_values(staged_rows<Value, Index>& st, const csr_view<Value, Index>& a, cpu::value_form form);

/// With the memory that one product needs for the staged x.
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const staged_rows<Value, Index>& st);

}  // namespace lacis::detail

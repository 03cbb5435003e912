// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// BSR to and from CSR.
#include <algorithm>
#include <vector>

#include <lacis/convert.hpp>

#include "base/instantiate.hpp"
#include "formats/layout.hpp"
#include "formats/order_rows.hpp"

namespace lacis::detail {
namespace {

/// The block columns that the entries of a block row touch, ascending.
template <value Value, index Index>
void blocks_of_row(const csr_view<Value, Index>& a, std::int64_t block_row, std::int64_t size,
                   std::vector<Index>& blocks) {
  blocks.clear();
  const auto first = static_cast<std::size_t>(block_row * size);
  const auto last = static_cast<std::size_t>(std::min(a.rows, (block_row + 1) * size));
  for (auto k = static_cast<std::size_t>(a.row_offsets[first]); k < static_cast<std::size_t>(a.row_offsets[last]);
       ++k) {
    const auto block = static_cast<Index>(a.columns[k] / static_cast<Index>(size));
    if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
}

}  // namespace

template <value Value, index Index>
buffer<std::int64_t> bsr_row_offsets(const csr_view<Value, Index>& a, std::int64_t block_size) {
  const std::int64_t block_rows = (a.rows + block_size - 1) / block_size;
  buffer<std::int64_t> offsets(block_rows + 1);
  parallel_ranges(block_rows, [&](std::int64_t first, std::int64_t last) {
    std::vector<Index> blocks;
    for (std::int64_t r = first; r < last; ++r) {
      blocks_of_row(a, r, block_size, blocks);
      offsets[r] = static_cast<std::int64_t>(blocks.size());
    }
  });
  counts_to_offsets(offsets);
  return offsets;
}

template <class Value, class Index> csr_matrix<Value, Index> to_csr(const bsr_view<Value, Index>& a) {
  const std::int64_t size = a.block_size;
  csr_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .row_offsets = buffer<std::int64_t>(a.rows + 1),
                                  .columns = buffer<Index>(a.nnz()),
                                  .values = values_array<Value>::like(a.values, a.nnz())};
  const auto for_each_entry = [&](std::int64_t row, auto&& visit) {
    const auto block_row = static_cast<std::size_t>(row / size);
    for (std::int64_t block = a.row_offsets[block_row]; block < a.row_offsets[block_row + 1]; ++block)
      for (std::int64_t j = 0; j < size; ++j) {
        const std::int64_t slot = row % size * size + j;
        if (a.occupied(block, slot))
          visit(static_cast<Index>(a.block_columns[static_cast<std::size_t>(block)] * static_cast<Index>(size) +
                                   static_cast<Index>(j)),
                block * size * size + slot);
      }
  };
  parallel_for(a.rows, [&](std::int64_t row) {
    std::int64_t count = 0;
    for_each_entry(row, [&](Index, std::int64_t) { ++count; });
    result.row_offsets[row] = count;
  });
  counts_to_offsets(result.row_offsets);
  parallel_for(a.rows, [&](std::int64_t row) {
    std::int64_t k = result.row_offsets[row];
    for_each_entry(row, [&](Index column, std::int64_t slot) {
      result.columns[k] = column;
      if (!a.values.iso) result.values.data[k] = a.values[slot];
      ++k;
    });
  });
  return result;
}

template <class Value, class Index>
bsr_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                  std::type_identity<bsr_matrix<Value, Index>>) {
  require_bsr_options(options);
  require_canonical(a, "bsr, which has one slot for each place,");
  require_memory(storage_bytes(a, matrix_format::bsr, options), matrix_format::bsr, options);
  const std::int64_t size = options.block_size;
  const std::int64_t slots = size * size;
  auto row_offsets = bsr_row_offsets(a, size);
  const std::int64_t blocks = row_offsets[row_offsets.size() - 1];
  bsr_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .entries = a.nnz(),
                                  .block_size = size,
                                  .row_offsets = std::move(row_offsets),
                                  .block_columns = buffer<Index>(blocks),
                                  .mask = buffer<std::uint8_t>(blocks * ((slots + 7) / 8)),
                                  .values = values_array<Value>::like(a.values, blocks * slots)};
  const std::int64_t mask_bytes = (slots + 7) / 8;
  parallel_rows(result.row_offsets, [&](std::int64_t first, std::int64_t last) {
    std::vector<Index> touched;
    for (std::int64_t r = first; r < last; ++r) {
      const std::int64_t begin = result.row_offsets[r];
      blocks_of_row(a, r, size, touched);
      std::copy(touched.begin(), touched.end(), result.block_columns.begin() + begin);
      std::fill_n(result.mask.begin() + begin * mask_bytes, static_cast<std::int64_t>(touched.size()) * mask_bytes, 0);
      if (!a.values.iso)
        std::fill_n(result.values.data.begin() + begin * slots, static_cast<std::int64_t>(touched.size()) * slots,
                    Value{});
      for (std::int64_t row = r * size; row < std::min(a.rows, (r + 1) * size); ++row) {
        std::int64_t block = begin;
        for (std::int64_t k = a.row_offsets[static_cast<std::size_t>(row)];
             k < a.row_offsets[static_cast<std::size_t>(row) + 1]; ++k) {
          const Index column = a.columns[static_cast<std::size_t>(k)];
          while (result.block_columns[block] != column / static_cast<Index>(size)) ++block;
          const std::int64_t slot = row % size * size + column % static_cast<Index>(size);
          result.mask[block * mask_bytes + slot / 8] |= static_cast<std::uint8_t>(1u << (slot % 8));
          if (!a.values.iso) result.values.data[block * slots + slot] = a.values[k];
        }
      }
    }
  });
  return result;
}

#define LACIS_BSR(Value, Index)                                                                               \
  template buffer<std::int64_t> bsr_row_offsets(const csr_view<Value, Index>&, std::int64_t);                 \
  template LACIS_API csr_matrix<Value, Index> to_csr(const bsr_view<Value, Index>&);                          \
  template LACIS_API bsr_matrix<Value, Index> from_csr(const csr_view<Value, Index>&, const convert_options&, \
                                                       std::type_identity<bsr_matrix<Value, Index>>);
LACIS_FOR_EACH_TYPE(LACIS_BSR)

}  // namespace lacis::detail

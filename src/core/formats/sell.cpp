// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// SELL-C-sigma to and from CSR.
#include <algorithm>
#include <numeric>

#include <lacis/convert.hpp>

#include "base/instantiate.hpp"
#include "base/pieces.hpp"
#include "formats/layout.hpp"

namespace lacis::detail {

template <index Index>
buffer<Index> sell_permutation(std::span<const std::int64_t> row_offsets, std::int64_t sort_window) {
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  require_index<Index>(rows, "rows");
  buffer<Index> permutation(rows);
  parallel_for(rows, [&](std::int64_t i) { permutation[i] = static_cast<Index>(i); });
  if (sort_window <= 1) return permutation;
  const auto longer = [&](Index a, Index b) {
    const auto length = [&](Index i) {
      return row_offsets[static_cast<std::size_t>(i) + 1] - row_offsets[static_cast<std::size_t>(i)];
    };
    return length(a) > length(b);
  };
  const std::int64_t windows = (rows + sort_window - 1) / sort_window;
  on_threads(threads_for(rows), [&](int t, int parts) {
    for (std::int64_t w = even_cut(windows, t, parts); w < even_cut(windows, t + 1, parts); ++w)
      std::stable_sort(permutation.begin() + w * sort_window,
                       permutation.begin() + std::min(rows, (w + 1) * sort_window), longer);
  });
  return permutation;
}

template <index Index>
buffer<std::int64_t> sell_slice_offsets(std::span<const std::int64_t> row_offsets, std::span<const Index> permutation,
                                        std::int64_t slice_height) {
  const auto rows = static_cast<std::int64_t>(permutation.size());
  const std::int64_t slices = (rows + slice_height - 1) / slice_height;
  buffer<std::int64_t> offsets(slices + 1);
  parallel_pieces(slices, rows, [&](std::int64_t t) {
    std::int64_t width = 0;
    for (std::int64_t p = t * slice_height; p < std::min(rows, (t + 1) * slice_height); ++p) {
      const auto row = static_cast<std::size_t>(permutation[static_cast<std::size_t>(p)]);
      width = std::max(width, row_offsets[row + 1] - row_offsets[row]);
    }
    offsets[t] = checked_multiply(width, slice_height, "the slots of a slice");
  });
  counts_to_offsets(offsets);
  return offsets;
}

template <class Value, class Index> csr_matrix<Value, Index> to_csr(const sell_view<Value, Index>& a) {
  csr_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .row_offsets = buffer<std::int64_t>(a.rows + 1),
                                  .columns = buffer<Index>(a.nnz()),
                                  .values = values_array<Value>::like(a.values, a.nnz())};
  parallel_for(a.rows, [&](std::int64_t p) {
    result.row_offsets[a.permutation[static_cast<std::size_t>(p)]] = a.row_lengths[static_cast<std::size_t>(p)];
  });
  counts_to_offsets(result.row_offsets);
  parallel_for(a.rows, [&](std::int64_t p) {
    const auto row = static_cast<std::int64_t>(a.permutation[static_cast<std::size_t>(p)]);
    std::int64_t slot = a.slice_offsets[static_cast<std::size_t>(p / a.slice_height)] + p % a.slice_height;
    for (std::int64_t k = result.row_offsets[row]; k < result.row_offsets[row + 1]; ++k, slot += a.slice_height) {
      result.columns[k] = a.columns[static_cast<std::size_t>(slot)];
      if (!a.values.iso) result.values.data[k] = a.values[slot];
    }
  });
  return result;
}

template <class Value, class Index>
sell_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                   std::type_identity<sell_matrix<Value, Index>>) {
  require_sell_options(options);
  require_index<Index>(longest_row(a.row_offsets), "entries in a row");
  const std::int64_t height = options.slice_height;
  auto permutation = sell_permutation<Index>(a.row_offsets, options.sort_window);
  auto slice_offsets = sell_slice_offsets<Index>(a.row_offsets, permutation, height);
  const std::int64_t slots = slice_offsets[slice_offsets.size() - 1];
  require_memory(checked_multiply(slots, slot_bytes(a), "the bytes of sell"), matrix_format::sell, options);
  sell_matrix<Value, Index> result{.rows = a.rows,
                                   .cols = a.cols,
                                   .entries = a.nnz(),
                                   .slice_height = height,
                                   .sort_window = options.sort_window,
                                   .permutation = std::move(permutation),
                                   .row_lengths = buffer<Index>(a.rows),
                                   .slice_offsets = std::move(slice_offsets),
                                   .columns = buffer<Index>(slots),
                                   .values = values_array<Value>::like(a.values, slots)};
  parallel_rows(result.slice_offsets, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t t = first; t < last; ++t) {
      const std::int64_t begin = result.slice_offsets[t];
      const std::int64_t width = (result.slice_offsets[t + 1] - begin) / height;
      for (std::int64_t lane = 0; lane < height; ++lane) {
        const std::int64_t p = t * height + lane;
        const auto row = p < a.rows ? static_cast<std::size_t>(result.permutation[p]) : 0;
        const std::int64_t from = p < a.rows ? a.row_offsets[row] : 0;
        const std::int64_t length = p < a.rows ? a.row_offsets[row + 1] - from : 0;
        if (p < a.rows) result.row_lengths[p] = static_cast<Index>(length);
        for (std::int64_t s = 0; s < width; ++s) {
          const std::int64_t entry = from + std::min(s, length - 1);
          const std::int64_t slot = begin + s * height + lane;
          result.columns[slot] = length == 0 ? Index{0} : a.columns[static_cast<std::size_t>(entry)];
          if (!a.values.iso) result.values.data[slot] = s < length ? a.values[entry] : Value{};
        }
      }
    }
  });
  return result;
}

#define LACIS_SELL(Value, Index)                                                                               \
  template LACIS_API csr_matrix<Value, Index> to_csr(const sell_view<Value, Index>&);                          \
  template LACIS_API sell_matrix<Value, Index> from_csr(const csr_view<Value, Index>&, const convert_options&, \
                                                        std::type_identity<sell_matrix<Value, Index>>);
LACIS_FOR_EACH_TYPE(LACIS_SELL)
template buffer<std::int32_t> sell_permutation(std::span<const std::int64_t>, std::int64_t);
template buffer<std::int64_t> sell_permutation(std::span<const std::int64_t>, std::int64_t);
template buffer<std::int64_t> sell_slice_offsets(std::span<const std::int64_t>, std::span<const std::int32_t>,
                                                 std::int64_t);
template buffer<std::int64_t> sell_slice_offsets(std::span<const std::int64_t>, std::span<const std::int64_t>,
                                                 std::int64_t);

}  // namespace lacis::detail

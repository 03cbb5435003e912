// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// HYB to and from CSR, and the width of its ELL part.
#include <lacis/convert.hpp>

#include "base/instantiate.hpp"
#include "formats/layout.hpp"

namespace lacis::detail {

template <value Value, index Index> std::int64_t hyb_width(const csr_view<Value, Index>& a) {
  // A slot more in every row costs rows * slot bytes and saves a COO entry in each row that is longer: go on while it
  // pays.
  const std::int64_t longest = longest_row(a.row_offsets);
  buffer<std::int64_t> rows_of_length(longest + 1, 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows); ++i)
    ++rows_of_length[a.row_offsets[i + 1] - a.row_offsets[i]];
  const std::int64_t slot = slot_bytes(a);
  const std::int64_t entry = slot + static_cast<std::int64_t>(sizeof(Index));
  std::int64_t longer = a.rows - rows_of_length[0];
  std::int64_t width = 0;
  while (width<longest&& static_cast<__int128>(longer) * entry> static_cast<__int128>(a.rows) * slot)
    longer -= rows_of_length[++width];
  return width;
}

template <class Value, class Index> csr_matrix<Value, Index> to_csr(const hyb_view<Value, Index>& a) {
  const csr_matrix<Value, Index> first = to_csr(a.ell);
  const csr_matrix<Value, Index> rest = to_csr(a.coo);
  csr_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .row_offsets = buffer<std::int64_t>(a.rows + 1),
                                  .columns = buffer<Index>(a.nnz()),
                                  .values = values_array<Value>::like(a.ell.values, a.nnz())};
  parallel_for(a.rows + 1, [&](std::int64_t i) { result.row_offsets[i] = first.row_offsets[i] + rest.row_offsets[i]; });
  parallel_rows(result.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t slot = result.row_offsets[i];
      for (const csr_matrix<Value, Index>* part : {&first, &rest})
        for (std::int64_t k = part->row_offsets[i]; k < part->row_offsets[i + 1]; ++k, ++slot) {
          result.columns[slot] = part->columns[k];
          if (!result.values.iso) result.values.data[slot] = part->values[k];
        }
    }
  });
  return result;
}

template <class Value, class Index>
hyb_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                  std::type_identity<hyb_matrix<Value, Index>>) {
  require_index<Index>(a.rows, "rows");
  require_memory(storage_bytes(a, matrix_format::hyb, options), matrix_format::hyb, options);
  hyb_matrix<Value, Index> result{.rows = a.rows, .cols = a.cols, .ell = ell_prefix(a, hyb_width(a)), .coo = {}};
  const std::int64_t width = result.ell.width;
  buffer<std::int64_t> rest_offsets(a.rows + 1);
  parallel_for(a.rows, [&](std::int64_t i) {
    const auto row = static_cast<std::size_t>(i);
    rest_offsets[i] = a.row_offsets[row + 1] - a.row_offsets[row] - result.ell.row_lengths[i];
  });
  const std::int64_t rest = counts_to_offsets(rest_offsets);
  result.coo = coo_matrix<Value, Index>{a.rows, a.cols, buffer<Index>(rest), buffer<Index>(rest),
                                        values_array<Value>::like(a.values, rest)};
  parallel_rows(rest_offsets, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t entry = a.row_offsets[static_cast<std::size_t>(i)] + width;
      for (std::int64_t slot = rest_offsets[i]; slot < rest_offsets[i + 1]; ++slot, ++entry) {
        result.coo.row_indices[slot] = static_cast<Index>(i);
        result.coo.columns[slot] = a.columns[static_cast<std::size_t>(entry)];
        if (!a.values.iso) result.coo.values.data[slot] = a.values[entry];
      }
    }
  });
  return result;
}

#define LACIS_HYB(Value, Index)                                                                               \
  template std::int64_t hyb_width(const csr_view<Value, Index>&);                                             \
  template LACIS_API csr_matrix<Value, Index> to_csr(const hyb_view<Value, Index>&);                          \
  template LACIS_API hyb_matrix<Value, Index> from_csr(const csr_view<Value, Index>&, const convert_options&, \
                                                       std::type_identity<hyb_matrix<Value, Index>>);
LACIS_FOR_EACH_TYPE(LACIS_HYB)

}  // namespace lacis::detail

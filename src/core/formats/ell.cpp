// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// ELL to and from CSR.
#include <lacis/convert.hpp>

#include "base/instantiate.hpp"
#include "formats/layout.hpp"

namespace lacis::detail {

template <value Value, index Index>
ell_matrix<Value, Index> ell_prefix(const csr_view<Value, Index>& a, std::int64_t width) {
  require_index<Index>(width, "entries in a row");
  const std::int64_t slots = checked_multiply(a.rows, width, "the slots of ell");
  ell_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .width = width,
                                  .entries = 0,
                                  .row_lengths = buffer<Index>(a.rows),
                                  .columns = buffer<Index>(slots),
                                  .values = values_array<Value>::like(a.values, slots)};
  parallel_ranges(a.rows, [&](std::int64_t first, std::int64_t last) {
    // A few rows at a time, slot by slot, so that the column-major slots are written in runs.
    constexpr std::int64_t rows_at_once = 64;
    for (std::int64_t block = first; block < last; block += rows_at_once) {
      const std::int64_t end = std::min(block + rows_at_once, last);
      for (std::int64_t i = block; i < end; ++i) {
        const auto row = static_cast<std::size_t>(i);
        result.row_lengths[i] = static_cast<Index>(std::min(width, a.row_offsets[row + 1] - a.row_offsets[row]));
      }
      for (std::int64_t s = 0; s < width; ++s)
        for (std::int64_t i = block; i < end; ++i) {
          const std::int64_t length = result.row_lengths[i];
          const std::int64_t entry = a.row_offsets[static_cast<std::size_t>(i)] + std::min(s, length - 1);
          const std::int64_t slot = s * a.rows + i;
          result.columns[slot] = length == 0 ? Index{0} : a.columns[static_cast<std::size_t>(entry)];
          if (!a.values.iso) result.values.data[slot] = s < length ? a.values[entry] : Value{};
        }
    }
  });
  for (const Index length : result.row_lengths) result.entries += length;
  return result;
}

template <class Value, class Index> csr_matrix<Value, Index> to_csr(const ell_view<Value, Index>& a) {
  csr_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .row_offsets = buffer<std::int64_t>(a.rows + 1),
                                  .columns = buffer<Index>(a.nnz()),
                                  .values = values_array<Value>::like(a.values, a.nnz())};
  parallel_for(a.rows, [&](std::int64_t i) { result.row_offsets[i] = a.row_lengths[static_cast<std::size_t>(i)]; });
  counts_to_offsets(result.row_offsets);
  parallel_rows(result.row_offsets, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      for (std::int64_t k = result.row_offsets[i], slot = i; k < result.row_offsets[i + 1]; ++k, slot += a.rows) {
        result.columns[k] = a.columns[static_cast<std::size_t>(slot)];
        if (!a.values.iso) result.values.data[k] = a.values[slot];
      }
  });
  return result;
}

template <class Value, class Index>
ell_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                  std::type_identity<ell_matrix<Value, Index>>) {
  require_memory(storage_bytes(a, matrix_format::ell, options), matrix_format::ell, options);
  return ell_prefix(a, longest_row(a.row_offsets));
}

#define LACIS_ELL(Value, Index)                                                                               \
  template ell_matrix<Value, Index> ell_prefix(const csr_view<Value, Index>&, std::int64_t);                  \
  template LACIS_API csr_matrix<Value, Index> to_csr(const ell_view<Value, Index>&);                          \
  template LACIS_API ell_matrix<Value, Index> from_csr(const csr_view<Value, Index>&, const convert_options&, \
                                                       std::type_identity<ell_matrix<Value, Index>>);
LACIS_FOR_EACH_TYPE(LACIS_ELL)

}  // namespace lacis::detail

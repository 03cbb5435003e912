// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// JDS to and from CSR.
#include <algorithm>

#include <lacis/convert.hpp>

#include "base/instantiate.hpp"
#include "base/radix.hpp"
#include "formats/layout.hpp"

namespace lacis::detail {

template <class Value, class Index> csr_matrix<Value, Index> to_csr(const jds_view<Value, Index>& a) {
  csr_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .row_offsets = buffer<std::int64_t>(a.rows + 1),
                                  .columns = buffer<Index>(a.nnz()),
                                  .values = values_array<Value>::like(a.values, a.nnz())};
  // A place's length is the number of jagged diagonals that reach it; they shorten, so it is found by bisection.
  const auto diagonals = static_cast<std::int64_t>(a.diagonal_offsets.size()) - 1;
  const auto reaches = [&](std::int64_t diagonal, std::int64_t at) {
    const auto d = static_cast<std::size_t>(diagonal);
    return a.diagonal_offsets[d + 1] - a.diagonal_offsets[d] > at;
  };
  parallel_for(a.rows, [&](std::int64_t at) {
    std::int64_t low = 0;
    std::int64_t high = diagonals;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (reaches(middle, at))
        low = middle + 1;
      else
        high = middle;
    }
    result.row_offsets[a.permutation[static_cast<std::size_t>(at)]] = low;
  });
  counts_to_offsets(result.row_offsets);
  parallel_for(a.rows, [&](std::int64_t at) {
    const auto row = static_cast<std::int64_t>(a.permutation[static_cast<std::size_t>(at)]);
    const std::int64_t begin = result.row_offsets[row];
    for (std::int64_t k = begin; k < result.row_offsets[row + 1]; ++k) {
      const std::int64_t slot = a.diagonal_offsets[static_cast<std::size_t>(k - begin)] + at;
      result.columns[k] = a.columns[static_cast<std::size_t>(slot)];
      if (!a.values.iso) result.values.data[k] = a.values[slot];
    }
  });
  return result;
}

template <class Value, class Index>
jds_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options&,
                                  std::type_identity<jds_matrix<Value, Index>>) {
  require_index<Index>(a.rows, "rows");
  const std::int64_t longest = longest_row(a.row_offsets);
  const auto length_of = [&](std::int64_t row) {
    return a.row_offsets[static_cast<std::size_t>(row) + 1] - a.row_offsets[static_cast<std::size_t>(row)];
  };
  jds_matrix<Value, Index> result{
      .rows = a.rows,
      .cols = a.cols,
      .permutation = order_by_key<Index>(a.rows, longest, [&](Index row) { return longest - length_of(row); }),
      .diagonal_offsets = buffer<std::int64_t>(longest + 1, 0),
      .columns = buffer<Index>(a.nnz()),
      .values = values_array<Value>::like(a.values, a.nnz())};
  // Diagonal d is as long as there are rows longer than d: the places where sorted lengths fall tell.
  for (std::int64_t d = 0, places = a.rows; d < longest; ++d) {
    while (places > 0 && length_of(result.permutation[places - 1]) <= d) --places;
    result.diagonal_offsets[d] = places;
  }
  counts_to_offsets(result.diagonal_offsets);
  parallel_for(a.rows, [&](std::int64_t at) {
    const auto row = static_cast<std::int64_t>(result.permutation[at]);
    const std::int64_t begin = a.row_offsets[static_cast<std::size_t>(row)];
    for (std::int64_t d = 0; d < length_of(row); ++d) {
      const std::int64_t slot = result.diagonal_offsets[d] + at;
      result.columns[slot] = a.columns[static_cast<std::size_t>(begin + d)];
      if (!a.values.iso) result.values.data[slot] = a.values[begin + d];
    }
  });
  return result;
}

#define LACIS_JDS(Value, Index)                                                                               \
  template LACIS_API csr_matrix<Value, Index> to_csr(const jds_view<Value, Index>&);                          \
  template LACIS_API jds_matrix<Value, Index> from_csr(const csr_view<Value, Index>&, const convert_options&, \
                                                       std::type_identity<jds_matrix<Value, Index>>);
LACIS_FOR_EACH_TYPE(LACIS_JDS)

}  // namespace lacis::detail

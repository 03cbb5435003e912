// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sampling for the layout `symmetric`.
#include "plan/layouts/symmetric/layout.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "base/instantiate.hpp"

namespace lacis::detail {
namespace {

/// Whether the entries of a row below the diagonal are above it too, with the same bits; `upper` gets the diagonals of
/// the row.
template <class Value, class Index>
bool mirrored(const csr_view<Value, Index>& a, std::int64_t row, std::set<std::int64_t>& upper) {
  const auto offset = [&](std::int64_t i) { return a.row_offsets[static_cast<std::size_t>(i)]; };
  for (std::int64_t k = offset(row); k < offset(row + 1); ++k) {
    const std::int64_t column = a.columns[static_cast<std::size_t>(k)];
    upper.insert(std::abs(column - row));
    if (column >= row) continue;
    const Index* const begin = a.columns.data() + offset(column);
    const Index* const end = a.columns.data() + offset(column + 1);
    const Index* const image = std::lower_bound(begin, end, static_cast<Index>(row));
    if (image == end || *image != row) return false;
    if (std::memcmp(&a.values.data[static_cast<std::size_t>(k)],
                    &a.values.data[static_cast<std::size_t>(offset(column) + (image - begin))], sizeof(Value)) != 0)
      return false;
  }
  return true;
}

}  // namespace

template <class Value, class Index> void take_sample(symmetric_model& m, const csr_view<Value, Index>& a) {
  constexpr std::int64_t sampled_rows = 64;
  m.symmetric = false;
  if (a.values.iso) return;
  std::set<std::int64_t> upper;
  bool symmetric = a.rows > 0;
  for_each_sample(a.rows, [&](std::int64_t first, std::int64_t size) {
    const std::int64_t step = std::max<std::int64_t>(1, size / sampled_rows);
    for (std::int64_t i = first; symmetric && i < first + size; i += step)
      symmetric = mirrored(a, i, upper) && static_cast<std::int64_t>(upper.size()) <= cpu::most_slots;
  });
  if (!symmetric) return;
  m.symmetric = true;
  m.upper.assign(upper.begin(), upper.end());
  take_sample(m.stencil, a);
}

#define LACIS_SYMMETRIC_SAMPLE(Value, Index) template void take_sample(symmetric_model&, const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_SYMMETRIC_SAMPLE)

}  // namespace lacis::detail

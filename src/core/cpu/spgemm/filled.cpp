// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What is left of a nearly empty operand. Hardly a branch here: whether a row is empty is anybody's guess.
#include "cpu/spgemm/filled.hpp"

#include <algorithm>

#include "base/instantiate.hpp"
#include "formats/order_rows.hpp"

namespace lacis::cpu {

template <class T, class Index>
spgemm_filled_part<T, Index>::spgemm_filled_part(const csr_view<T, Index>& a, const csr_view<T, Index>& b)
    : a_(a), columns_(a.nnz() + 1), values_(a.values.iso ? 0 : a.nnz() + 1) {
  const std::int64_t size = a.nnz();
  const Index* columns = a.columns.data();
  const T* values = a.values.data.data();
  const std::int64_t* of_b = b.row_offsets.data();
  const std::int64_t* of_a = a.row_offsets.data();

  // Entries that meet something, and how many of them stand before each entry of A.
  buffer<std::int32_t> before(size + 1);
  std::int32_t kept = 0;
  std::int64_t descents = 0;
  Index left = -1;
  for (std::int64_t e = 0; e < size; ++e) {
    const Index column = columns[e];
    columns_[kept] = column;
    if (!a.values.iso) values_[kept] = values[e];
    before[e] = kept;
    kept += of_b[column] != of_b[column + 1] ? 1 : 0;
    descents += left >= column ? 1 : 0;
    left = column;
  }
  before[size] = kept;

  rows_ = buffer<std::int32_t>(a.rows + 1);
  std::int32_t filled = 0;
  std::int64_t begin = 0;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(a.rows); ++i) {
    const std::int64_t end = of_a[i + 1];
    rows_[filled] = i;
    filled += begin != end ? 1 : 0;
    begin = end;
  }

  offsets_ = buffer<std::int64_t>(filled + 1);
  for (std::int32_t f = 0; f < filled; ++f) {
    const std::int32_t row = rows_[f];
    const std::int64_t from = of_a[row];
    rows_[kept_rows_] = row;
    offsets_[kept_rows_] = before[from];
    kept_rows_ += before[from] != before[of_a[row + 1]] ? 1 : 0;
    // Where a row begins behind another one, columns may descend.
    descents -= f > 0 && columns[from - 1] >= columns[from] ? 1 : 0;
  }
  offsets_[kept_rows_] = kept;
  if (descents != 0) detail::require_canonical(a, "spgemm");
}

template <class T, class Index> csr_view<T, Index> spgemm_filled_part<T, Index>::view() const {
  const auto entries = static_cast<std::size_t>(offsets_[kept_rows_]);
  return {kept_rows_,
          a_.cols,
          {offsets_.data(), static_cast<std::size_t>(kept_rows_) + 1},
          {columns_.data(), entries},
          {a_.values.iso ? a_.values.data : std::span<const T>(values_.data(), entries), a_.values.iso}};
}

template <class T, class Index>
buffer<std::int64_t> spgemm_filled_part<T, Index>::spread(const buffer<std::int64_t>& offsets) const {
  constexpr std::int64_t at_once = 8;
  const std::int64_t size = a_.rows + 1;
  buffer<std::int64_t> all(size);
  std::int64_t* to = all.data();
  std::int64_t next = 0;
  for (std::int64_t k = 0; k < kept_rows_; ++k) {
    const std::int64_t end = rows_[k] + 1;
    const std::int64_t offset = offsets[k];
    for (; next < end && next + at_once <= size; next += at_once)
      for (std::int64_t i = 0; i < at_once; ++i) to[next + i] = offset;
    for (; next < end; ++next) to[next] = offset;
    next = end;
  }
  std::fill(to + next, to + size, offsets[kept_rows_]);
  return all;
}

template <class T, class Index> std::int64_t spgemm_filled_part<T, Index>::bytes() const {
  return rows_.size() * 4 + offsets_.size() * 8 + columns_.size() * static_cast<std::int64_t>(sizeof(Index)) +
         values_.size() * static_cast<std::int64_t>(sizeof(T));
}

#define LACIS_FILLED(Value, Index) template class spgemm_filled_part<Value, Index>;
LACIS_FOR_EACH_TYPE(LACIS_FILLED)

}  // namespace lacis::cpu

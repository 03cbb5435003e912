// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices from a diagonal or from triplets, and single entries.
#include <algorithm>
#include <functional>
#include <utility>

#include <lacis/builder.hpp>
#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/text.hpp"

namespace lacis::detail {
namespace {

template <class Value, class Index> csr_matrix<Value, Index> diagonal_matrix(buffer<Value> values) {
  const std::int64_t size = values.size();
  require_index<Index>(size, "rows");
  csr_matrix<Value, Index> made{size, size, buffer<std::int64_t>(size + 1), buffer<Index>(size), {}};
  for (std::int64_t i = 0; i < size; ++i) {
    made.row_offsets[i] = i;
    made.columns[i] = static_cast<Index>(i);
  }
  made.row_offsets[size] = size;
  made.values = values_array<Value>(std::move(values));
  return made;
}

}  // namespace

template <class Value, class Index> csr_matrix<Value, Index> identity(std::int64_t size) {
  require_index<Index>(size, "rows");
  return diagonal_matrix<Value, Index>(buffer<Value>(size, Value(1)));
}

template <class Value, class Index> csr_matrix<Value, Index> from_diagonal(std::span<const Value> values) {
  return diagonal_matrix<Value, Index>(buffer<Value>(values));
}

template <class Value, class Index>
csr_matrix<Value, Index> from_triplets(std::int64_t rows, std::int64_t cols, std::span<const triplet<Value>> entries) {
  builder<Value, Index> all(rows, cols);
  auto put = all.inserter();
  for (const triplet<Value>& entry : entries) put(entry.row, entry.col, entry.value);
  return all.build();
}

template <class Offset, class Index>
std::int64_t slot_of(std::int64_t rows, std::int64_t cols, std::span<const Offset> offsets,
                     std::span<const Index> columns, std::int64_t i, std::int64_t j) {
  if (i < 0 || i >= rows || j < 0 || j >= cols)
    throw error(errc::invalid_argument,
                text("there is no entry (", i, ", ", j, ") in a ", rows, " x ", cols, " matrix"));
  const Index* const first = columns.data() + offsets[static_cast<std::size_t>(i)];
  const Index* const last = columns.data() + offsets[static_cast<std::size_t>(i) + 1];
  const Index* const found = std::lower_bound(first, last, j, std::less<std::int64_t>());
  return found != last && *found == j ? found - columns.data() : -1;
}

#define LACIS_CONSTRUCT(Value, Index)                                                   \
  template LACIS_API csr_matrix<Value, Index> identity(std::int64_t);                   \
  template LACIS_API csr_matrix<Value, Index> from_diagonal(std::span<const Value>);    \
  template LACIS_API csr_matrix<Value, Index> from_triplets(std::int64_t, std::int64_t, \
                                                            std::span<const triplet<Value>>);
LACIS_FOR_EACH_TYPE(LACIS_CONSTRUCT)
#define LACIS_SLOT(Index, Offset)                                                                                      \
  template LACIS_API std::int64_t slot_of(std::int64_t, std::int64_t, std::span<const Offset>, std::span<const Index>, \
                                          std::int64_t, std::int64_t);
LACIS_SLOT(std::int32_t, std::int32_t)
LACIS_SLOT(std::int64_t, std::int32_t)
LACIS_SLOT(std::int32_t, std::int64_t)
LACIS_SLOT(std::int64_t, std::int64_t)

}  // namespace lacis::detail

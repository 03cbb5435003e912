// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The order of columns in rows: whether they ascend, and making them.
#include "formats/order_rows.hpp"

#include <algorithm>
#include <functional>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "formats/assemble.hpp"
#include "formats/row_sorter.hpp"
#include "formats/rows.hpp"

namespace lacis::detail {
namespace {

/// The first row with neighbouring columns (c, d) for which out_of_order(c, d), or -1.
template <value Value, index Index, class OutOfOrder>
std::int64_t first_row_with(const csr_view<Value, Index>& a, OutOfOrder out_of_order) {
  return first_row_where(a.row_offsets, [&](std::int64_t i) {
    const Index* begin = a.columns.data() + a.row_offsets.data()[i];
    const Index* end = a.columns.data() + a.row_offsets.data()[i + 1];
    return std::adjacent_find(begin, end, out_of_order) != end;
  });
}

}  // namespace

template <class Value, class Index> bool is_sorted(const csr_view<Value, Index>& a) {
  return first_row_with(a, std::greater<Index>()) < 0;
}

template <class Value, class Index> bool is_canonical(const csr_view<Value, Index>& a) {
  return first_row_with(a, std::greater_equal<Index>()) < 0;
}

template <value Value, index Index>
void require_canonical(const csr_view<Value, Index>& a, std::string_view operation) {
  const std::int64_t row = first_row_with(a, std::greater_equal<Index>());
  if (row < 0) return;
  const Index* begin = a.columns.data() + a.row_offsets.data()[row];
  const Index* end = a.columns.data() + a.row_offsets.data()[row + 1];
  const Index* place = std::adjacent_find(begin, end, std::greater_equal<Index>());
  throw error(errc::invalid_matrix, text(operation, " needs strictly ascending columns, but row ", row, " has column ",
                                         place[1], " after column ", place[0], "; call canonical() first"));
}

template <value Value, index Index> void sort_in_place(csr_matrix<Value, Index>& a) {
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    row_sorter<Value, Index> sorter;
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t begin = a.row_offsets[i];
      const std::int64_t end = a.row_offsets[i + 1];
      Index* columns = a.columns.data();
      if (!std::is_sorted(columns + begin, columns + end))
        sorter.sort(columns + begin, a.values.iso ? nullptr : a.values.data.data() + begin, end - begin);
    }
  });
}

template <class Value, class Index> csr_matrix<Value, Index> sort_rows(const csr_view<Value, Index>& a) {
  csr_matrix<Value, Index> result = copy_of(a);
  sort_in_place(result);
  return result;
}

template <class Value, class Index>
csr_matrix<Value, Index> canonical(const csr_view<Value, Index>& a, duplicates rule) {
  csr_matrix<Value, Index> result = copy_of(a);
  make_canonical(result, rule);
  return result;
}

#define LACIS_ORDER_ROWS(Value, Index)                                                  \
  template LACIS_API bool is_sorted(const csr_view<Value, Index>&);                     \
  template LACIS_API bool is_canonical(const csr_view<Value, Index>&);                  \
  template void require_canonical(const csr_view<Value, Index>&, std::string_view);     \
  template void sort_in_place(csr_matrix<Value, Index>&);                               \
  template LACIS_API csr_matrix<Value, Index> sort_rows(const csr_view<Value, Index>&); \
  template LACIS_API csr_matrix<Value, Index> canonical(const csr_view<Value, Index>&, duplicates);
LACIS_FOR_EACH_TYPE(LACIS_ORDER_ROWS)

}  // namespace lacis::detail

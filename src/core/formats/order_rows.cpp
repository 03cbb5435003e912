// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The order of columns in rows: whether they ascend, and making them.
#include "formats/order_rows.hpp"

#include <algorithm>
#include <atomic>
#include <functional>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "formats/assemble.hpp"
#include "formats/offsets.hpp"
#include "formats/row_sorter.hpp"
#include "formats/rows.hpp"
#include "formats/validate.hpp"

namespace lacis::detail {
namespace {

/// Whether all of them are in 0 .. limit; written for the compiler's vectoriser.
template <class Index> bool all_below(const Index* columns, std::int64_t count, std::int64_t limit) {
  Index least = 0;
  Index most = -1;
  for (std::int64_t k = 0; k < count; ++k) {
    least = std::min(least, columns[k]);
    most = std::max(most, columns[k]);
  }
  return least >= 0 && most < limit;
}

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

template <value Value, index Index> void require_inside(const csr_view<Value, Index>& a) {
  require_sizes(a);
  std::atomic<bool> inside = true;
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    const std::int64_t* offsets = a.row_offsets.data();
    if (!offsets_rise(offsets + first, last - first, a.nnz()) ||
        !all_below(a.columns.data() + offsets[first], offsets[last] - offsets[first], a.cols))
      inside = false;
  });
  if (!inside) require_valid(a);
}

template <value Value, index Index>
void require_canonical(const csr_view<Value, Index>& a, std::string_view operation) {
  require_sizes(a);
  const std::int64_t row = first_row_where(a.row_offsets, [&](std::int64_t i) {
    if (!offsets_rise(a.row_offsets.data() + i, 1, a.nnz())) return true;
    const Index* begin = a.columns.data() + a.row_offsets.data()[i];
    const Index* end = a.columns.data() + a.row_offsets.data()[i + 1];
    // Of columns that ascend, the first and the last are inside when all are.
    return std::adjacent_find(begin, end, std::greater_equal<Index>()) != end ||
           (begin != end && (begin[0] < 0 || end[-1] >= a.cols));
  });
  if (row < 0) return;
  require_valid(a);
  const Index* begin = a.columns.data() + a.row_offsets.data()[row];
  const Index* end = a.columns.data() + a.row_offsets.data()[row + 1];
  const Index* place = std::adjacent_find(begin, end, std::greater_equal<Index>());
  throw error(errc::invalid_matrix, text(operation, " needs strictly ascending columns, but row ", row, " has column ",
                                         place[1], " after column ", place[0], "; call canonical() first"));
}

template <index Index> void require_canonical_pattern(pattern_view<Index> a, std::string_view operation) {
  constexpr float one = 1;
  a.values = {std::span<const float>(&one, 1), true};
  require_canonical(a, operation);
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
  template void require_inside(const csr_view<Value, Index>&);                          \
  template void require_canonical(const csr_view<Value, Index>&, std::string_view);     \
  template void sort_in_place(csr_matrix<Value, Index>&);                               \
  template LACIS_API csr_matrix<Value, Index> sort_rows(const csr_view<Value, Index>&); \
  template LACIS_API csr_matrix<Value, Index> canonical(const csr_view<Value, Index>&, duplicates);
LACIS_FOR_EACH_TYPE(LACIS_ORDER_ROWS)
template void require_canonical_pattern(pattern_view<std::int32_t>, std::string_view);
template void require_canonical_pattern(pattern_view<std::int64_t>, std::string_view);

}  // namespace lacis::detail

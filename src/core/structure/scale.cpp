// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products entry by entry: with a diagonal matrix from either side, and with another matrix.
#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "formats/pairs.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

/// A with the values product(row, entry).
template <value Value, index Index, class Product>
csr_matrix<Value, Index> with_values(const csr_view<Value, Index>& a, Product&& product) {
  values_array<Value> values(a.nnz());
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    const summation::rounding_guard guard;
    for (std::int64_t i = first; i < last; ++i)
      for (std::int64_t k = a.row_offsets.data()[i]; k < a.row_offsets.data()[i + 1]; ++k)
        values.data[k] = product(i, k);
  });
  return {.rows = a.rows,
          .cols = a.cols,
          .row_offsets = parallel_copy_of(a.row_offsets),
          .columns = parallel_copy_of(a.columns),
          .values = std::move(values)};
}

void require_factors(std::size_t factors, std::int64_t size, std::string_view operation, std::string_view what) {
  if (static_cast<std::int64_t>(factors) != size)
    throw error(errc::invalid_argument,
                text(operation, " needs a factor for each of the ", size, ' ', what, ", but was given ", factors));
}

}  // namespace

template <class Value, class Index>
csr_matrix<Value, Index> scale_rows(const csr_view<Value, Index>& a, std::span<const Value> factors) {
  require_factors(factors.size(), a.rows, "scale_rows", "rows");
  return with_values(
      a, [&](std::int64_t i, std::int64_t k) { return summation::multiply(factors.data()[i], a.values[k]); });
}

template <class Value, class Index>
csr_matrix<Value, Index> scale_columns(const csr_view<Value, Index>& a, std::span<const Value> factors) {
  require_factors(factors.size(), a.cols, "scale_columns", "columns");
  return with_values(a, [&](std::int64_t, std::int64_t k) {
    return summation::multiply(a.values[k], factors.data()[a.columns.data()[k]]);
  });
}

template <class Value, class Index>
csr_matrix<Value, Index> hadamard(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b) {
  if (a.rows != b.rows || a.cols != b.cols)
    throw error(errc::invalid_argument, text("hadamard needs two matrices of one size, not ", a.rows, " x ", a.cols,
                                             " and ", b.rows, " x ", b.cols));
  require_canonical(a, "hadamard");
  require_canonical(b, "hadamard");
  const summation::rounding_guard guard;
  const buffer<std::int64_t> work = joint_offsets(a, b);
  const values_array<Value> shape = a.values.iso && b.values.iso
                                        ? values_array<Value>::same(summation::multiply(a.values[0], b.values[0]))
                                        : values_array<Value>();
  auto result = with_row_lengths<Value, Index>(a.rows, a.cols, shape.view(), work, [&](std::int64_t i) {
    std::int64_t length = 0;
    walk_together(a, b, i, [&](Index, std::int64_t k, std::int64_t l) { length += k >= 0 && l >= 0 ? 1 : 0; });
    return length;
  });
  parallel_rows(work, [&](std::int64_t first, std::int64_t last) {
    const summation::rounding_guard guard_of_thread;
    for (std::int64_t i = first; i < last; ++i) {
      row_writer<Value, Index> out(result, i);
      walk_together(a, b, i, [&](Index column, std::int64_t k, std::int64_t l) {
        if (k >= 0 && l >= 0) out.put(column, summation::multiply(a.values[k], b.values[l]));
      });
    }
  });
  return result;
}

#define LACIS_SCALE(Value, Index)                                                                                   \
  template LACIS_API csr_matrix<Value, Index> scale_rows(const csr_view<Value, Index>&, std::span<const Value>);    \
  template LACIS_API csr_matrix<Value, Index> scale_columns(const csr_view<Value, Index>&, std::span<const Value>); \
  template LACIS_API csr_matrix<Value, Index> hadamard(const csr_view<Value, Index>&, const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_SCALE)

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The same matrix with other types of values or indices.
#include <algorithm>
#include <complex>

#include <lacis/structure.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "formats/rows.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

template <value Value> bool has_imaginary_part(Value value) {
  if constexpr (is_complex<Value>)
    return value.imag() != 0;  // true for NaN
  else
    return false;
}

template <value To, value From> To cast_value(From value) {
  using real = real_of<To>;
  if constexpr (is_complex<To> && is_complex<From>)
    return {static_cast<real>(value.real()), static_cast<real>(value.imag())};
  else if constexpr (is_complex<From>)
    return static_cast<real>(value.real());
  else
    return static_cast<real>(value);
}

template <value Value, index Index> void require_real(const csr_view<Value, Index>& a) {
  const std::int64_t* offsets = a.row_offsets.data();
  const auto first_in = [&](std::int64_t row) {
    std::int64_t k = offsets[row];
    while (k < offsets[row + 1] && !has_imaginary_part(a.values[k])) ++k;
    return k;
  };
  const std::int64_t row = first_row_where(a.row_offsets, [&](std::int64_t i) { return first_in(i) < offsets[i + 1]; });
  if (row < 0) return;
  const std::int64_t k = first_in(row);
  throw error(errc::invalid_argument,
              text("the entry in row ", row, ", column ", a.columns.data()[k], " has the imaginary part ",
                   std::imag(a.values[k]), "; a real matrix cannot hold it"));
}

}  // namespace

template <class To, class From, class Index> csr_matrix<To, Index> cast_values(const csr_view<From, Index>& a) {
  if constexpr (is_complex<From> && !is_complex<To>) require_real(a);
  const auto slots = static_cast<std::int64_t>(a.values.data.size());
  values_array<To> values(buffer<To>(slots), a.values.iso);
  parallel_ranges(slots, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    for (std::int64_t k = begin; k < end; ++k) values.data[k] = cast_value<To>(a.values.data.data()[k]);
  });
  return {.rows = a.rows,
          .cols = a.cols,
          .row_offsets = parallel_copy_of(a.row_offsets),
          .columns = parallel_copy_of(a.columns),
          .values = std::move(values)};
}

template <class To, class Value, class From> csr_matrix<Value, To> cast_indices(const csr_view<Value, From>& a) {
  require_index<To>(a.cols, "columns");
  buffer<To> columns(a.nnz());
  parallel_for(a.nnz(), [&](std::int64_t k) { columns[k] = static_cast<To>(a.columns.data()[k]); });
  return {.rows = a.rows,
          .cols = a.cols,
          .row_offsets = parallel_copy_of(a.row_offsets),
          .columns = std::move(columns),
          .values = values_array<Value>(parallel_copy_of(a.values.data), a.values.iso)};
}

#define LACIS_CAST(Value, Index)                                                                                \
  template LACIS_API csr_matrix<float, Index> cast_values<float>(const csr_view<Value, Index>&);                \
  template LACIS_API csr_matrix<double, Index> cast_values<double>(const csr_view<Value, Index>&);              \
  template LACIS_API csr_matrix<std::complex<float>, Index> cast_values<std::complex<float>>(                   \
      const csr_view<Value, Index>&);                                                                           \
  template LACIS_API csr_matrix<std::complex<double>, Index> cast_values<std::complex<double>>(                 \
      const csr_view<Value, Index>&);                                                                           \
  template LACIS_API csr_matrix<Value, std::int32_t> cast_indices<std::int32_t>(const csr_view<Value, Index>&); \
  template LACIS_API csr_matrix<Value, std::int64_t> cast_indices<std::int64_t>(const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_CAST)

}  // namespace lacis::detail

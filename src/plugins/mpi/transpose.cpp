// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The transpose of a distributed matrix: every entry goes to the owner of its column.
#include <complex>

#include "mpi/rows.hpp"

namespace lacis {
namespace {

template <value T> distributed_csr<T> transposed_rows(const distributed_csr<T>& a, bool conjugated) {
  a.group->require_same("transpose()", {{"flag of conjugation", conjugated ? 1U : 0U}});
  const auto& local = a.local;
  buffer<dist::entry<T>> entries(local.nnz());
  const row_range own = a.own_rows();
  for (std::int64_t i = 0; i < local.rows; ++i)
    for (std::int64_t e = local.row_offsets[i]; e < local.row_offsets[i + 1]; ++e) {
      T value = local.values[e];
      if constexpr (is_complex<T>) value = conjugated ? std::conj(value) : value;
      entries[e] = {a.column(local.columns[e]), own.first + i, value};
    }
  // Processes come in the order of their rows, and their entries too: in each new row columns ascend.
  const auto come = dist::to_owners<T>(*a.group, a.col_ranges, entries);
  entries = {};
  dist::spread_rows<T, std::int64_t> made{a.group, a.col_ranges, a.row_ranges,
                                          dist::rows_of<T>(come.data, a.own_cols(), a.rows())};
  if (local.values.iso) {
    T same = local.values.data[0];
    if constexpr (is_complex<T>) same = conjugated ? std::conj(same) : same;
    made.rows.values = values_array<T>::same(same);
  }
  return dist::with_ghosts(std::move(made));
}

}  // namespace

template <value T> distributed_csr<T> transpose(const distributed_csr<T>& a, bool conjugated) {
  return a.group->together([&] { return transposed_rows(a, conjugated); });
}

#define LACIS_INSTANTIATE(T) template LACIS_API distributed_csr<T> transpose(const distributed_csr<T>&, bool);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis

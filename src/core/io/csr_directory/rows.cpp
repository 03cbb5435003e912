// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading rows of a directory of arrays: nothing else of their files is touched.
#include "io/csr_directory/rows.hpp"

#include <algorithm>
#include <complex>

#include "io/bytes/input_budget.hpp"
#include "io/csr_directory/csr_directory.hpp"

namespace lacis::detail {

std::optional<matrix_size> csr_directory_size(const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(path, unknown)) return {};
  const csr_directory_content content = load_csr_directory(path);
  return matrix_size{content.arrays.rows, content.arrays.cols};
}

template <class Value>
csr_matrix<Value, std::int64_t> read_csr_directory_rows(const std::filesystem::path& path, row_range rows,
                                                        const read_options& options) {
  csr_directory_content content = load_csr_directory(path);
  npz_content& all = content.arrays;
  if (rows.first < 0 || rows.first > rows.last || rows.last > all.rows)
    throw error(errc::invalid_argument,
                text(path.string(), ": has ", all.rows, " rows; there are none from ", rows.first, " to ", rows.last));
  const std::int64_t count = rows.last - rows.first;
  csr_matrix<Value, std::int64_t> made{count, all.cols, {}, {}, {}};
  const npy_array& pointers = all.array("indptr");
  auto budget = input_budget::for_arrays(options, all.name);
  budget.take(static_cast<std::size_t>((count + 1) * pointers.item_size));
  made.row_offsets = indices_of<std::int64_t>(pointers, rows.first, 1, count + 1, content.entries + 1);
  if (!std::is_sorted(made.row_offsets.begin(), made.row_offsets.end()))
    throw pointers.fault("has offsets that descend");
  const std::int64_t first = made.row_offsets[0];
  for (std::int64_t& offset : made.row_offsets) offset -= first;
  const std::int64_t entries = made.row_offsets[count];
  budget.take(static_cast<std::size_t>(entries * (all.array("indices").item_size + all.array("data").item_size)));
  made.columns = indices_of<std::int64_t>(all.array("indices"), first, 1, entries, all.cols);
  made.values = values_array<Value>(values_of<Value>(all.array("data"), first, entries, options));
  return made;
}

#define LACIS_INSTANTIATE(Value)                                                                                      \
  template LACIS_API csr_matrix<Value, std::int64_t> read_csr_directory_rows(const std::filesystem::path&, row_range, \
                                                                             const read_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::detail

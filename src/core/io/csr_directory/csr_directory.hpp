// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A CSR matrix as a directory of NumPy arrays: what its files are called, and reading them.
#pragma once

#include <filesystem>
#include <string_view>

#include <lacis/csr.hpp>
#include <lacis/io.hpp>

#include "io/npz/npz.hpp"

namespace lacis::detail {

inline constexpr std::string_view row_offsets_file = "row_offsets.npy";
inline constexpr std::string_view columns_file = "columns.npy";
inline constexpr std::string_view values_file = "values.npy";
inline constexpr std::string_view parts_file = "parts.npy";
inline constexpr std::string_view order_file = "order.npy";
inline constexpr std::string_view description_file = "matrix.json";

/// The arrays in the types of their files, from which they are read in pieces, under the names that an .npz has for
/// them. Each has the size and the type that matrix.json declares; otherwise error(bad_input).
struct csr_directory_content {
  npz_content arrays;
  std::int64_t entries = 0;
};
[[nodiscard]] csr_directory_content load_csr_directory(const std::filesystem::path& path);

/// The matrix with canonical rows. Throws error(bad_input) when arrays do not fit each other or the description.
template <value Value, index Index>
[[nodiscard]] csr_matrix<Value, Index> to_csr(csr_directory_content content, const read_options& options,
                                              read_report& report);

/// What Binsparse calls the elements of an array: "int32", "float64", "complex[float64]".
[[nodiscard]] std::string binsparse_type(char kind, int item_size);

}  // namespace lacis::detail

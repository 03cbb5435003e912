// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Some rows of a directory of arrays: what one of several processes reads of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/io.hpp>
#include <lacis/types.hpp>

namespace lacis::detail {

/// The rows and columns of the matrix in a directory; nothing where the path names none.
[[nodiscard]] LACIS_API std::optional<matrix_size> csr_directory_size(const std::filesystem::path& path);

/// These rows, with the columns of the whole; only their part of the files is read. They may not be canonical.
template <class Value>
[[nodiscard]] LACIS_API csr_matrix<Value, std::int64_t> read_csr_directory_rows(const std::filesystem::path& path,
                                                                                row_range rows,
                                                                                const read_options& options);

}  // namespace lacis::detail

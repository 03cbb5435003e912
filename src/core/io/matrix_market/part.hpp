// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A range of the bytes of a Matrix Market file: what one of several processes reads of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <lacis/buffer.hpp>
#include <lacis/export.hpp>
#include <lacis/io.hpp>

namespace lacis::detail {

/// Entries in the order of the file, each image by symmetry behind its entry.
template <value Value> struct matrix_market_part {
  std::int64_t rows = 0;  ///< of the matrix
  std::int64_t cols = 0;
  bool pattern = false;    ///< entries have no values, and the same twice is one
  bool symmetric = false;  ///< or skew-symmetric or Hermitian
  bool below = false;      ///< an entry stands below the diagonal
  bool above = false;
  std::int64_t stored = 0;    ///< entries in this part of the file
  std::int64_t declared = 0;  ///< in the whole
  buffer<std::int64_t> entry_rows;
  buffer<std::int64_t> entry_columns;
  buffer<Value> values;  ///< empty for patterns
};

/// Part `part` of `parts`, which are cut behind line ends. Nothing where the file is no uncompressed Matrix Market file
/// of coordinates.
template <class Value>
[[nodiscard]] LACIS_API std::optional<matrix_market_part<Value>> read_matrix_market_part(
    const std::filesystem::path& path, int part, int parts, const read_options& options);

}  // namespace lacis::detail

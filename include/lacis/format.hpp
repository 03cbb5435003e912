// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The nine storage formats by name, and what each would cost for a given matrix.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// The storage formats; each has a header of its name with an owning type and a view.
enum class matrix_format {
  coo,   ///< coordinates: row, column and value of each entry
  csr,   ///< compressed rows
  csc,   ///< compressed columns
  ell,   ///< ELLPACK: as many slots in every row
  hyb,   ///< the first entries of each row as ELL, the rest as COO
  jds,   ///< jagged diagonals: rows sorted by length
  sell,  ///< SELL-C-sigma: ELL in slices of C rows, sorted by length in windows of sigma rows
  bsr,   ///< blocks of CSR
  dia    ///< diagonals
};

/// Every format, in the order in which `lacis info` lists them.
inline constexpr std::array all_formats = {matrix_format::coo,  matrix_format::csr, matrix_format::csc,
                                           matrix_format::ell,  matrix_format::hyb, matrix_format::jds,
                                           matrix_format::sell, matrix_format::bsr, matrix_format::dia};

/// "coo", "csr", ...
[[nodiscard]] LACIS_API std::string_view name_of(matrix_format f);
/// The format of that name, or nothing.
[[nodiscard]] LACIS_API std::optional<matrix_format> format_named(std::string_view name);

/// What a conversion may choose and how much memory it may take.
struct convert_options {
  std::int64_t slice_height = 32;  ///< SELL: C
  std::int64_t sort_window = 256;  ///< SELL: sigma, 1 or a multiple of C
  std::int64_t block_size = 4;     ///< BSR: 1 to 64
  /// Formats with padding refuse to become larger than this many bytes; 0 means three quarters of the physical memory.
  std::int64_t memory_limit = 0;
};

namespace detail {
template <class Value, class Index>
LACIS_API std::int64_t storage_bytes(const csr_view<Value, Index>& a, matrix_format f, const convert_options& options);
}

/// The bytes that the matrix would take in format `f`, without converting it. Throws error(overflow) past 64 bits.
template <class Matrix>
[[nodiscard]] std::int64_t storage_bytes(const Matrix& csr, matrix_format f, const convert_options& options = {}) {
  return detail::storage_bytes(detail::wide(csr).view(), f, options);
}

}  // namespace lacis

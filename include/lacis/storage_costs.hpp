// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The bytes of a matrix in each format, and up to how many entries that is less than a dense array.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lacis/any_csr.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/facts.hpp>
#include <lacis/format.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// The bytes of a format, split as bytes = fixed_bytes + entry_bytes * entries.
struct format_cost {
  matrix_format which = matrix_format::csr;  ///< the format
  std::optional<std::int64_t> bytes;         ///< nothing when it does not fit in 64 bits
  std::int64_t fixed_bytes = 0;              ///< offsets, lengths, permutations: depends on the sizes alone
  double entry_bytes = 0;                    ///< per entry, with the padding that the present entries take
  /// The largest number of entries with which the format, at its present padding, is smaller than a dense array; at
  /// most rows * cols. Nothing for a matrix without entries, whose padding is unknown.
  std::optional<double> saves_up_to;
  bool fits_memory = true;  ///< bytes are known and at most the memory that was given
};

/// What a matrix takes in each format, and as a dense array.
struct storage_costs {
  double dense_bytes = 0;            ///< rows * cols * value_bytes; a double because it may exceed 2^63
  std::vector<format_cost> formats;  ///< in the order of all_formats
};

namespace detail {
template <class Value, class Index>
LACIS_API storage_costs storage_of(const csr_view<Value, Index>& a, const matrix_facts& facts, std::int64_t memory);
}

/// What a matrix with these facts takes in each format, with the default convert_options; `memory` is what it may take.
template <class Matrix>
[[nodiscard]] storage_costs storage_of(const Matrix& a, const matrix_facts& facts, std::int64_t memory) {
  return detail::storage_of(detail::wide(a).view(), facts, memory);
}
/// The same for a matrix whose types are known at run time.
[[nodiscard]] LACIS_API storage_costs storage_of(const any_csr& matrix, const matrix_facts& facts, std::int64_t memory);

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a matrix takes in each format, and up to how many entries that is less than a dense array.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lacis/any_csr.hpp>
#include <lacis/format.hpp>

#include "commands/matrix/facts.hpp"

namespace lacis::app {

/// The bytes of a format, split as bytes = fixed_bytes + entry_bytes * entries. fixed_bytes depends on the sizes alone
/// (offsets, lengths, permutations); entry_bytes includes what the present entries take in padding.
struct format_cost {
  matrix_format which = matrix_format::csr;
  std::optional<std::int64_t> bytes;  ///< nothing when it does not fit in 64 bits
  std::int64_t fixed_bytes = 0;
  double entry_bytes = 0;
  /// The largest number of entries with which the format, at its present padding, is smaller than a dense array; at
  /// most rows * cols. Nothing without entries to learn the padding from.
  std::optional<double> saves_up_to;
  bool fits_memory = true;
};

struct storage_costs {
  double dense_bytes = 0;
  std::vector<format_cost> formats;  ///< in the order of all_formats
};

/// rows * cols * value_bytes; a double because it may pass 2^63.
[[nodiscard]] double dense_bytes(const matrix_facts& facts);
/// The bytes of a format that do not depend on the entries.
[[nodiscard]] std::int64_t fixed_bytes(matrix_format which, const matrix_facts& facts,
                                       const convert_options& options = {});
/// The largest number of entries below (dense - fixed) / entry_bytes, between 0 and `places`.
[[nodiscard]] double break_even(double dense, double fixed, double entry_bytes, double places);

[[nodiscard]] storage_costs storage_of(const any_csr& matrix, const matrix_facts& facts, std::int64_t memory);

}  // namespace lacis::app

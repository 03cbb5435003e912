// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Arrays as callers have them: offsets of 32 bits, sizes that may not fit.
#include <lacis/error.hpp>
#include <lacis/wide_offsets.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace lacis::detail {

buffer<std::int64_t> widen(std::span<const std::int32_t> offsets) {
  buffer<std::int64_t> result(static_cast<std::int64_t>(offsets.size()));
  parallel_for(result.size(), [&](std::int64_t i) { result[i] = offsets[static_cast<std::size_t>(i)]; });
  return result;
}

void require_array_sizes(std::int64_t rows, std::int64_t cols, std::int64_t ranges, std::size_t offsets,
                         std::size_t indices, std::size_t values) {
  if (rows < 0 || cols < 0) throw error(errc::invalid_matrix, text("the sizes ", rows, " x ", cols, " are negative"));
  if (offsets == 0 || static_cast<std::int64_t>(offsets - 1) != ranges)
    throw error(errc::invalid_matrix, text("a matrix of ", rows, " x ", cols, " needs ", ranges,
                                           " + 1 offsets here, and ", offsets, " are given"));
  if (indices != values)
    throw error(errc::invalid_matrix, text("there are ", values, " values for ", indices,
                                           " indices; one value for all entries is values_view(value, true)"));
}

}  // namespace lacis::detail

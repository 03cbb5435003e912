// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows in contiguous ranges, one for each process of a cluster.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/export.hpp>

namespace lacis {

/// Ranges begin at multiples of this many rows: where the blocks of a sum over vectors begin, so that the sums of
/// ranges join to the bits of the whole.
inline constexpr std::int64_t rows_in_chunk = 4096;

/// Cuts rows into `count` ranges: element k of the result is where range k begins, the last one is `rows`. Ranges have
/// nearly the same weight; some are empty where there are more ranges than chunks. `chunk_weights` has a number for
/// every 4096 rows. `parts`, where not empty, has where parts begin (0, ..., rows), at multiples of 4096 but for the
/// end: then no part is cut. Throws error(invalid_argument) where sizes do not fit.
[[nodiscard]] LACIS_API std::vector<std::int64_t> cut_rows(std::int64_t rows,
                                                           std::span<const std::int64_t> chunk_weights,
                                                           std::span<const std::int64_t> parts, int count);

/// What cut_rows weighs: the rows and entries of every 4096 rows. The first row may be any multiple of 4096 of a
/// larger matrix.
[[nodiscard]] LACIS_API std::vector<std::int64_t> weights_of_chunks(std::span<const std::int64_t> row_offsets);

/// Whether these are parts of `rows` rows: they ascend from 0 to `rows` and begin at multiples of rows_in_chunk.
[[nodiscard]] LACIS_API bool are_parts(std::int64_t rows, std::span<const std::int64_t> parts);

}  // namespace lacis

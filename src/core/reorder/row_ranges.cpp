// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cutting rows into ranges of nearly the same weight.
#include <algorithm>
#include <numeric>

#include <lacis/error.hpp>
#include <lacis/row_ranges.hpp>

#include "base/text.hpp"

namespace lacis {
namespace {

std::int64_t chunks_of(std::int64_t rows) { return rows / rows_in_chunk + (rows % rows_in_chunk != 0); }

}  // namespace

bool are_parts(std::int64_t rows, std::span<const std::int64_t> parts) {
  return parts.size() > 1 && parts.front() == 0 && parts.back() == rows && std::is_sorted(parts.begin(), parts.end()) &&
         std::all_of(parts.begin(), parts.end() - 1, [](std::int64_t row) { return row % rows_in_chunk == 0; });
}

std::vector<std::int64_t> cut_rows(std::int64_t rows, std::span<const std::int64_t> chunk_weights,
                                   std::span<const std::int64_t> parts, int count) {
  const std::int64_t chunks = chunks_of(rows);
  if (count < 1) throw error(errc::invalid_argument, detail::text("rows cannot be cut into ", count, " ranges"));
  if (static_cast<std::int64_t>(chunk_weights.size()) != chunks)
    throw error(errc::invalid_argument,
                detail::text(chunk_weights.size(), " weights for ", chunks, " chunks of ", rows_in_chunk, " rows"));
  // Where a range may begin, and the weight before it.
  std::vector<std::int64_t> places;
  if (parts.empty()) {
    places.resize(static_cast<std::size_t>(chunks) + 1);
    for (std::int64_t c = 0; c <= chunks; ++c) places[static_cast<std::size_t>(c)] = std::min(c * rows_in_chunk, rows);
  } else {
    if (!are_parts(rows, parts))
      throw error(errc::invalid_argument,
                  detail::text("parts must ascend from 0 to ", rows, " and begin at multiples of ", rows_in_chunk));
    places.assign(parts.begin(), parts.end());
  }
  std::vector<std::int64_t> before(static_cast<std::size_t>(chunks) + 1, 0);
  std::partial_sum(chunk_weights.begin(), chunk_weights.end(), before.begin() + 1);
  const auto weight_before = [&](std::int64_t row) { return before[static_cast<std::size_t>(chunks_of(row))]; };

  std::vector<std::int64_t> ranges(static_cast<std::size_t>(count) + 1, rows);
  ranges[0] = 0;
  auto place = places.begin();
  for (int k = 1; k < count; ++k) {
    const auto target = static_cast<std::int64_t>(static_cast<__int128>(before.back()) * k / count);
    while (place + 1 != places.end() && weight_before(*(place + 1)) <= target) ++place;
    if (place + 1 != places.end() && weight_before(*(place + 1)) - target < target - weight_before(*place)) ++place;
    ranges[static_cast<std::size_t>(k)] = *place;
  }
  return ranges;
}

std::vector<std::int64_t> weights_of_chunks(std::span<const std::int64_t> row_offsets) {
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  std::vector<std::int64_t> weights(static_cast<std::size_t>(chunks_of(rows)));
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const auto begin = static_cast<std::int64_t>(c) * rows_in_chunk;
    const std::int64_t end = std::min(begin + rows_in_chunk, rows);
    weights[c] =
        end - begin + row_offsets[static_cast<std::size_t>(end)] - row_offsets[static_cast<std::size_t>(begin)];
  }
  return weights;
}

}  // namespace lacis

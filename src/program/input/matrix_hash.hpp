// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Hashes of a matrix that comes in parts of rows: those of the parts add up.
#pragma once

#include <algorithm>
#include <atomic>
#include <omp.h>
#include <span>

#include <lacis/csr.hpp>

#include "base/parallel.hpp"
#include "commands/products/spgemm_findings.hpp"
#include "summation/hash.hpp"

namespace lacis::app {

/// The sum of part_hash(begin, end) over ranges of 0 .. size, one per thread.
template <class PartHash> [[nodiscard]] std::uint64_t hash_in_parts(std::int64_t size, const PartHash& part_hash) {
  std::atomic<std::uint64_t> sum = 0;
  detail::on_threads(omp_get_max_threads(), [&](int thread, int team) {
    sum += part_hash(detail::even_cut(size, thread, team), detail::even_cut(size, thread + 1, team));
  });
  return sum;
}

/// The hash of number(k) for k below `size`, at positions from `first` on.
template <class Number>
[[nodiscard]] std::uint64_t hash_of_numbers(std::int64_t size, std::int64_t first, const Number& number) {
  return hash_in_parts(size, [&](std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t block = 512;
    double numbers[block];
    std::uint64_t sum = 0;
    for (std::int64_t at = begin; at < end; at += block) {
      const std::int64_t count = std::min(block, end - at);
      for (std::int64_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(number(at + i));
      sum += summation::solution_hash(std::span<const double>(numbers, static_cast<std::size_t>(count)), first + at);
    }
    return sum;
  });
}

/// Those of a matrix without rows, whose only offset is 0: what those of parts are added to.
[[nodiscard]] inline matrix_hashes hashes_of_no_rows() {
  return {0, 0, hash_of_numbers(1, 0, [](std::int64_t) { return 0; })};
}

/// Adds the hashes of the rows from `first_row` on, before which there are `first_entry` entries. Not for iso values.
template <class Value, class Index>
void add_hashes(const csr_view<Value, Index>& part, std::int64_t first_row, std::int64_t first_entry,
                matrix_hashes& hashes) {
  hashes.values += hash_in_parts(part.nnz(), [&](std::int64_t begin, std::int64_t end) {
    const auto size = static_cast<std::size_t>(end - begin);
    return summation::solution_hash(part.values.data.subspan(static_cast<std::size_t>(begin), size),
                                    first_entry + begin);
  });
  hashes.columns += hash_of_numbers(part.nnz(), first_entry,
                                    [&](std::int64_t k) { return part.columns[static_cast<std::size_t>(k)]; });
  const auto offset = [&](std::int64_t i) { return first_entry + part.row_offsets[static_cast<std::size_t>(i)]; };
  hashes.row_offsets += hash_of_numbers(part.rows, first_row + 1, [&](std::int64_t i) { return offset(i + 1); });
}

}  // namespace lacis::app

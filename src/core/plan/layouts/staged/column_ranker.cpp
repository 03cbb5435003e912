// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Ranks of columns: by counting bits, or by sorting where most of the bits would be read for nothing.
#include "plan/layouts/staged/column_ranker.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/target_clones.hpp"
#include "cpu/spmv/staged.hpp"

namespace lacis::detail {
namespace {

constexpr std::int64_t words_worth_reading = 2 * cpu::piece_size;
constexpr int digit_bits = 13;

// Counting bits is one instruction on every processor of the last fifteen years, and a loop on those before.
#define LACIS_COUNT_BITS LACIS_TARGET_CLONES("popcnt")

/// How many bits are set in the words before each; returns how many there are in all.
LACIS_COUNT_BITS std::uint32_t count_before(const std::uint64_t* marks, std::size_t words, std::uint32_t* before) {
  std::uint32_t count = 0;
  for (std::size_t w = 0; w < words; ++w) {
    before[w] = count;
    count += static_cast<std::uint32_t>(__builtin_popcountll(marks[w]));
  }
  return count;
}

#define LACIS_RANK_MARKED(Index)                                                                                    \
  LACIS_COUNT_BITS void rank_marked(const Index* columns, std::size_t count, const std::uint64_t* marks,            \
                                    const std::uint32_t* before, std::uint16_t* ranks) {                            \
    for (std::size_t k = 0; k < count; ++k) {                                                                       \
      const auto word = static_cast<std::size_t>(columns[k]) / 64;                                                  \
      const std::uint64_t lower = (std::uint64_t{1} << (static_cast<std::size_t>(columns[k]) % 64)) - 1;            \
      ranks[k] = static_cast<std::uint16_t>(before[word] +                                                          \
                                            static_cast<std::uint32_t>(__builtin_popcountll(marks[word] & lower))); \
    }                                                                                                               \
  }
LACIS_RANK_MARKED(std::int32_t)
LACIS_RANK_MARKED(std::int64_t)
#undef LACIS_RANK_MARKED
#undef LACIS_COUNT_BITS

}  // namespace

template <index Index>
column_ranker<Index>::column_ranker(std::int64_t cols) : ranks_(static_cast<std::size_t>(cpu::piece_size)) {
  const std::int64_t words = cols / 64 + 1;
  if (words < words_worth_reading) {
    marks_.resize(static_cast<std::size_t>(words));
    before_.resize(static_cast<std::size_t>(words));
  } else {
    keys_.resize(static_cast<std::size_t>(cpu::piece_size));
    other_.resize(static_cast<std::size_t>(cpu::piece_size));
  }
}

template <index Index> void column_ranker<Index>::rank(std::span<const Index> entries, std::vector<Index>& columns) {
  if (marks_.empty())
    rank_by_sorting(entries, columns);
  else
    rank_by_marks(entries, columns);
}

template <index Index>
void column_ranker<Index>::rank_by_marks(std::span<const Index> entries, std::vector<Index>& columns) {
  for (const Index column : entries) {
    const auto place = static_cast<std::size_t>(column);
    marks_[place / 64] |= std::uint64_t{1} << (place % 64);
  }
  columns.resize(count_before(marks_.data(), marks_.size(), before_.data()));
  rank_marked(entries.data(), entries.size(), marks_.data(), before_.data(), ranks_.data());
  auto to = columns.begin();
  for (std::size_t w = 0; w < marks_.size(); ++w)
    for (std::uint64_t bits = std::exchange(marks_[w], 0); bits != 0; bits &= bits - 1)
      *to++ = static_cast<Index>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
}

/// A radix sort of columns with their positions.
template <index Index>
void column_ranker<Index>::rank_by_sorting(std::span<const Index> entries, std::vector<Index>& columns) {
  constexpr int position_bits = 16;
  const std::size_t size = entries.size();
  std::uint64_t largest = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const auto column = static_cast<std::uint64_t>(entries[k]);
    largest = std::max(largest, column);
    keys_[k] = column << position_bits | k;
  }
  const int bits = std::bit_width(largest);
  const int passes = (bits + digit_bits - 1) / digit_bits;
  for (int pass = 0; pass < passes; ++pass) {
    const int width = (bits + passes - 1) / passes;
    const int shift = position_bits + pass * width;
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    std::array<std::uint32_t, (1 << digit_bits) + 1> places{};
    for (std::size_t k = 0; k < size; ++k) ++places[(keys_[k] >> shift & mask) + 1];
    for (std::size_t d = 0; d < mask; ++d) places[d + 1] += places[d];
    for (std::size_t k = 0; k < size; ++k) other_[places[keys_[k] >> shift & mask]++] = keys_[k];
    std::swap(keys_, other_);
  }
  columns.reserve(size);
  constexpr std::uint64_t position_mask = (std::uint64_t{1} << position_bits) - 1;
  for (std::size_t k = 0; k < size; ++k) {
    const auto column = static_cast<Index>(keys_[k] >> position_bits);
    if (columns.empty() || columns.back() != column) columns.push_back(column);
    ranks_[keys_[k] & position_mask] = static_cast<std::uint16_t>(columns.size() - 1);
  }
}

template class column_ranker<std::int32_t>;
template class column_ranker<std::int64_t>;

}  // namespace lacis::detail

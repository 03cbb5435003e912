// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The cache's sets.
#include "lab/l2.hpp"

#include <algorithm>

#include "lab/requests.hpp"

namespace lacis::lab {

l2_cache::l2_cache(std::int64_t bytes, int ways)
    : sets_(static_cast<std::uint32_t>(std::max<std::int64_t>(1, bytes / (line_sectors * sector_bytes) / ways))),
      ways_(static_cast<std::size_t>(ways)),
      lines_(sets_ * ways_) {}

/// The line, as the most recently used of its set.
l2_cache::line& l2_cache::touch(std::uint32_t number) {
  const std::uint32_t run = number / sets_;
  const auto shift = static_cast<std::uint32_t>((std::uint64_t{run * 0x9e3779b1u} * sets_) >> 32);
  std::uint32_t set = number % sets_ + shift;
  if (set >= sets_) set -= sets_;
  line* const first = lines_.data() + set * ways_;
  std::size_t way = 0;
  while (way < ways_ && !(first[way].valid != 0 && first[way].number == number)) ++way;
  line found{number, 0, 0};
  if (way < ways_) {
    found = first[way];
  } else {
    way = ways_ - 1;
    if (first[way].valid != 0) ++evictions_;
  }
  std::copy_backward(first, first + way, first + way + 1);
  *first = found;
  return *first;
}

bool l2_cache::read(std::uint32_t sector) {
  line& its = touch(sector / line_sectors);
  const auto bit = static_cast<std::uint16_t>(1u << sector % line_sectors);
  const bool missing = (its.valid & bit) == 0;
  its.valid |= bit;
  return missing;
}

bool l2_cache::write(std::uint32_t sector) {
  line& its = touch(sector / line_sectors);
  const auto bit = static_cast<std::uint16_t>(1u << sector % line_sectors);
  const bool clean = (its.dirty & bit) == 0;
  its.valid |= bit;
  its.dirty |= bit;
  return clean;
}

}  // namespace lacis::lab

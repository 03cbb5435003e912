// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Requests to the cache, and the sectors that it is asked for the first time.
#include "lab/memory.hpp"

#include <algorithm>
#include <functional>

namespace lacis::lab {

namespace {

/// one = combine(one, other) for every count.
template <class Combine> void combine_counts(traffic& one, const traffic& other, Combine combine) {
  for (std::size_t k = 0; k < role_count; ++k)
    for (std::int64_t role_counts::* const count :
         {&role_counts::requests, &role_counts::lanes, &role_counts::sectors, &role_counts::lines,
          &role_counts::atomics, &role_counts::first_reads, &role_counts::first_writes, &role_counts::measured_sectors,
          &role_counts::fetched, &role_counts::written_back})
      one.of[k].*count = combine(one.of[k].*count, other.of[k].*count);
  for (std::int64_t traffic::* const count :
       {&traffic::shared_requests, &traffic::shared_passes, &traffic::bank_conflicts})
    one.*count = combine(one.*count, other.*count);
}

}  // namespace

traffic traffic::since(const traffic& before) const {
  traffic difference = *this;
  combine_counts(difference, before, std::minus<>());
  return difference;
}

traffic& traffic::operator+=(const traffic& more) {
  combine_counts(*this, more, std::plus<>());
  return *this;
}

bool memory_model::first_touch(std::vector<std::uint64_t>& seen, std::uint32_t sector) {
  const std::size_t word = sector / 64;
  if (word >= seen.size()) seen.resize(std::max(word + 1, 2 * seen.size()), 0);
  const std::uint64_t bit = std::uint64_t{1} << sector % 64;
  const bool first = (seen[word] & bit) == 0;
  seen[word] |= bit;
  return first;
}

void memory_model::serve(role which, access_kind kind, std::span<const std::uint32_t> sectors, bool measured) {
  role_counts& counts = counts_[which];
  const bool reads = kind != access_kind::store;
  const bool writes = kind != access_kind::load;
  std::int64_t fetched = 0;
  std::int64_t dirtied = 0;
  for (const std::uint32_t sector : sectors) {
    const bool fresh = first_touch(touched_, sector);
    if (reads) {
      counts.first_reads += fresh ? 1 : 0;
      fetched += cache_.read(sector) ? 1 : 0;
    }
    if (writes) {
      counts.first_writes += first_touch(written_, sector) ? 1 : 0;
      dirtied += cache_.write(sector) ? 1 : 0;
    }
  }
  if (!measured) return;
  counts.measured_sectors += static_cast<std::int64_t>(sectors.size());
  counts.fetched += fetched;
  counts.written_back += dirtied;
}

}  // namespace lacis::lab

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Alignment of lanes, sectors and banks.
#include "lab/requests.hpp"

#include <bit>
#include <limits>
#include <numeric>

namespace lacis::lab {

bool request_former::next_epoch(std::span<const log> lanes) {
  std::uint32_t epoch = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    if (begins_[lane] < lanes[lane].size()) epoch = std::min(epoch, lanes[lane][begins_[lane]].epoch);
  if (epoch == std::numeric_limits<std::uint32_t>::max()) return false;
  length_ = 0;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    std::size_t end = begins_[lane];
    while (end < lanes[lane].size() && lanes[lane][end].epoch == epoch) ++end;
    begins_of_epoch_[lane] = begins_[lane];
    begins_[lane] = ends_[lane] = end;
    length_ = std::max(length_, end - begins_of_epoch_[lane]);
  }
  return true;
}

/// Whether all lanes that do anything do the same.
bool request_former::in_step(std::span<const log> lanes) const {
  const lane_access* first = nullptr;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::size_t count = ends_[lane] - begins_of_epoch_[lane];
    if (count == 0) continue;
    if (count != length_) return false;
    const lane_access* const own = lanes[lane].data() + begins_of_epoch_[lane];
    if (first == nullptr) first = own;
    for (std::size_t k = 0; k < count; ++k)
      if (own[k].place != first[k].place) return false;
  }
  return true;
}

void request_former::align(std::span<const log> lanes) {
  requests_.clear();
  members_.clear();
  for (auto& list : by_place_) list.clear();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    std::fill(seen_.begin(), seen_.end(), 0);
    for (std::size_t k = begins_of_epoch_[lane]; k < ends_[lane]; ++k) {
      const std::size_t place = lanes[lane][k].place;
      if (place >= seen_.size()) {
        seen_.resize(place + 1, 0);
        by_place_.resize(place + 1);
      }
      const std::uint32_t nth = seen_[place]++;
      if (nth == by_place_[place].size()) {
        by_place_[place].push_back(static_cast<std::uint32_t>(requests_.size()));
        requests_.emplace_back();
      }
      request& its = requests_[by_place_[place][nth]];
      const auto at = static_cast<std::uint32_t>(k - begins_of_epoch_[lane]);
      its.last = std::max(its.last, at);
      members_.push_back({at, static_cast<std::int32_t>(lane), its.members});
      its.members = static_cast<std::int32_t>(members_.size()) - 1;
    }
  }
  order_.resize(requests_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return requests_[a].last < requests_[b].last; });
}

namespace {

/// Puts the different ones of the first `count` numbers to the front, ascending; returns how many.
template <std::size_t Size> int distinct(std::array<std::uint64_t, Size>& numbers, int count) {
  const auto end = numbers.begin() + count;
  if (!std::is_sorted(numbers.begin(), end)) std::sort(numbers.begin(), end);
  return static_cast<int>(std::unique(numbers.begin(), end) - numbers.begin());
}

}  // namespace

int sectors_of(const warp_request& request, std::array<std::uint64_t, simt::warp_size>& sectors) {
  int count = 0;
  for (unsigned rest = request.lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t sector = request.addresses[static_cast<std::size_t>(std::countr_zero(rest))] / sector_bytes;
    if (count == 0 || sectors[static_cast<std::size_t>(count - 1)] != sector)
      sectors[static_cast<std::size_t>(count++)] = sector;
  }
  return distinct(sectors, count);
}

shared_passes passes_of(const warp_request& request) {
  const int words_of_lane = std::max(1, request.bytes / bank_bytes);
  const int group = simt::warp_size / words_of_lane;
  shared_passes all;
  for (int first = 0; first < simt::warp_size; first += group) {
    std::array<std::uint64_t, simt::warp_size> words;
    int count = 0;
    for (int lane = first; lane < first + group; ++lane) {
      if ((request.lanes >> lane & 1) == 0) continue;
      const std::uint64_t word = request.addresses[static_cast<std::size_t>(lane)] / bank_bytes;
      for (int w = 0; w < words_of_lane; ++w)
        words[static_cast<std::size_t>(count++)] = word + static_cast<std::uint64_t>(w);
    }
    if (count == 0) continue;
    count = distinct(words, count);
    std::array<int, bank_count> of_bank{};
    int passes = 0;
    for (int k = 0; k < count; ++k)
      passes = std::max(passes, ++of_bank[words[static_cast<std::size_t>(k)] % bank_count]);
    all.passes += passes;
    all.conflicts += passes - 1;
  }
  return all;
}

}  // namespace lacis::lab

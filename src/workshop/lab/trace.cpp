// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The logs of a block's threads.
#include "lab/trace.hpp"

#include <bit>

#include "simt/executor.hpp"

namespace lacis::lab {

void launch_trace::arrays_changed() { places_.clear(); }

void launch_trace::launch_begins(const simt::launch_shape& shape) {
  if (launches_++ == 0) first_block_threads_ = shape.block_threads;
  block_threads_ = shape.block_threads;
  blocks_ = shape.blocks;
  const auto threads = static_cast<std::size_t>(shape.block_threads);
  epochs_.assign(threads, 0);
  if (logs_.size() < threads) logs_.resize(threads);
  for (auto& log : logs_) log.clear();
  schedule_.begin_launch(shape.block_threads, static_cast<std::int64_t>(shape.shared_bytes));
}

std::uint16_t launch_trace::place_of(const simt::traced_access& what) {
  const auto is = [&](const place& p) {
    return p.line == what.site.line && p.array == what.array && p.file == what.site.file &&
           p.shared == (what.kind == simt::memory_kind::shared);
  };
  const auto bits = static_cast<std::uint64_t>(what.site.line) * 0x9e3779b97f4a7c15u ^
                    reinterpret_cast<std::uintptr_t>(what.array) * 0xbf58476d1ce4e5b9u;
  std::uint16_t& guess = recent_[bits >> 56];
  if (guess < places_.size() && is(places_[guess])) return guess;
  std::size_t k = 0;
  while (k < places_.size() && !is(places_[k])) ++k;
  if (k == places_.size()) {
    place its{what.site.file, what.site.line, what.array, role::other, what.kind == simt::memory_kind::shared};
    if (!its.shared) {
      const address_map::array array = map_.find(what.array);
      its.which = array.which;
      its.updated = array.updated;
      its.shift = array.address - reinterpret_cast<std::uintptr_t>(array.begin);
    }
    places_.push_back(its);
  }
  return guess = static_cast<std::uint16_t>(k);
}

void launch_trace::access(int thread, const simt::traced_access& what) {
  request_former::log& log = logs_[static_cast<std::size_t>(thread)];
  const std::uint16_t at = place_of(what);
  const access_kind kind = what.kind == simt::memory_kind::shared  ? access_kind::shared
                           : what.kind == simt::memory_kind::input ? access_kind::load
                           : places_[at].updated                   ? access_kind::update
                                                                   : access_kind::store;
  const lane_access own{reinterpret_cast<std::uintptr_t>(what.element) + places_[at].shift,
                        epochs_[static_cast<std::size_t>(thread)], at, static_cast<std::uint8_t>(what.bytes), kind};
  // y[i] = add(y[i], s): of two accesses to an element of an output, one after the other, the first is the load.
  if (kind == access_kind::store && !log.empty() && log.back().kind == access_kind::store &&
      log.back().address == own.address && log.back().place == own.place && log.back().epoch == own.epoch)
    log.back().kind = access_kind::load;
  log.push_back(own);
}

void launch_trace::atomic(int thread, const void* element) {
  request_former::log& log = logs_[static_cast<std::size_t>(thread)];
  const auto address = reinterpret_cast<std::uintptr_t>(element);
  for (auto one = log.rbegin(); one != log.rend(); ++one) {
    if (address + places_[one->place].shift - one->address >= one->bytes) continue;
    if (one->kind != access_kind::shared) one->kind = access_kind::atomic;
    return;
  }
}

void launch_trace::take(const warp_request& request, block_requests& block) {
  if (request.kind == access_kind::shared) {
    const shared_passes cost = passes_of(request);
    ++counts_.shared_requests;
    counts_.shared_passes += cost.passes;
    counts_.bank_conflicts += cost.conflicts;
    return;
  }
  std::array<std::uint64_t, simt::warp_size> sectors;
  const int count = sectors_of(request, sectors);
  const role which = places_[request.place].which;
  role_counts& counts = counts_[which];
  const int lanes = std::popcount(request.lanes);
  ++counts.requests;
  counts.lanes += lanes;
  counts.sectors += count;
  if (request.kind == access_kind::atomic) counts.atomics += lanes;
  std::uint64_t line = ~std::uint64_t{0};
  for (int k = 0; k < count; ++k) {
    const std::uint64_t sector = sectors[static_cast<std::size_t>(k)];
    if (sector / line_sectors != line) ++counts.lines;
    line = sector / line_sectors;
    block.sectors.push_back(static_cast<std::uint32_t>(sector));
  }
  block.requests.push_back({which, request.kind, static_cast<std::uint8_t>(count)});
}

void launch_trace::block_ends(int block) {
  block_requests asked = schedule_.new_block();
  asked.measured = measured_ == measured_blocks::all || block >= blocks_ / 2;
  for (int first = 0; first < block_threads_; first += simt::warp_size) {
    former_.form({logs_.data() + first, static_cast<std::size_t>(simt::warp_size)},
                 [&](const warp_request& request) { take(request, asked); });
    asked.warp_ends.push_back({asked.requests.size(), asked.sectors.size()});
  }
  schedule_.put(std::move(asked));
  for (int t = 0; t < block_threads_; ++t) {
    logs_[static_cast<std::size_t>(t)].clear();
    epochs_[static_cast<std::size_t>(t)] = 0;
  }
}

}  // namespace lacis::lab

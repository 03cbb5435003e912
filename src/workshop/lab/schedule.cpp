// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Slots, turns and steps.
#include "lab/schedule.hpp"

#include <algorithm>
#include <utility>

namespace lacis::lab {

int schedule::resident_blocks(const gpu& model, int block_threads, std::int64_t shared_bytes) {
  std::int64_t most = std::min(model.threads / block_threads, model.blocks);
  if (shared_bytes > 0) most = std::min(most, model.shared_bytes / shared_bytes);
  return static_cast<int>(std::max<std::int64_t>(1, most));
}

void schedule::begin_launch(int block_threads, std::int64_t shared_bytes) {
  const int most = resident_blocks(model_, block_threads, shared_bytes);
  multiprocessors_.assign(static_cast<std::size_t>(model_.multiprocessors), {});
  for (multiprocessor& m : multiprocessors_) m.free = most;
  free_ = std::int64_t{most} * model_.multiprocessors;
}

block_requests schedule::new_block() {
  if (spare_.empty()) return {};
  block_requests block = std::move(spare_.back());
  spare_.pop_back();
  return block;
}

void schedule::put(block_requests&& block) {
  std::size_t warps = 0;
  std::size_t before = 0;
  for (const auto& end : block.warp_ends) warps += std::exchange(before, end.requests) < end.requests ? 1 : 0;
  if (warps == 0) {  // a block that asks for nothing is gone at once
    block.clear();
    spare_.push_back(std::move(block));
    return;
  }
  while (free_ == 0) step();
  --free_;
  multiprocessor& m = *std::max_element(multiprocessors_.begin(), multiprocessors_.end(),
                                        [](const auto& a, const auto& b) { return a.free < b.free; });
  --m.free;
  if (free_slots_.empty()) {
    free_slots_.push_back(slots_.size());
    slots_.emplace_back();
  }
  const std::size_t slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot] = {std::move(block), warps};
  block_requests::warp_end begin{0, 0};
  for (const auto& end : slots_[slot].block.warp_ends) {
    if (begin.requests < end.requests) m.warps.push_back({slot, begin.requests, end.requests, begin.sectors});
    begin = end;
  }
}

void schedule::step() {
  for (multiprocessor& m : multiprocessors_) {
    if (m.warps.empty()) continue;
    if (m.turn >= m.warps.size()) m.turn = 0;
    warp& w = m.warps[m.turn];
    resident& its = slots_[w.slot];
    const queued_request& request = its.block.requests[w.request];
    memory_.serve(request.which, request.kind, {its.block.sectors.data() + w.sector, request.sectors},
                  its.block.measured);
    w.sector += request.sectors;
    if (++w.request < w.last_request) {
      ++m.turn;
      continue;
    }
    const std::size_t slot = w.slot;
    m.warps.erase(m.warps.begin() + static_cast<std::ptrdiff_t>(m.turn));
    if (--its.warps > 0) continue;
    its.block.clear();
    spare_.push_back(std::move(its.block));
    free_slots_.push_back(slot);
    ++m.free;
    ++free_;
  }
}

void schedule::end_launch() {
  const auto busy = [](const multiprocessor& m) { return !m.warps.empty(); };
  while (std::any_of(multiprocessors_.begin(), multiprocessors_.end(), busy)) step();
}

}  // namespace lacis::lab

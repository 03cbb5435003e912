// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Launches and turns.
#include "ptx/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <cxxabi.h>
#include <limits>
#include <numeric>

#include "ptx/arithmetic.hpp"

namespace lacis::ptx {
namespace {

constexpr int most_idle_rounds = 20000;  // in which every warp waits or sleeps
constexpr std::uint64_t long_turn = 100000;
constexpr std::uint64_t longest_random_turn = 300;

}  // namespace

std::string machine::line_of(const instruction& i) const {
  std::string text = "PTX line " + std::to_string(i.line);
  if (i.source != none) text += " (" + module_->sources[static_cast<std::size_t>(i.source)] + ")";
  return text;
}

void machine::stop(const warp& w, const instruction& i, int lane, const std::string& what) const {
  throw fault(what + ", " + line_of(i) + ", block " + std::to_string(w.home->number) + ", thread " +
              std::to_string(w.number * lanes + lane));
}

void machine::launch(const module& from, const kernel& run, const launch_shape& shape, void** arguments) {
  if (shape.threads <= 0 || shape.threads % lanes != 0) throw fault("blocks are whole warps");
  if (run.most_threads != 0 && shape.threads > run.most_threads)
    throw fault("the kernel takes blocks of " + std::to_string(run.most_threads) + " threads at most, not " +
                std::to_string(shape.threads));
  if (shape.blocks > std::numeric_limits<std::uint32_t>::max() / static_cast<std::uint32_t>(shape.threads))
    throw fault("the interpreter numbers less than 2^32 threads");
  module_ = &from;
  kernel_ = &run;
  shape_ = shape;
  ++launch_;
  ++counters.launches;
  random_.seed(options.seed * 7919 + counters.launches);
  released_.clear();
  resident_.clear();
  parameters_.assign(run.parameter_bytes, 0);
  for (std::size_t k = 0; k < run.parameters.size(); ++k)
    std::memcpy(parameters_.data() + run.parameters[k].offset, arguments[k], run.parameters[k].bytes);

  std::vector<std::uint32_t> order(shape.blocks);
  std::iota(order.begin(), order.end(), 0U);
  // GPUs start blocks in the order of their numbers. CUB's scans wait for blocks with lower numbers and rely on it;
  // kernels of lacis take their numbers from a ticket.
  if (options.turns != lacis_ptx_lowest && !run.of_cub) std::ranges::shuffle(order, random_);
  std::size_t next = 0;
  int idle = 0;
  while (true) {
    while (next < order.size() && resident_.size() < static_cast<std::size_t>(options.resident_blocks)) {
      resident_.push_back(new_block());
      start(*resident_.back(), order[next++]);
    }
    if (resident_.empty()) return;
    bool worked = false;
    for (std::size_t k = 0; k < resident_.size();) {
      worked = take_turn(*resident_[k]) || worked;
      if (resident_[k]->live > 0) {
        ++k;
      } else if (next < order.size()) {
        start(*resident_[k], order[next++]);  // in the memory of the one that has ended
      } else {
        ended_.push_back(std::move(resident_[k]));
        if (k + 1 < resident_.size()) resident_[k] = std::move(resident_.back());
        resident_.pop_back();
      }
    }
    idle = worked ? 0 : idle + 1;
    if (idle > most_idle_rounds)
      throw fault("deadlock: every warp of " + std::to_string(resident_.size()) + " resident blocks waits");
  }
}

std::unique_ptr<block> machine::new_block() {
  const std::size_t bytes = kernel_->shared_bytes + 16 + shape_.shared_bytes;
  const auto fits = std::ranges::find_if(ended_, [&](const auto& one) { return one->shared.bytes() == bytes; });
  if (fits == ended_.end()) {
    if (ended_.size() > static_cast<std::size_t>(options.resident_blocks)) ended_.clear();
    return std::make_unique<block>(bytes);
  }
  std::unique_ptr<block> found = std::move(*fits);
  ended_.erase(fits);
  return found;
}

void machine::start(block& b, std::uint32_t number) {
  b.number = number;
  b.live = shape_.threads;
  b.arrived = b.flags = 0;
  b.barriers = 0;
  b.shared.clear();
  b.warps.resize(static_cast<std::size_t>(shape_.threads / lanes));
  for (std::size_t k = 0; k < b.warps.size(); ++k) {
    warp& w = b.warps[k];
    w.home = &b;
    w.number = static_cast<int>(k);
    w.registers.assign(static_cast<std::size_t>(kernel_->registers) * lanes, 0xcbcbcbcbcbcbcbcb);
    w.ready = {{all_lanes, 0}};
    w.live = all_lanes;
    w.at_barrier = w.waiting = 0;
    w.slept = false;
    w.clocks.start();
    w.local.assign(kernel_->local_bytes * lanes, static_cast<char>(0xcb));
    for (const constant& c : kernel_->constants) std::fill_n(lanes_of(w.registers.data(), c.reg), lanes, c.bits);
    const auto set = [&](int reg, auto value) {
      if (reg == none) return;
      for (int lane = 0; lane < lanes; ++lane)
        lanes_of(w.registers.data(), reg)[lane] = static_cast<std::uint32_t>(value(lane));
    };
    const special_registers& s = kernel_->special;
    set(s.thread, [&](int lane) { return w.number * lanes + lane; });
    set(s.block, [&](int) { return number; });
    set(s.threads, [&](int) { return shape_.threads; });
    set(s.blocks, [&](int) { return shape_.blocks; });
    set(s.lane, [&](int lane) { return lane; });
    set(s.lanes_below, [&](int lane) { return (1U << lane) - 1; });
    set(s.lanes_to, [&](int lane) { return all_lanes >> (lanes - 1 - lane); });
    set(s.lanes_from, [&](int lane) { return all_lanes << lane; });
    set(kernel_->shared_end, [&](int) { return (kernel_->shared_bytes + 15) / 16 * 16; });
  }
}

bool machine::take_turn(block& b) {
  const std::size_t count = b.warps.size();
  const bool shuffled = options.turns != lacis_ptx_lowest;
  const std::size_t first = shuffled ? random_() % count : 0;
  bool worked = false;
  for (std::size_t k = 0; k < count; ++k) {
    warp& w = b.warps[(first + k) % count];
    if (w.ready.empty()) continue;
    w.slept = false;
    worked = run(w, shuffled ? 1 + random_() % longest_random_turn : long_turn) || worked;
  }
  return worked;
}

group machine::take_group(warp& w) {
  std::size_t chosen = 0;
  if (w.ready.size() > 1) {
    if (options.turns != lacis_ptx_lowest && chance(4))
      chosen = random_() % w.ready.size();
    else
      for (std::size_t k = 1; k < w.ready.size(); ++k)
        if (options.turns == lacis_ptx_ahead ? w.ready[k].at > w.ready[chosen].at : w.ready[k].at < w.ready[chosen].at)
          chosen = k;
  }
  group g = w.ready[chosen];
  w.ready[chosen] = w.ready.back();
  w.ready.pop_back();
  if (options.turns != lacis_ptx_lowest && chance(32)) {
    const lane_mask some = g.mask & static_cast<lane_mask>(random_());
    if (some != 0 && some != g.mask) {
      w.ready.push_back({g.mask & ~some, g.at});
      g.mask = some;
    }
  }
  return g;
}

bool machine::run(warp& w, std::uint64_t budget) {
  bool worked = false;
  while (!w.ready.empty() && budget > 0 && !w.slept) worked = run_group(w, take_group(w), budget) || worked;
  return worked && !w.slept;
}

lane_mask machine::enabled(const warp& w, const instruction& i, lane_mask mask) const {
  if (i.predicate == none) return mask;
  const std::uint64_t* const flags = w.registers.data() + static_cast<std::size_t>(i.predicate) * lanes;
  lane_mask on = 0;
  for (int lane = 0; lane < lanes; ++lane) on |= static_cast<lane_mask>(flags[lane] & 1) << lane;
  return mask & (i.negated ? ~on : on);
}

void machine::add(warp& w, group g) {
  if (g.mask == 0) return;
  for (group& other : w.ready)
    if (other.at == g.at) {
      other.mask |= g.mask;
      return;
    }
  w.ready.push_back(g);
}

void machine::part(warp& w, const instruction& i, group g, lane_mask taken) {
  add(w, {g.mask & ~taken, g.at + 1});
  add(w, {taken, i.target});
}

bool machine::run_group(warp& w, group g, std::uint64_t& budget) {
  bool worked = false;
  while (true) {
    const instruction& i = kernel_->code[static_cast<std::size_t>(g.at)];
    const lane_mask mask = enabled(w, i, g.mask);
    ++counters.instructions;
    counters.active_lanes += static_cast<std::uint64_t>(mask == all_lanes ? lanes : std::popcount(mask));
    --budget;
    switch (i.what) {
      case action::compute:
        i.compute(w.registers.data(), i, mask);
        break;
      case action::load:
        load(w, i, mask);
        break;
      case action::store:
        store(w, i, mask);
        break;
      case action::atomic:
        atomic(w, i, mask);
        break;
      case action::fence:
        fence(w, i, mask);
        break;
      case action::convert_address:
        convert_address(w, i, mask);
        break;
      case action::active_mask:
        each_lane(mask, [&](int lane) { lanes_of(w.registers.data(), i.to[0])[lane] = g.mask; });
        break;
      case action::branch:
        part(w, i, g, mask);
        return true;
      case action::leave:
        add(w, {g.mask & ~mask, g.at + 1});
        leave(w, mask);
        return true;
      case action::barrier:
        if (mask != g.mask) add(w, {g.mask & ~mask, g.at + 1});
        if (mask != 0) arrive(w, {mask, g.at});
        return true;
      case action::warp_barrier:
      case action::shuffle:
      case action::vote:
      case action::match:
        add(w, {g.mask & ~mask, g.at + 1});
        if (mask != 0) meet(w, i, {mask, g.at});
        return true;
      case action::sleep:
        add(w, {g.mask, g.at + 1});
        w.slept = true;
        return worked;
    }
    worked = true;
    ++g.at;
    if (!w.ready.empty() || budget == 0) {
      add(w, g);
      return worked;
    }
  }
}

}  // namespace lacis::ptx

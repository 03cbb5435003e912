// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lanes do together: barriers of a block and of a warp, shuffles, votes. Lanes that wait are in no group.
#include <algorithm>
#include <bit>
#include <utility>

#include "ptx/arithmetic.hpp"
#include "ptx/machine.hpp"

namespace lacis::ptx {

void machine::leave(warp& w, lane_mask mask) {
  w.live &= ~mask;
  w.home->live -= std::popcount(mask);
  for (int lane = 0; lane < lanes; ++lane)
    if ((w.waiting >> lane & 1) != 0 && (w.waits_for[lane] & mask) != 0)
      stop(w, kernel_->code[static_cast<std::size_t>(w.waits_at[lane])], lane,
           "the mask names a lane that has returned");
  open_barrier(*w.home);
}

void machine::arrive(warp& w, group g) {
  if (w.at_barrier != 0 && w.barrier_at != g.at)
    stop(w, kernel_->code[static_cast<std::size_t>(g.at)], std::countr_zero(g.mask),
         "lanes of a warp wait at two barriers");
  w.at_barrier |= g.mask;
  w.barrier_at = g.at;
  w.home->arrived += std::popcount(g.mask);
  if (const instruction& i = kernel_->code[static_cast<std::size_t>(g.at)]; i.reduction != barrier_reduction::nothing)
    each_lane(g.mask,
              [&](int lane) { w.home->flags += static_cast<int>(lanes_of(w.registers.data(), i.from[0])[lane] & 1); });
  open_barrier(*w.home);
}

void machine::open_barrier(block& b) {
  if (b.arrived == 0 || b.arrived < b.live) return;
  const int arrived = std::exchange(b.arrived, 0);
  const int flags = std::exchange(b.flags, 0);
  ++b.barriers;
  int at = none;
  shared_knowledge told;
  for (const warp& w : b.warps)
    for (int lane = 0; lane < lanes; ++lane) told = joined(told, w.clocks.told[lane]);
  for (warp& w : b.warps) {
    if (told != nullptr) std::ranges::fill(w.clocks.told, told);
    if (w.at_barrier == 0) continue;
    if (at == none) at = w.barrier_at;
    if (at != w.barrier_at)
      stop(w, kernel_->code[static_cast<std::size_t>(w.barrier_at)], std::countr_zero(w.at_barrier),
           "warps of a block wait at two barriers, the other at " +
               line_of(kernel_->code[static_cast<std::size_t>(at)]));
    if (const instruction& i = kernel_->code[static_cast<std::size_t>(at)]; i.reduction != barrier_reduction::nothing) {
      const int result = i.reduction == barrier_reduction::number ? flags
                         : i.reduction == barrier_reduction::some ? (flags > 0 ? 1 : 0)
                                                                  : (flags == arrived ? 1 : 0);
      each_lane(w.at_barrier,
                [&](int lane) { lanes_of(w.registers.data(), i.to[0])[lane] = static_cast<std::uint64_t>(result); });
    }
    add(w, {w.at_barrier, w.barrier_at + 1});
    w.at_barrier = 0;
  }
}

void machine::meet(warp& w, const instruction& i, group g) {
  const int mask_operand = i.what == action::shuffle ? 3 : i.what == action::warp_barrier ? 0 : 1;
  const std::uint64_t* const masks = lanes_of(w.registers.data(), i.from[mask_operand]);
  each_lane(g.mask, [&](int lane) {
    const auto wanted = static_cast<lane_mask>(masks[lane]);
    if ((wanted >> lane & 1) == 0) stop(w, i, lane, "the mask leaves out the lane itself");
    if ((wanted & ~w.live) != 0) stop(w, i, lane, "the mask names a lane that has returned");
    w.waiting |= lane_mask{1} << lane;
    w.waits_at[lane] = g.at;
    w.waits_for[lane] = wanted;
  });
  for (lane_mask todo = g.mask; todo != 0;) {
    const int lane = std::countr_zero(todo);
    const lane_mask wanted = w.waits_for[lane];
    todo &= ~wanted;
    if ((w.waiting & wanted) != wanted) continue;
    for (lane_mask rest = wanted; rest != 0; rest &= rest - 1) {
      const int other = std::countr_zero(rest);
      if (w.waits_at[other] != g.at || w.waits_for[other] != wanted)
        stop(w, i, lane,
             "lane " + std::to_string(other) + " of the mask waits at another operation, " +
                 line_of(kernel_->code[static_cast<std::size_t>(w.waits_at[other])]));
    }
    complete(w, i, wanted);
    w.waiting &= ~wanted;
    add(w, {wanted, g.at + 1});
  }
}

void machine::complete(warp& w, const instruction& i, lane_mask mask) {
  std::uint64_t* const registers = w.registers.data();
  switch (i.what) {
    case action::warp_barrier:
      w.clocks.meet(mask);
      return;
    case action::shuffle:
      shuffle(w, i, mask);
      return;
    case action::match: {
      const std::uint64_t* const values = lanes_of(registers, i.from[0]);
      lane_mask same[lanes] = {};
      const std::uint64_t bits = bytes_of(i.kind) == 8 ? ~std::uint64_t{0} : ~std::uint32_t{0};
      each_lane(mask, [&](int lane) {
        each_lane(mask, [&](int other) {
          if (((values[lane] ^ values[other]) & bits) == 0) same[lane] |= lane_mask{1} << other;
        });
      });
      each_lane(mask, [&](int lane) { lanes_of(registers, i.to[0])[lane] = same[lane]; });
      return;
    }
    default:
      break;
  }
  lane_mask flags = 0;
  each_lane(mask, [&](int lane) { flags |= static_cast<lane_mask>(lanes_of(registers, i.from[0])[lane] & 1) << lane; });
  const std::uint64_t result = i.vote == vote_mode::ballot ? flags
                               : i.vote == vote_mode::any  ? flags != 0
                                                           : flags == mask;
  each_lane(mask, [&](int lane) { lanes_of(registers, i.to[0])[lane] = result; });
}

void machine::shuffle(warp& w, const instruction& i, lane_mask mask) {
  std::uint64_t* const registers = w.registers.data();
  std::uint64_t values[lanes];
  std::copy_n(lanes_of(registers, i.from[0]), lanes, values);
  each_lane(mask, [&](int lane) {
    const auto own = static_cast<std::uint32_t>(lane);
    const std::uint32_t by = static_cast<std::uint32_t>(lanes_of(registers, i.from[1])[lane]) & 31;
    const auto control = static_cast<std::uint32_t>(lanes_of(registers, i.from[2])[lane]);
    const std::uint32_t segment = control >> 8 & 31;  // bits of the lane's number that stay
    const std::uint32_t clamp = control & 31;
    const std::uint32_t last = (own & segment) | (clamp & ~segment);
    const std::uint32_t first = own & segment;
    std::uint32_t from = own;
    bool inside = false;
    switch (i.shuffle) {
      case shuffle_mode::up:
        from = own - by;
        inside = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(last);
        break;
      case shuffle_mode::down:
        from = own + by;
        inside = from <= last;
        break;
      case shuffle_mode::index:
        from = first | (by & ~segment);
        inside = from <= last;
        break;
      case shuffle_mode::butterfly:
        from = own ^ by;
        inside = from <= last;
        break;
    }
    if (!inside) from = own;
    if ((mask >> from & 1) == 0)
      stop(w, i, lane, "the shuffle reads lane " + std::to_string(from) + ", which its mask leaves out");
    if (i.to[0] != none) lanes_of(registers, i.to[0])[lane] = values[from] & 0xffffffff;
    if (i.to[1] != none) lanes_of(registers, i.to[1])[lane] = inside ? 1 : 0;
  });
}

}  // namespace lacis::ptx

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Joining what threads know.
#include "ptx/clocks.hpp"

#include <algorithm>
#include <bit>

namespace lacis::ptx {
namespace {

std::uint32_t time_in(const knowledge::list& list, std::uint32_t who) {
  const auto found = std::ranges::lower_bound(list, who, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
  return found != list.end() && found->first == who ? found->second : 0;
}

knowledge::list merged(const knowledge::list& a, const knowledge::list& b) {
  knowledge::list all;
  all.reserve(a.size() + b.size());
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() || right != b.end()) {
    if (right == b.end() || (left != a.end() && left->first < right->first))
      all.push_back(*left++);
    else if (left == a.end() || right->first < left->first)
      all.push_back(*right++);
    else
      all.emplace_back(left->first, std::max(left->second, (right++)->second)), ++left;
  }
  return all;
}

}  // namespace

bool knowledge::covers(const access& a, std::uint32_t block) const {
  return time_in(blocks, block) > a.barriers || time_in(threads, a.thread) >= a.time;
}

shared_knowledge joined(const shared_knowledge& a, const shared_knowledge& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  return std::make_shared<const knowledge>(knowledge{merged(a->blocks, b->blocks), merged(a->threads, b->threads)});
}

void warp_clocks::start() {
  for (int lane = 0; lane < lanes; ++lane) {
    std::ranges::fill(seen[lane], 0U);
    seen[lane][lane] = 1;  // 0 is: nothing
    told[lane] = pending[lane] = fenced[lane] = nullptr;
    fence_scope[lane] = memory_scope::block;
  }
}

void warp_clocks::meet(lane_mask mask) {
  std::uint32_t all[lanes] = {};
  shared_knowledge told_all;
  for (lane_mask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (int of = 0; of < lanes; ++of) all[of] = std::max(all[of], seen[lane][of]);
    told_all = joined(told_all, told[lane]);
  }
  for (lane_mask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    std::ranges::copy(all, seen[lane]);
    ++seen[lane][lane];
    told[lane] = told_all;
  }
}

}  // namespace lacis::ptx

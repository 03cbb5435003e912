// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Where threads of a block meet: barriers and warp operations, and what is a fault there.
#include <bit>

#include "base/text.hpp"
#include "simt/block_runner.hpp"
#include "simt/tracer.hpp"

namespace lacis::simt {
namespace {

std::string mask_text(unsigned mask) {
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[mask >> shift & 15];
  return text;
}

const char* name_of(warp_operation operation) {
  switch (operation) {
    case warp_operation::sync:
      return "warp sync";
    case warp_operation::shuffle:
      return "shuffle";
    case warp_operation::ballot:
      return "ballot";
  }
  return "";
}

}  // namespace

void block_runner::barrier(thread_state& self, const call_site& site) {
  worked_ = true;
  if (tracer_here != nullptr) tracer_here->meets(self.rank);
  self.site = site;
  if (live_ < shape_.block_threads) {
    int returned = 0;
    while (threads_[returned].state != status::finished) ++returned;
    fail(self, site,
         [&] { return detail::text("divergent barrier: thread ", returned, " has returned without coming to it"); });
  }
  if (arrived_ == 0) first_arrived_ = self.rank;
  const thread_state& first = threads_[first_arrived_];
  if (!(first.site == site))
    fail(self, site,
         [&] { return detail::text("divergent barrier: thread ", first.rank, " waits at ", site_text(first.site)); });
  leave_warp(self, "has gone to a barrier");
  char* const token = token_of(most_threads);
  races::release(token);
  if (++arrived_ < live_) {
    wait(self, status::at_barrier);
  } else {
    arrived_ = 0;
    odd_[most_threads] = !odd_[most_threads];
    for (unsigned& lanes : gone_) lanes = 0;
    draw_order();
    for (int t = 0; t < shape_.block_threads; ++t)
      if (&threads_[t] != &self) set_ready(threads_[t]);
    take_turn(self);
  }
  races::acquire(token);
}

/// A lane that leaves for good or for a barrier will not come to an operation that names it.
void block_runner::leave_warp(const thread_state& self, const char* instead) {
  const int warp = self.rank / warp_size;
  const unsigned bit = 1u << self.rank % warp_size;
  for (unsigned lanes = waiting_[warp]; lanes != 0; lanes &= lanes - 1) {
    const thread_state& other = threads_[warp * warp_size + std::countr_zero(lanes)];
    if ((other.mask & bit) == 0) continue;
    fail(other, other.site, [&] {
      return detail::text(name_of(other.operation), " of an inactive lane: the mask ", mask_text(other.mask),
                          " names lane ", self.rank % warp_size, ", which ", instead);
    });
  }
  gone_[warp] |= bit;
}

void block_runner::meet(thread_state& self, warp_operation operation, unsigned mask, const call_site& site) {
  worked_ = true;
  if (tracer_here != nullptr) tracer_here->meets(self.rank);
  const int warp = self.rank / warp_size;
  const int lane = self.rank % warp_size;
  thread_state* const lanes = threads_ + (self.rank - lane);
  if ((mask >> lane & 1) == 0)
    fail(self, site,
         [&] { return detail::text(name_of(operation), " whose mask ", mask_text(mask), " leaves out its caller"); });
  if (operation == warp_operation::shuffle && (mask >> self.source & 1) == 0)
    fail(self, site, [&] {
      return detail::text("shuffle from an inactive lane: lane ", self.source, " is not in the mask ", mask_text(mask));
    });
  if ((mask & gone_[warp]) != 0)
    fail(self, site, [&] {
      const int other = std::countr_zero(mask & gone_[warp]);
      return detail::text(
          name_of(operation), " of an inactive lane: the mask ", mask_text(mask), " names lane ", other,
          lanes[other].state == status::finished ? ", which has returned" : ", which has gone to a barrier");
    });
  const unsigned there = waiting_[warp] & mask;
  if (there != 0) {
    const thread_state& other = lanes[std::countr_zero(there)];
    if (other.operation != operation || other.mask != mask || !(other.site == site))
      fail(self, site, [&] {
        return detail::text(name_of(operation), " with mask ", mask_text(mask), ", but lane ", std::countr_zero(there),
                            " waits in a ", name_of(other.operation), " with mask ", mask_text(other.mask), " at ",
                            site_text(other.site));
      });
  }
  self.operation = operation;
  self.mask = mask;
  self.site = site;
  const int first = self.rank - lane + std::countr_zero(mask);
  char* const token = token_of(first);
  if (operation == warp_operation::sync) races::release(token);
  if ((there | 1u << lane) == mask) {
    waiting_[warp] &= ~mask;
    if (operation == warp_operation::sync) odd_[first] = !odd_[first];
    complete(self, lanes);
    take_turn(self);
  } else {
    waiting_[warp] |= 1u << lane;
    wait(self, status::at_warp);
  }
  if (operation == warp_operation::sync) races::acquire(token);
}

/// All lanes of the mask are there: the last one gives each its result.
void block_runner::complete(thread_state& self, thread_state* lanes) {
  unsigned votes = 0;
  payload values[warp_size];
  for (unsigned mask = self.mask; mask != 0; mask &= mask - 1) {
    const int t = std::countr_zero(mask);
    values[t] = lanes[t].value;
    if (lanes[t].flag) votes |= 1u << t;
  }
  for (unsigned mask = self.mask; mask != 0; mask &= mask - 1) {
    thread_state& other = lanes[std::countr_zero(mask)];
    other.votes = votes;
    if (self.operation == warp_operation::shuffle) other.value = values[other.source];
    if (&other != &self) set_ready(other);
  }
}

namespace host {

void barrier(thread_state& self, const call_site& site) { self.runner->barrier(self, site); }

payload shuffle(thread_state& self, unsigned mask, payload value, int source, const call_site& site) {
  self.value = value;
  self.source = source;
  self.runner->meet(self, warp_operation::shuffle, mask, site);
  return self.value;
}

unsigned ballot(thread_state& self, unsigned mask, bool flag, const call_site& site) {
  self.flag = flag;
  self.runner->meet(self, warp_operation::ballot, mask, site);
  return self.votes;
}

void sync_warp(thread_state& self, unsigned mask, const call_site& site) {
  self.runner->meet(self, warp_operation::sync, mask, site);
}

void pause(thread_state& self, const call_site& site) { self.runner->pause(self, site); }

void* shared_memory(thread_state& self) { return self.runner->shared_memory(); }

void trace_atomic(const thread_state& self, const void* target) { tracer_here->atomic(self.rank, target); }

}  // namespace host

}  // namespace lacis::simt

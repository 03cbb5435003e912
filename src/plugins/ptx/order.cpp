// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which accesses are ordered: by barriers, and by release and acquire. Two accesses to a word of which one is a store
// must be ordered, or both strong with scopes that include each other.
#include <algorithm>
#include <cstring>

#include "ptx/arithmetic.hpp"
#include "ptx/machine.hpp"

namespace lacis::ptx {
namespace {

bool acquires(memory_order order) { return order == memory_order::acquire || order == memory_order::acquire_release; }
bool releases(memory_order order) { return order == memory_order::release || order == memory_order::acquire_release; }

/// How many of the bytes from `at` on lie in its word.
std::size_t count_in_word(const char* at, std::size_t bytes) {
  return std::min<std::size_t>(bytes, 4 - reinterpret_cast<std::uintptr_t>(at) % 4);
}

}  // namespace

bool machine::known(const access& a, const warp& w, int lane) const {
  const auto threads = static_cast<std::uint32_t>(shape_.threads);
  const std::uint32_t block = a.thread / threads;
  if (block == w.home->number) {
    if (a.barriers < w.home->barriers) return true;
    const std::uint32_t inside = a.thread % threads;
    if (static_cast<int>(inside / lanes) == w.number && w.clocks.seen[lane][inside % lanes] >= a.time) return true;
  }
  const shared_knowledge& told = w.clocks.told[lane];
  return told != nullptr && told->covers(a, block);
}

void machine::report_race(warp& w, const instruction& i, int lane, const access& other, bool writes,
                          bool other_writes) {
  const auto threads = static_cast<std::uint32_t>(shape_.threads);
  const instruction& there = kernel_->code[static_cast<std::size_t>(other.place)];
  stop(w, i, lane,
       std::string("a race: this ") + (writes ? "store" : "load") + " is not ordered after the " +
           (other_writes ? "store" : "load") + " of block " + std::to_string(other.thread / threads) + ", thread " +
           std::to_string(other.thread % threads) + " at " + line_of(there) + ";");
}

void machine::touch(warp& w, const instruction& i, int lane, place where, std::size_t bytes, bool writes,
                    const char* value) {
  access now;
  now.thread = thread_number(w, lane);
  now.time = w.clocks.seen[lane][lane];
  now.barriers = w.home->barriers;
  now.place = place_of(i);
  now.strong = i.order != memory_order::weak;
  now.scope = i.scope;
  const auto threads = static_cast<std::uint32_t>(shape_.threads);
  const auto conflicts = [&](const access& other) {
    if (other.thread == no_thread || other.thread == now.thread || (other.bytes & now.bytes) == 0) return false;
    const bool device = other.scope == memory_scope::device && now.scope == memory_scope::device;
    if (other.strong && now.strong && (device || other.thread / threads == w.home->number)) return false;
    return !known(other, w, lane);
  };
  // Words that are loaded through the read-only path may not be written in the same launch. CUB sorts in place with
  // such loads; there the store must come after them, so that none can miss its value.
  const auto breaks_read_only_path = [&](const access& read) {
    return read.read_only_path && !(kernel_->of_cub && (read.thread == now.thread || known(read, w, lane)));
  };
  for (std::size_t done = 0; done < bytes;) {
    const char* const at = where.at + done;
    word_state& word = where.in->word_of(at, launch_);
    const std::size_t step = count_in_word(at, bytes - done);
    now.bytes = static_cast<std::uint8_t>(((1U << step) - 1) << reinterpret_cast<std::uintptr_t>(at) % 4);
    if (!writes) {
      if (i.read_only_path && word.write.thread != no_thread)
        stop(w, i, lane, "a load through the read-only path (.nc) of what this launch has written;");
      if (options.races != 0 && conflicts(word.write)) report_race(w, i, lane, word.write, false, true);
      now.read_only_path = i.read_only_path || word.read.read_only_path;
      if (word.read.thread != now.thread && word.read.thread != no_thread) word.earlier_read = word.read;
      word.read = now;
    } else {
      for (const access* const read : {&word.read, &word.earlier_read}) {
        if (breaks_read_only_path(*read))
          stop(w, i, lane, "a store to what this launch has loaded through the read-only path (.nc);");
        if (options.races != 0 && conflicts(*read)) report_race(w, i, lane, *read, true, false);
      }
      // Several lanes may store the same value.
      if (options.races != 0 && conflicts(word.write) && std::memcmp(at, value + done, step) != 0)
        report_race(w, i, lane, word.write, true, true);
      const char* const begin = at - reinterpret_cast<std::uintptr_t>(at) % 4;
      if (where.in->contains(begin, 4)) std::memcpy(&word.previous, begin, 4);
      word.write = now;
      if (word.read.thread != no_thread) {
        word.read = {};
        word.earlier_read = {};
      }
    }
    done += step;
  }
}

/// A thread may still see the value before a store that it does not know of, unless it has seen the newer one.
bool machine::may_be_stale(warp& w, const instruction& i, int lane, place where, std::size_t bytes) {
  if (options.stale == 0 || bytes % 4 != 0 || acquires(i.order)) return false;
  const std::uint32_t own = thread_number(w, lane);
  for (std::size_t k = 0; k < bytes; k += 4) {
    const word_state& word = where.in->word_of(where.at + k, launch_);
    const access& write = word.write;
    if (write.thread == no_thread || write.thread == own || known(write, w, lane)) return false;
    if (word.read.thread == own || word.earlier_read.thread == own) return false;
  }
  return chance(3);
}

shared_knowledge machine::all_that(const warp& w, int lane) const {
  knowledge own;
  if (w.home->barriers > 0) own.blocks.emplace_back(w.home->number, w.home->barriers);
  for (int of = 0; of < lanes; ++of)
    if (w.clocks.seen[lane][of] > 0) own.threads.emplace_back(thread_number(w, of), w.clocks.seen[lane][of]);
  return joined(w.clocks.told[lane], std::make_shared<const knowledge>(std::move(own)));
}

void machine::fence(warp& w, const instruction& i, lane_mask mask) {
  each_lane(mask, [&](int lane) {
    w.clocks.told[lane] = joined(w.clocks.told[lane], w.clocks.pending[lane]);
    w.clocks.pending[lane] = nullptr;
    w.clocks.fenced[lane] = all_that(w, lane);
    w.clocks.fence_scope[lane] = i.scope;
    ++w.clocks.seen[lane][lane];
  });
}

void machine::release_at(warp& w, const instruction& i, int lane, const char* at, bool also_reads) {
  release now{nullptr, i.scope, w.home->number};
  if (releases(i.order)) {
    now.what = all_that(w, lane);
    ++w.clocks.seen[lane][lane];
  } else if (w.clocks.fenced[lane] != nullptr) {
    now.what = w.clocks.fenced[lane];
    if (w.clocks.fence_scope[lane] == memory_scope::block) now.scope = memory_scope::block;
  }
  const auto found = released_.find(at);
  if (also_reads && found != released_.end()) {  // an atomic operation continues what it found
    if (now.what == nullptr) return;
    now.what = joined(now.what, found->second.what);
  }
  if (now.what != nullptr)
    released_[at] = now;
  else if (found != released_.end())
    released_.erase(found);
}

void machine::acquire_at(warp& w, const instruction& i, int lane, const char* at) {
  const auto found = released_.find(at);
  if (found == released_.end()) return;
  const release& there = found->second;
  const bool reaches =
      there.block == w.home->number || (there.scope == memory_scope::device && i.scope == memory_scope::device);
  if (!reaches) return;
  shared_knowledge& into = acquires(i.order) ? w.clocks.told[lane] : w.clocks.pending[lane];
  into = joined(into, there.what);
}

}  // namespace lacis::ptx

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Team of the host executor: every barrier and warp operation is a point at which threads take turns.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "team/number.hpp"
#include "team/team.hpp"

namespace lacis::simt {

struct thread_state;

/// What a shuffle carries.
struct payload {
  std::uint64_t words[2] = {};
};

/// A warp operation, as lanes must agree on it.
enum class warp_operation { sync, shuffle, ballot };

namespace host {
// What the executor does for a thread; see executor.cpp.
void barrier(thread_state& self, const call_site& site);
/// The value of lane `source` of the warp; meets the lanes of the mask, as the next two do.
payload shuffle(thread_state& self, unsigned mask, payload value, int source, const call_site& site);
unsigned ballot(thread_state& self, unsigned mask, bool flag, const call_site& site);
void sync_warp(thread_state& self, unsigned mask, const call_site& site);
void pause(thread_state& self, const call_site& site);
void* shared_memory(thread_state& self);
/// Tells the tracer, when there is one, that the last access to the target was atomic.
void trace_atomic(const thread_state& self, const void* target);
}  // namespace host

/// One thread of the grid, as its kernel sees it.
class host_team {
 public:
  host_team(thread_state& self, int thread, int threads, int block, int blocks)
      : self_(&self), thread_(thread), threads_(threads), block_(block), blocks_(blocks) {}

  [[nodiscard]] int thread() const { return thread_; }
  [[nodiscard]] int lane() const { return thread_ % warp_size; }
  [[nodiscard]] int warp() const { return thread_ / warp_size; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] int block() const { return block_; }
  [[nodiscard]] int blocks() const { return blocks_; }

  void barrier(call_site site = call_site::here()) const { host::barrier(*self_, site); }
  void sync_warp(unsigned mask = full_mask, call_site site = call_site::here()) const {
    host::sync_warp(*self_, mask, site);
  }

  /// The value of lane `source` of the caller's group of `width` lanes.
  template <class T>
  T shuffle(unsigned mask, T value, int source, int width = warp_size, call_site site = call_site::here()) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(payload));
    payload carried;
    std::memcpy(carried.words, &value, sizeof value);
    carried = host::shuffle(*self_, mask, carried, lane() / width * width + (source & (width - 1)), site);
    std::memcpy(&value, carried.words, sizeof value);
    return value;
  }
  /// The value of the lane `delta` higher; the caller's own where that leaves its group.
  template <class T>
  T shuffle_down(unsigned mask, T value, int delta, int width = warp_size, call_site site = call_site::here()) const {
    const int here = lane() % width;
    return shuffle(mask, value, here + delta < width ? here + delta : here, width, site);
  }
  template <class T>
  T shuffle_xor(unsigned mask, T value, int bits, int width = warp_size, call_site site = call_site::here()) const {
    return shuffle(mask, value, (lane() % width) ^ bits, width, site);
  }
  unsigned ballot(unsigned mask, bool flag, call_site site = call_site::here()) const {
    return host::ballot(*self_, mask, flag, site);
  }
  bool any(unsigned mask, bool flag, call_site site = call_site::here()) const {
    return host::ballot(*self_, mask, flag, site) != 0;
  }

  template <class Shared> Shared& shared() const { return *static_cast<Shared*>(host::shared_memory(*self_)); }
  template <class T> [[nodiscard]] shared_by_thread<T> shared_elements() const {
    return {static_cast<T*>(host::shared_memory(*self_)), threads_};
  }

  template <memory_order Order = memory_order::relaxed, memory_scope = memory_scope::device, class T>
  T atomic_add(T& target, std::type_identity_t<T> value) const {
    trace(&target);
    if constexpr (is_complex_number<T>)
      return {atomic_add<Order>(target.re, value.re), atomic_add<Order>(target.im, value.im)};
    else if constexpr (std::is_same_v<T, float>)
      return flushing_add(target, value, order(Order));
    else
      return std::atomic_ref<T>(target).fetch_add(value, order(Order));
  }
  template <memory_order Order = memory_order::relaxed, memory_scope = memory_scope::device>
  unsigned atomic_increment(unsigned& target, unsigned limit) const {
    trace(&target);
    std::atomic_ref<unsigned> all(target);
    unsigned seen = all.load(std::memory_order_relaxed);
    while (!all.compare_exchange_weak(seen, seen >= limit ? 0 : seen + 1, order(Order), std::memory_order_relaxed)) {
    }
    return seen;
  }
  template <memory_order Order = memory_order::relaxed, memory_scope = memory_scope::device, class T>
  T atomic_compare_exchange(T& target, std::type_identity_t<T> expected, std::type_identity_t<T> desired) const {
    trace(&target);
    std::atomic_ref<T>(target).compare_exchange_strong(expected, desired, order(Order), std::memory_order_relaxed);
    return expected;
  }
  template <memory_order Order = memory_order::relaxed, memory_scope = memory_scope::device, class T>
  T atomic_max(T& target, std::type_identity_t<T> value) const {
    trace(&target);
    std::atomic_ref<T> all(target);
    T seen = all.load(std::memory_order_relaxed);
    while (seen < value && !all.compare_exchange_weak(seen, value, order(Order), std::memory_order_relaxed)) {
    }
    return seen;
  }
  template <memory_order Order, memory_scope = memory_scope::device, class T> T load(T& target) const {
    return std::atomic_ref<T>(target).load(order(Order));
  }
  template <memory_order Order, memory_scope = memory_scope::device, class T>
  void store(T& target, std::type_identity_t<T> value) const {
    std::atomic_ref<T>(target).store(value, order(Order));
  }

  void pause(call_site site = call_site::here()) const { host::pause(*self_, site); }

 private:
  /// As atom.global.add.f32 of a GPU does it: subnormal operands and sums become zeros of their sign. Kernels add to
  /// single precision in global memory alone; in shared memory a GPU would keep them.
  static float flushing_add(float& target, float value, std::memory_order how) {
    const auto flushed = [](float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x; };
    std::atomic_ref<float> all(target);
    float seen = all.load(std::memory_order_relaxed);
    while (!all.compare_exchange_weak(seen, flushed(flushed(seen) + flushed(value)), how, std::memory_order_relaxed)) {
    }
    return seen;
  }
  void trace(const void* target) const {
    if (tracer_here != nullptr) [[unlikely]]
      host::trace_atomic(*self_, target);
  }
  static constexpr std::memory_order order(memory_order o) {
    switch (o) {
      case memory_order::acquire:
        return std::memory_order_acquire;
      case memory_order::release:
        return std::memory_order_release;
      case memory_order::acquire_release:
        return std::memory_order_acq_rel;
      case memory_order::relaxed:
        break;
    }
    return std::memory_order_relaxed;
  }

  thread_state* self_;
  int thread_;
  int threads_;
  int block_;
  int blocks_;
};

static_assert(team<host_team>);

}  // namespace lacis::simt

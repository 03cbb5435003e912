// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Team of a GPU: the intrinsics of CUDA under the names that kernels use.
#pragma once

#include "team/number.hpp"
#include "team/team.hpp"

namespace lacis::cuda {

using simt::call_site;
using simt::memory_order;
using simt::memory_scope;

namespace detail {

/// The parameter of an atomic operation that follows the type of its target.
template <class T> struct same_type {
  using type = T;
};
template <class T> using as = typename same_type<T>::type;

/// The types of 8 bytes that CUDA's functions know: no `long`; and adding and exchanging only unsigned ones.
template <class T> struct atomic_type {
  using type = T;
  using word = T;
};
template <> struct atomic_type<int64_t> {
  using type = long long;
  using word = unsigned long long;
};
template <> struct atomic_type<uint64_t> {
  using type = unsigned long long;
  using word = unsigned long long;
};

// Orders and scopes as the builtins count them.
template <memory_order Order>
inline constexpr int builtin_order = Order == memory_order::relaxed   ? __NV_ATOMIC_RELAXED
                                     : Order == memory_order::acquire ? __NV_ATOMIC_ACQUIRE
                                     : Order == memory_order::release ? __NV_ATOMIC_RELEASE
                                                                      : __NV_ATOMIC_ACQ_REL;
/// Of a compare-exchange that does not exchange: a release needs a store.
template <memory_order Order>
inline constexpr int failure_order =
    Order == memory_order::acquire || Order == memory_order::acquire_release ? __NV_ATOMIC_ACQUIRE
                                                                             : __NV_ATOMIC_RELAXED;
template <memory_scope Scope>
inline constexpr int builtin_scope = Scope == memory_scope::block    ? __NV_THREAD_SCOPE_BLOCK
                                     : Scope == memory_scope::device ? __NV_THREAD_SCOPE_DEVICE
                                                                     : __NV_THREAD_SCOPE_SYSTEM;

/// The builtins. They take order and scope only as literals or as parameters of a template.
template <int Order, int Failure, int Scope> struct builtins {
  template <class T> LACIS_DEVICE_FN static T add(T* target, T value) {
    return __nv_atomic_fetch_add(target, value, Order, Scope);
  }
  template <class T> LACIS_DEVICE_FN static T max(T* target, T value) {
    return __nv_atomic_fetch_max(target, value, Order, Scope);
  }
  template <class T> LACIS_DEVICE_FN static T compare_exchange(T* target, T expected, T desired) {
    __nv_atomic_compare_exchange_n(target, &expected, desired, false, Order, Failure, Scope);
    return expected;
  }
  template <class T> LACIS_DEVICE_FN static T load(T* target) {
    T seen;
    __nv_atomic_load(target, &seen, Order, Scope);
    return seen;
  }
  template <class T> LACIS_DEVICE_FN static void store(T* target, T value) {
    __nv_atomic_store(target, &value, Order, Scope);
  }
};
template <memory_order Order, memory_scope Scope>
using ordered = builtins<builtin_order<Order>, failure_order<Order>, builtin_scope<Scope>>;

/// Relaxed atomics, by the older functions: nvcc sees whether these work on global or on shared memory, and turns an
/// addition whose result is unused into a reduction; a builtin always looks at the address first.
template <memory_scope Scope> struct relaxed;
template <> struct relaxed<memory_scope::block> {
  template <class T> LACIS_DEVICE_FN static T add(T* target, T value) { return atomicAdd_block(target, value); }
  template <class T> LACIS_DEVICE_FN static T max(T* target, T value) { return atomicMax_block(target, value); }
  template <class T> LACIS_DEVICE_FN static T compare_exchange(T* target, T expected, T desired) {
    return atomicCAS_block(target, expected, desired);
  }
  LACIS_DEVICE_FN static unsigned increment(unsigned* target, unsigned limit) { return atomicInc_block(target, limit); }
};
template <> struct relaxed<memory_scope::device> {
  template <class T> LACIS_DEVICE_FN static T add(T* target, T value) { return atomicAdd(target, value); }
  template <class T> LACIS_DEVICE_FN static T max(T* target, T value) { return atomicMax(target, value); }
  template <class T> LACIS_DEVICE_FN static T compare_exchange(T* target, T expected, T desired) {
    return atomicCAS(target, expected, desired);
  }
  LACIS_DEVICE_FN static unsigned increment(unsigned* target, unsigned limit) { return atomicInc(target, limit); }
};
template <> struct relaxed<memory_scope::system> {
  template <class T> LACIS_DEVICE_FN static T add(T* target, T value) { return atomicAdd_system(target, value); }
  template <class T> LACIS_DEVICE_FN static T max(T* target, T value) { return atomicMax_system(target, value); }
  template <class T> LACIS_DEVICE_FN static T compare_exchange(T* target, T expected, T desired) {
    return atomicCAS_system(target, expected, desired);
  }
  LACIS_DEVICE_FN static unsigned increment(unsigned* target, unsigned limit) {
    return atomicInc_system(target, limit);
  }
};

template <memory_order Order, memory_scope Scope> struct chosen_atomics {
  using type = ordered<Order, Scope>;
};
template <memory_scope Scope> struct chosen_atomics<memory_order::relaxed, Scope> {
  using type = relaxed<Scope>;
};
template <memory_order Order, memory_scope Scope> using atomics = typename chosen_atomics<Order, Scope>::type;

template <memory_scope Scope> LACIS_DEVICE_FN void fence() {
  if constexpr (Scope == memory_scope::block)
    __threadfence_block();
  else if constexpr (Scope == memory_scope::device)
    __threadfence();
  else
    __threadfence_system();
}

/// A value as the words that a shuffle moves.
template <class T> struct words {
  static constexpr int count = sizeof(T) / 4;
  static_assert((sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && __is_trivially_copyable(T),
                "shuffles move plain data of 4, 8 or 16 bytes");
  unsigned word[count];

  LACIS_DEVICE_FN static words of(const T& value) {
    words all;
    memcpy(all.word, &value, sizeof value);
    return all;
  }
  LACIS_DEVICE_FN T value() const {
    T result;
    memcpy(&result, word, sizeof result);
    return result;
  }
};

}  // namespace detail

/// See simt::team. It has no state, and thread() and its like are read from special registers.
struct cuda_team {
  LACIS_DEVICE_FN static int thread() { return static_cast<int>(threadIdx.x); }
  LACIS_DEVICE_FN static int lane() { return static_cast<int>(threadIdx.x % simt::warp_size); }
  LACIS_DEVICE_FN static int warp() { return static_cast<int>(threadIdx.x / simt::warp_size); }
  LACIS_DEVICE_FN static int threads() { return static_cast<int>(blockDim.x); }
  LACIS_DEVICE_FN static int block() { return static_cast<int>(blockIdx.x); }
  LACIS_DEVICE_FN static int blocks() { return static_cast<int>(gridDim.x); }

  LACIS_DEVICE_FN static void barrier(call_site = {}) { __syncthreads(); }
  LACIS_DEVICE_FN static void sync_warp(unsigned mask = simt::full_mask, call_site = {}) { __syncwarp(mask); }

  template <class T>
  LACIS_DEVICE_FN static T shuffle(unsigned mask, T value, int source, int width = simt::warp_size, call_site = {}) {
    auto all = detail::words<T>::of(value);
    for (unsigned& word : all.word) word = __shfl_sync(mask, word, source, width);
    return all.value();
  }
  template <class T>
  LACIS_DEVICE_FN static T shuffle_down(unsigned mask, T value, int delta, int width = simt::warp_size,
                                        call_site = {}) {
    auto all = detail::words<T>::of(value);
    for (unsigned& word : all.word) word = __shfl_down_sync(mask, word, static_cast<unsigned>(delta), width);
    return all.value();
  }
  template <class T>
  LACIS_DEVICE_FN static T shuffle_xor(unsigned mask, T value, int bits, int width = simt::warp_size, call_site = {}) {
    auto all = detail::words<T>::of(value);
    for (unsigned& word : all.word) word = __shfl_xor_sync(mask, word, bits, width);
    return all.value();
  }
  LACIS_DEVICE_FN static unsigned ballot(unsigned mask, bool flag, call_site = {}) { return __ballot_sync(mask, flag); }
  LACIS_DEVICE_FN static bool any(unsigned mask, bool flag, call_site = {}) { return __any_sync(mask, flag) != 0; }

  template <class Shared> LACIS_DEVICE_FN static Shared& shared() {
    static_assert(sizeof(Shared) <= 48 * 1024, "static shared memory ends at 48 KB");
    __shared__ Shared memory;
    return memory;
  }
  template <class T> LACIS_DEVICE_FN static simt::shared_by_thread<T> shared_elements() {
    extern __shared__ uint4 given_by_launch[];  // aligned for every type of value
    return {reinterpret_cast<T*>(given_by_launch)};
  }

  template <memory_order Order = memory_order::relaxed, memory_scope Scope = memory_scope::device, class T>
  LACIS_DEVICE_FN static T atomic_add(T& target, detail::as<T> value) {
    if constexpr (simt::is_complex_number<T>) {
      return {atomic_add<Order, Scope>(target.re, value.re), atomic_add<Order, Scope>(target.im, value.im)};
    } else {
      using word = typename detail::atomic_type<T>::word;
      return static_cast<T>(
          detail::atomics<Order, Scope>::add(reinterpret_cast<word*>(&target), static_cast<word>(value)));
    }
  }
  /// No builtin wraps: fences order it.
  template <memory_order Order = memory_order::relaxed, memory_scope Scope = memory_scope::device>
  LACIS_DEVICE_FN static unsigned atomic_increment(unsigned& target, unsigned limit) {
    constexpr bool fenced = Order != memory_order::relaxed;
    if constexpr (fenced) detail::fence<Scope>();
    const unsigned before = detail::relaxed<Scope>::increment(&target, limit);
    if constexpr (fenced) detail::fence<Scope>();
    return before;
  }
  template <memory_order Order = memory_order::relaxed, memory_scope Scope = memory_scope::device, class T>
  LACIS_DEVICE_FN static T atomic_compare_exchange(T& target, detail::as<T> expected, detail::as<T> desired) {
    using word = typename detail::atomic_type<T>::word;
    return static_cast<T>(detail::atomics<Order, Scope>::compare_exchange(
        reinterpret_cast<word*>(&target), static_cast<word>(expected), static_cast<word>(desired)));
  }
  template <memory_order Order = memory_order::relaxed, memory_scope Scope = memory_scope::device, class T>
  LACIS_DEVICE_FN static T atomic_max(T& target, detail::as<T> value) {
    using type = typename detail::atomic_type<T>::type;
    return static_cast<T>(
        detail::atomics<Order, Scope>::max(reinterpret_cast<type*>(&target), static_cast<type>(value)));
  }
  template <memory_order Order, memory_scope Scope = memory_scope::device, class T>
  LACIS_DEVICE_FN static T load(T& target) {
    using type = typename detail::atomic_type<T>::type;
    return static_cast<T>(detail::ordered<Order, Scope>::load(reinterpret_cast<type*>(&target)));
  }
  template <memory_order Order, memory_scope Scope = memory_scope::device, class T>
  LACIS_DEVICE_FN static void store(T& target, detail::as<T> value) {
    using type = typename detail::atomic_type<T>::type;
    detail::ordered<Order, Scope>::store(reinterpret_cast<type*>(&target), static_cast<type>(value));
  }

  LACIS_DEVICE_FN static void pause(call_site = {}) { __nanosleep(100); }
};

static_assert(simt::team<cuda_team>);

}  // namespace lacis::cuda

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel may ask of the threads around it: the Team concept, and the small types that kernels are written with.
#pragma once

#include <stdint.h>

/// Marks what runs on a device. Kernels are compiled by nvcc for GPUs and by the host compiler for the executor.
#ifdef __CUDACC__
#define LACIS_DEVICE_FN __device__ __forceinline__
#else
#define LACIS_DEVICE_FN inline
#endif

namespace lacis::simt {

inline constexpr int warp_size = 32;
inline constexpr unsigned full_mask = 0xffffffffu;

/// How an atomic access orders the accesses around it.
enum class memory_order { relaxed, acquire, release, acquire_release };
/// Who must see an atomic access as one: the block, the device, or the machine.
enum class memory_scope { block, device, system };

/// Where a kernel called its team. The host executor compares call sites and names them in faults; on a device the type
/// is empty. A helper that calls the team for its caller takes a call_site as its last argument and passes it on, so
/// that two branches that use one helper remain two sites.
#ifdef __CUDACC__
struct call_site {
  LACIS_DEVICE_FN static constexpr call_site here() { return {}; }
};
#else
struct call_site {
  const char* file = "";
  int line = 0;
  static constexpr call_site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
  friend constexpr bool operator==(const call_site& a, const call_site& b) {
    return a.line == b.line && (a.file == b.file || __builtin_strcmp(a.file, b.file) == 0);
  }
};

/// Ends the running kernel with a fault: element `index` of an array of `size` was asked for at `site`.
[[noreturn]] void out_of_bounds(const char* what, int64_t index, int64_t size, call_site site);

class tracer;
/// Who is told of what the threads of a block do that this thread of the system runs; null unless a launch is traced.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local tracer* tracer_here;
/// Tells it of an access of the running thread to shared memory.
void trace_shared(const void* element, int bytes, call_site site);

/// An index that knows where it was used.
struct placed_index {
  int64_t value;
  call_site site;
  // NOLINTNEXTLINE(google-explicit-constructor): a plain integer in brackets becomes one
  constexpr placed_index(int64_t index, call_site from = call_site::here()) : value(index), site(from) {}
};
#endif

/// An array in shared memory; the host executor checks every index. Without initial values, as on a device.
template <class T, int Count> struct shared_array {
  T elements[Count];

#ifdef __CUDACC__
  LACIS_DEVICE_FN T& operator[](int64_t index) { return elements[index]; }
#else
  T& operator[](placed_index index) {
    if (static_cast<uint64_t>(index.value) >= static_cast<uint64_t>(Count))
      out_of_bounds("a shared array", index.value, Count, index.site);
    if (tracer_here != nullptr) [[unlikely]]
      trace_shared(&elements[index.value], static_cast<int>(sizeof(T)), index.site);
    return elements[index.value];
  }
#endif
};

/// The shared memory of a kernel whose launch names the size of a block: an element for each of its threads.
template <class T> struct shared_by_thread {
  T* elements;
#ifdef __CUDACC__
  LACIS_DEVICE_FN T& operator[](int64_t index) const { return elements[index]; }
#else
  int threads;
  T& operator[](placed_index index) const {
    if (static_cast<uint64_t>(index.value) >= static_cast<uint64_t>(threads))
      out_of_bounds("a shared array", index.value, threads, index.site);
    if (tracer_here != nullptr) [[unlikely]]
      trace_shared(&elements[index.value], static_cast<int>(sizeof(T)), index.site);
    return elements[index.value];
  }
#endif
};
/// Bytes that each thread of the block adds to shared memory of this type; its own are all that others have.
template <class Shared> inline constexpr int bytes_by_thread = 0;
template <class T> inline constexpr int bytes_by_thread<shared_by_thread<T>> = sizeof(T);

template <class A, class B>
concept same = __is_same(A, B);

/// The shared memory of a kernel that has none.
struct no_shared {};

/// The interface between a kernel and its threads. A grid is one-dimensional: blocks of threads, warps of 32 lanes.
///
/// - thread(), lane(), warp(): rank in the block, in the warp, of the warp; threads(): size of the block; block(),
///   blocks(): rank and size in the grid. Read them once into constants: calling them again in a loop costs registers.
/// - barrier(): every thread of the block, at one call site; no thread may have returned.
/// - sync_warp, shuffle..., ballot, any: every lane of `mask`, the caller among them, at one call site. A shuffle may
///   only read lanes of the mask, and orders no memory; sync_warp and barrier do.
/// - shared<S>(): the one shared struct of the block, with no initial values; shared_elements<T>(), where S is
///   shared_by_thread<T>.
/// - atomics take a reference to an element of an output or of shared memory and return what was there before;
///   increment wraps to 0 after `limit`.
/// - pause(): inside every loop that waits for another thread.
template <class T>
concept team = requires(T t, unsigned mask, double value, int lane, int width, bool flag, int32_t& word,
                        unsigned& counter, int64_t& wide, double& sum) {
  { t.thread() } -> same<int>;
  { t.lane() } -> same<int>;
  { t.warp() } -> same<int>;
  { t.threads() } -> same<int>;
  { t.block() } -> same<int>;
  { t.blocks() } -> same<int>;
  t.barrier();
  t.sync_warp(mask);
  { t.shuffle(mask, value, lane, width) } -> same<double>;
  { t.shuffle_down(mask, value, lane, width) } -> same<double>;
  { t.shuffle_xor(mask, value, lane, width) } -> same<double>;
  { t.ballot(mask, flag) } -> same<unsigned>;
  { t.any(mask, flag) } -> same<bool>;
  { t.template shared<no_shared>() } -> same<no_shared&>;
  { t.template shared_elements<double>() } -> same<shared_by_thread<double>>;
  { t.atomic_add(sum, value) } -> same<double>;
  { t.template atomic_add<memory_order::acquire_release, memory_scope::block>(word, word) } -> same<int32_t>;
  { t.atomic_increment(counter, counter) } -> same<unsigned>;
  { t.atomic_compare_exchange(word, word, word) } -> same<int32_t>;
  { t.atomic_max(wide, wide) } -> same<int64_t>;
  { t.template load<memory_order::acquire, memory_scope::device>(word) } -> same<int32_t>;
  t.template store<memory_order::release, memory_scope::device>(word, word);
  t.pause();
};

}  // namespace lacis::simt

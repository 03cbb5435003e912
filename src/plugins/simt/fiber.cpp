// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Switching stacks with Boost.Context, announced to AddressSanitizer and ThreadSanitizer.
#include "simt/fiber.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <new>
#include <sys/mman.h>

#ifdef LACIS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef LACIS_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace lacis::simt {

namespace context = boost::context::detail;

namespace {

constexpr std::size_t page = 4096;
#if defined(LACIS_ADDRESS_SANITIZER) || defined(LACIS_THREAD_SANITIZER)
constexpr std::size_t stack_bytes = 256 * 1024;
#else
constexpr std::size_t stack_bytes = 64 * 1024;
#endif

}  // namespace

struct fiber_access {
  static void arrived(fiber& here, context::transfer_t from) {
#ifdef LACIS_ADDRESS_SANITIZER
    auto& last = *static_cast<fiber*>(from.data);
    const void* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(here.fake_stack_, &bottom, &size);
    if (last.memory_ == nullptr) {
      last.bottom_ = bottom;
      last.size_ = size;
    }
#else
    (void)here;
#endif
    static_cast<fiber*>(from.data)->context_ = from.fctx;
  }

  /// The one that is switched to for the first time is named by the one that switches.
  static inline thread_local fiber* starting = nullptr;

  static void start(context::transfer_t from) {
    fiber& here = *starting;
    arrived(here, from);
    here.entry_(here.argument_);
    __builtin_unreachable();
  }
};

fiber::fiber(void (*entry)(void*), void* argument) : entry_(entry), argument_(argument) {
  memory_ =
      mmap(nullptr, stack_bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
  races::renew(memory_, stack_bytes + page);
  mprotect(memory_, page, PROT_NONE);
  bottom_ = static_cast<char*>(memory_) + page;
  size_ = stack_bytes;
  context_ = context::make_fcontext(static_cast<char*>(memory_) + page + stack_bytes, stack_bytes, fiber_access::start);
#ifdef LACIS_THREAD_SANITIZER
  identity_ = __tsan_create_fiber(0);
#endif
}

fiber::~fiber() {
  if (memory_ == nullptr) return;
#ifdef LACIS_THREAD_SANITIZER
  __tsan_destroy_fiber(identity_);
#endif
#ifdef LACIS_ADDRESS_SANITIZER
  __asan_unpoison_memory_region(bottom_, size_);  // it may have been left in the middle of a function
#endif
  munmap(memory_, stack_bytes + page);
}

void fiber::switch_to(fiber& next) {
#ifdef LACIS_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&fake_stack_, next.bottom_, next.size_);
#endif
#ifdef LACIS_THREAD_SANITIZER
  __tsan_switch_to_fiber(next.identity_, __tsan_switch_to_fiber_no_sync);
#endif
  fiber_access::starting = &next;
  const context::transfer_t from = context::jump_fcontext(next.context_, this);
  fiber_access::arrived(*this, from);
}

void fiber::take_identity() {
#ifdef LACIS_THREAD_SANITIZER
  identity_ = __tsan_get_current_fiber();
#endif
}

void fiber::release(void* token) const {
#ifdef LACIS_THREAD_SANITIZER
  void* const here = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(identity_, __tsan_switch_to_fiber_no_sync);
  __tsan_release(token);
  __tsan_switch_to_fiber(here, __tsan_switch_to_fiber_no_sync);
#else
  (void)token;
#endif
}

namespace races {

#ifdef LACIS_THREAD_SANITIZER
bool watched() { return true; }
void release(void* token) { __tsan_release(token); }
void acquire(void* token) { __tsan_acquire(token); }
void renew(void* memory, std::size_t bytes) {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
#else
bool watched() { return false; }
void release(void*) {}
void acquire(void*) {}
void renew(void*, std::size_t) {}
#endif

}  // namespace races

}  // namespace lacis::simt

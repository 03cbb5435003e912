// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Stacks that take turns on one thread of the system, with what the sanitizers must be told of it.
#pragma once

#include <cstddef>

namespace lacis::simt {

/// A stack with a function on it. The stack of the system's thread is one too, once it has switched away.
class fiber {
 public:
  /// The stack that is running now.
  fiber() = default;
  /// A stack of its own, on which entry(argument) starts at the first switch to it. It must never return.
  fiber(void (*entry)(void*), void* argument);
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Goes on with `next`; returns when something switches back to `this`, which is the running one.
  void switch_to(fiber& next);
  /// The stack of the system's thread takes the identity that runs now.
  void take_identity();
  /// races::release(token) for a stack that will not run again.
  void release(void* token) const;

 private:
  void* context_ = nullptr;
  void* memory_ = nullptr;  ///< with its guard page; null for a stack of the system
  void* fake_stack_ = nullptr;
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  void* identity_ = nullptr;  ///< for the race detector
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;

  friend struct fiber_access;
};

/// What the race detector is told. Every stack has an identity there: two accesses from different stacks race unless a
/// barrier or an atomic access orders them. In other builds all of this is nothing.
namespace races {
[[nodiscard]] bool watched();
/// What happened before release(token) happens before what follows acquire(token).
void release(void* token);
void acquire(void* token);
/// Memory as if it had just been mapped: nothing has happened to it yet.
void renew(void* memory, std::size_t bytes);
}  // namespace races

}  // namespace lacis::simt

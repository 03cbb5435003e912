// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the host executor tells of a traced launch: every access of every thread, and where threads met.
#pragma once

#include <cstdint>

#include "team/team.hpp"

namespace lacis::simt {

struct launch_shape;

enum class memory_kind : std::uint8_t { input, output, shared };

/// One access of one thread. An atomic operation is an access to its target, and atomic() right after.
struct traced_access {
  const void* array;    ///< where the kernel's pointer points to; null for shared memory
  const void* element;  ///< the address; in shared memory, where arrays begin at a multiple of 4096
  int bytes;
  memory_kind kind;
  call_site site;
};

/// Is told of a launch on one thread of the system: blocks one after the other, in order.
class tracer {
 public:
  virtual ~tracer() = default;
  virtual void launch_begins(const launch_shape& shape) = 0;
  virtual void access(int thread, const traced_access& what) = 0;
  /// The thread's access to an element of these bytes, one of its last, was an atomic operation.
  virtual void atomic(int thread, const void* element) = 0;
  /// The thread has come to a barrier or to an operation of its warp.
  virtual void meets(int thread) = 0;
  virtual void block_ends(int block) = 0;
  virtual void launch_ends() = 0;
};

}  // namespace lacis::simt

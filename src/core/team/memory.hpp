// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The pointers of a kernel: inputs, which nothing writes during the launch, and outputs, which other threads may.
#pragma once

#include "team/team.hpp"

namespace lacis::simt {

/// Plain pointers: what a launch passes and what a device uses.
struct raw_memory {
  template <class T> using in = const T*;
  template <class T> using out = T*;
};

/// A kernel's input array. nvcc may read it through the read-only path and keep what it read, so whatever any thread
/// writes during the launch is an `out`, also where this thread only reads it.
template <class Memory, class T> using in = typename Memory::template in<T>;
template <class Memory, class T> using out = typename Memory::template out<T>;

/// Stands for a value or index type in kernels that have none.
struct none {};

}  // namespace lacis::simt

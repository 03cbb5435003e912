// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory that is asked for before it is needed.
#pragma once

namespace lacis::detail {

/// Asks for the memory at an address that is read soon. g++ drops calls of functions that do nothing but prefetch, as
/// if they had no effect; the empty statement keeps them.
inline void ask_for(const void* place) {
  __builtin_prefetch(place);
  asm volatile("");
}

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Counting and finding bits, by the instructions of a device or of the host.
#pragma once

#include "team/team.hpp"

namespace lacis::kernels {

LACIS_DEVICE_FN int bit_count(unsigned bits) {
#ifdef __CUDACC__
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}

/// The place of the lowest bit that is set; one is.
LACIS_DEVICE_FN int lowest_bit(unsigned bits) {
#ifdef __CUDACC__
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

/// How many bits a number has up to its highest one; 0 has none.
LACIS_DEVICE_FN int bit_width(unsigned number) {
#ifdef __CUDACC__
  return 32 - __clz(static_cast<int>(number));
#else
  return number == 0 ? 0 : 32 - __builtin_clz(number);
#endif
}

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What is chosen by the architecture of a device, apart from the kernels.
#pragma once

#include <array>

namespace lacis::device {

/// None of these numbers has been measured: they are guesses from the published limits of each architecture (threads
/// and blocks that a multiprocessor holds), until a GPU has run the kernels. Results do not depend on them.
struct tuning {
  int architecture = 0;               ///< compute capability times ten; 0 is the host executor
  int row_block = 256;                ///< threads of a block where a thread takes a row
  int warp_block = 256;               ///< and where a warp does
  int blocks_per_multiprocessor = 8;  ///< of 256 threads, for kernels whose grid fills the device once
};

inline constexpr std::array all_tunings = {
    tuning{.architecture = 0, .row_block = 256, .warp_block = 256, .blocks_per_multiprocessor = 1},
    tuning{.architecture = 75, .row_block = 256, .warp_block = 256, .blocks_per_multiprocessor = 4},
    tuning{.architecture = 80, .row_block = 256, .warp_block = 256, .blocks_per_multiprocessor = 8},
    tuning{.architecture = 90, .row_block = 256, .warp_block = 128, .blocks_per_multiprocessor = 8},
    tuning{.architecture = 120, .row_block = 256, .warp_block = 256, .blocks_per_multiprocessor = 6},
};

/// Of the newest architecture in the list that is not newer than the device's.
[[nodiscard]] constexpr const tuning& tuning_for(int architecture) {
  const tuning* best = &all_tunings[0];
  for (const tuning& t : all_tunings)
    if (t.architecture <= architecture) best = &t;
  return *best;
}

}  // namespace lacis::device

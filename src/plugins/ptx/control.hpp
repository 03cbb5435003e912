// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a program tells the interpreter beside the table of a runtime: how blocks, warps and lanes take turns.
#pragma once

#include <cstdint>

extern "C" {

enum lacis_ptx_turns : std::int32_t {
  lacis_ptx_lowest,  ///< the lanes of a warp that are furthest behind come first, as compilers expect
  lacis_ptx_random,  ///< any; groups of lanes are split at random
  lacis_ptx_ahead    ///< as random, but mostly the lanes that are furthest ahead
};

struct lacis_ptx_options {
  lacis_ptx_turns turns = lacis_ptx_lowest;
  std::int32_t resident_blocks = 3;  ///< that take turns
  std::uint64_t seed = 1;
  std::int32_t races = 1;  ///< unordered accesses to a word are faults
  std::int32_t stale = 0;  ///< loads may return the value before a store that the thread need not know of
  std::int32_t count = 0;  ///< sectors and bank conflicts
};

struct lacis_ptx_counters {
  std::uint64_t launches;
  std::uint64_t instructions;  ///< of warps
  std::uint64_t active_lanes;  ///< in them
  std::uint64_t requests;      ///< of warps, to global memory
  std::uint64_t sectors;       ///< of 32 bytes, in these requests
  std::uint64_t shared_requests;
  std::uint64_t bank_conflicts;  ///< turns that shared requests took beyond the first
};

/// Of a kernel, by its name in the PTX.
using lacis_ptx_take = void (*)(void* to, const char* kernel, const lacis_ptx_counters* counters);

/// For all launches from now on; counters start again, but not those of kernels.
void lacis_ptx_set_options(const lacis_ptx_options* options);
void lacis_ptx_get_counters(lacis_ptx_counters* counters);
/// take(to, ...) for each kernel that was launched with lacis_ptx_options::count, of all these launches.
void lacis_ptx_each_kernel(lacis_ptx_take take, void* to);

}  // extern "C"

namespace lacis::ptx {

/// Every counter, by its name.
struct named_counter {
  const char* name;
  std::uint64_t lacis_ptx_counters::* value;
};
inline constexpr named_counter all_counters[] = {
    {"launches", &lacis_ptx_counters::launches},
    {"warp_instructions", &lacis_ptx_counters::instructions},
    {"active_lanes", &lacis_ptx_counters::active_lanes},
    {"requests", &lacis_ptx_counters::requests},
    {"sectors", &lacis_ptx_counters::sectors},
    {"shared_requests", &lacis_ptx_counters::shared_requests},
    {"bank_conflicts", &lacis_ptx_counters::bank_conflicts},
};

}  // namespace lacis::ptx

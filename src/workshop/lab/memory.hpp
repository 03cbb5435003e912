// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the requests of a product make of the memory behind them: sectors through the L2, and which were touched at all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lab/l2.hpp"
#include "lab/lab.hpp"
#include "lab/requests.hpp"
#include "lab/roles.hpp"

namespace lacis::lab {

/// What happened to one array.
struct role_counts {
  // Of all requests.
  std::int64_t requests = 0;
  std::int64_t lanes = 0;
  std::int64_t sectors = 0;
  std::int64_t lines = 0;         ///< different lines of 128 bytes, request by request
  std::int64_t atomics = 0;       ///< of lanes
  std::int64_t first_reads = 0;   ///< different sectors that were read before they were written
  std::int64_t first_writes = 0;  ///< different sectors that were written
  // Of the requests that rates are taken from.
  std::int64_t measured_sectors = 0;
  std::int64_t fetched = 0;       ///< sectors, from DRAM
  std::int64_t written_back = 0;  ///< sectors, to DRAM
};

/// The counts of a product, or of several.
struct traffic {
  std::array<role_counts, role_count> of;
  std::int64_t shared_requests = 0;
  std::int64_t shared_passes = 0;
  std::int64_t bank_conflicts = 0;

  /// What came since `before`.
  [[nodiscard]] traffic since(const traffic& before) const;
  traffic& operator+=(const traffic& more);

  role_counts& operator[](role which) { return of[static_cast<std::size_t>(which)]; }
  const role_counts& operator[](role which) const { return of[static_cast<std::size_t>(which)]; }
};

class memory_model {
 public:
  memory_model(const gpu& model, traffic& counts) : cache_(model.l2_bytes, model.l2_ways), counts_(counts) {}

  /// One request, after those before it.
  void serve(role which, access_kind kind, std::span<const std::uint32_t> sectors, bool measured);

 private:
  bool first_touch(std::vector<std::uint64_t>& seen, std::uint32_t sector);

  l2_cache cache_;
  traffic& counts_;
  std::vector<std::uint64_t> touched_;  ///< a bit a sector
  std::vector<std::uint64_t> written_;
};

}  // namespace lacis::lab

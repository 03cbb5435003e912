// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The machine profile: what lacis doctor --measure found, kept in a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lacis/machine.hpp>

namespace lacis::measure {

/// GB/s (10^9 bytes per second), medians.
struct stream_rates {
  int threads = 1;
  double read = 0;
  double copy = 0;
  double triad = 0;
};

/// GB/s of 8-byte elements at random places of a working set.
struct gather_rate {
  int threads = 1;
  std::int64_t bytes = 0;
  double rate = 0;
};

struct machine_profile {
  std::string processor;
  std::int64_t cache_bytes = 0;   ///< of the last level; 0 when unknown
  std::int64_t stream_bytes = 0;  ///< the array of the streams
  int disturbed = 0;              ///< samples that other load disturbed, kept for want of better ones
  std::vector<stream_rates> streams;
  std::vector<gather_rate> gathers;
};

/// $XDG_CACHE_HOME/lacis/machine.json, or the same under ~/.cache; empty when neither is known.
[[nodiscard]] std::filesystem::path default_profile_path();

[[nodiscard]] std::string profile_text(const machine_profile& profile);

/// What a file holds; nothing, with a reason in `remark`, when it cannot be read, is of another version or is
/// malformed. A missing file is nothing without a remark.
[[nodiscard]] std::optional<machine_profile> read_profile(const std::filesystem::path& path, std::string& remark);

/// The rates for the cost model of plans; `source` is where the profile comes from.
[[nodiscard]] machine_rates machine_of(const machine_profile& profile, std::string source);

/// The file beside a profile in which tuned plans remember what they found; empty when the profile has no place.
[[nodiscard]] std::filesystem::path tuning_path(const std::filesystem::path& profile);

}  // namespace lacis::measure

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Shares of the rate at which memory is read: none above 100 % without a reason beside it.
#pragma once

#include <cstdint>
#include <string>

namespace lacis::app {

/// What moved, and how fast, against the limit.
struct memory_share {
  double share = 0;              ///< of the limit
  double bytes = 0;              ///< of one run
  std::int64_t cache_bytes = 0;  ///< of the last level; 0 when unknown

  /// More than memory gives, from bytes that the last-level cache can hold.
  [[nodiscard]] bool in_cache() const;
  /// More than memory gives, from more bytes than the last-level cache can hold: reason_above_limit has to be printed.
  [[nodiscard]] bool above_limit() const;
  /// "87 %", "in cache" or "104 %^".
  [[nodiscard]] std::string text() const;
};

inline constexpr const char* reason_above_limit =
    "^: above the limit: a part stays in the cache from one run to the next, or the limit was measured too low";

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Shares of the rate at which memory is read, in words.
#include "console/memory_share.hpp"

#include <fmt/format.h>

namespace lacis::app {
namespace {

constexpr double rounds_to_more = 1.005;  // what is printed as 101 %

}  // namespace

bool memory_share::in_cache() const { return share >= rounds_to_more && bytes <= static_cast<double>(cache_bytes); }

bool memory_share::above_limit() const { return share >= rounds_to_more && !in_cache(); }

std::string memory_share::text() const {
  return in_cache() ? "in cache" : fmt::format("{:.0f} %{}", 100 * share, above_limit() ? "^" : "");
}

}  // namespace lacis::app

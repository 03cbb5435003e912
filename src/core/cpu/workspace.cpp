// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory that products keep from call to call.
#include <algorithm>

#include <lacis/workspace.hpp>

namespace lacis {

std::span<std::byte> workspace::bytes(std::int64_t size, int area) {
  auto& memory = areas_[area];
  if (size > memory.size()) memory = buffer<std::byte>(std::max(size, 2 * memory.size()));
  return {memory.data(), static_cast<std::size_t>(size)};
}

}  // namespace lacis

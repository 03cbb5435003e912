// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory that products reuse from call to call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/export.hpp>

namespace lacis {

/// Memory for one caller's products with one or several plans, grown when a product needs more and kept. Staged
/// layouts, products with dense columns and products of very long rows need some; a product on the processor that is
/// given a workspace which served it before allocates nothing. Not thread-safe: one
/// product at a time per workspace.
class workspace {
 public:
  /// The number of areas.
  static constexpr int areas = 5;
  /// That many bytes, 64-byte aligned, uninitialised. There are five such areas, 0 to 4.
  [[nodiscard]] LACIS_API std::span<std::byte> bytes(std::int64_t size, int area = 0);

 private:
  buffer<std::byte> areas_[areas];
};

}  // namespace lacis

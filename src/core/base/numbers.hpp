// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, the same in every locale.
#pragma once

#include <cstdint>
#include <string>

#include "base/internal.hpp"

namespace lacis::numbers {

/// 1234567 as "1,234,567".
[[nodiscard]] LACIS_INTERNAL std::string grouped(std::int64_t number);
/// Three significant digits without an exponent where that stays short: "12.3", "0.00123", "1.2e-09", "1,235".
[[nodiscard]] LACIS_INTERNAL std::string significant(double number);
/// 0.123 as "12.3 %".
[[nodiscard]] LACIS_INTERNAL std::string percent(double share);
/// Bytes with a binary prefix: "12.3 MiB"; exact below 1 KiB.
[[nodiscard]] LACIS_INTERNAL std::string bytes_text(double bytes);
/// A count with a decimal prefix: "2.86 G"; exact below 10,000.
[[nodiscard]] LACIS_INTERNAL std::string short_count(double count);
/// "850 ms", "1.24 s", "2 min 05 s", "3 h 07 min".
[[nodiscard]] LACIS_INTERNAL std::string duration_text(double seconds);

}  // namespace lacis::numbers

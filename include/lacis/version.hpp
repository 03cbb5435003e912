// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The version of the library.
#pragma once

#include <string_view>

#include <lacis/export.hpp>

namespace lacis {

/// "0.2.0"
[[nodiscard]] LACIS_API std::string_view version();

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The version of the library.
#pragma once

#include <string_view>

#include <lacis/export.hpp>
#include <lacis/version.h>

namespace lacis {

/// "0.2.0": that of the library which is loaded. LACIS_VERSION_MAJOR, LACIS_VERSION_MINOR, LACIS_VERSION_PATCH and
/// LACIS_VERSION are those of the headers that a program was compiled with (version.h).
[[nodiscard]] LACIS_API std::string_view version();

}  // namespace lacis

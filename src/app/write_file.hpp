// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A small file written whole or not at all.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lacis::app {

/// Writes beside the final name and renames; "-" is standard output. Throws error(io).
void write_file(const std::string& path, const std::vector<std::byte>& bytes);
void write_file(const std::string& path, std::string_view text);

}  // namespace lacis::app

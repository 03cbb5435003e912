// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A file that the program holds in memory, written whole or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lacis::app {

/// As output_file does; "-" is standard output, behind what has been printed. A signal that asks to stop leaves what
/// was there before. Throws error(io).
void write_file(const std::string& path, std::string_view text);
void write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace lacis::app

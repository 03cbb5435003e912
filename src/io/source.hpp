// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The bytes of an input: a file, standard input or a pipe, decompressed when its first bytes say that it is compressed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <lacis/progress.hpp>

#include "io/byte_store.hpp"

namespace lacis::detail {

/// An input, whole and decompressed. `name` is what messages call it.
struct source {
  std::string name;
  byte_store bytes;
};

/// Whether the first bytes are those of gzip, zstd or tar.
[[nodiscard]] bool is_archive(std::string_view bytes);
/// Whether the bytes are a tar archive, uncompressed.
[[nodiscard]] bool is_tar(std::string_view bytes);

/// The bytes of a file as they are, mapped where that is possible. `name` begins the message of an error(io).
[[nodiscard]] byte_store read_bytes(const std::filesystem::path& path, const std::string& name);

/// Reads "-" (standard input) or a path. Throws error(io) when the system refuses and error(bad_input) when compressed
/// data is damaged.
[[nodiscard]] source open_source(const std::filesystem::path& path, const progress& report);

/// `message: what the system said`, for the error number of a failed system call.
[[nodiscard]] std::string system_message(std::string_view message, int error_number);

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The bytes of an input: a file, standard input or a pipe, decompressed when its first bytes say that it is compressed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <lacis/io.hpp>

#include "io/bytes/byte_store.hpp"
#include "io/bytes/input_file.hpp"

namespace lacis::detail {

/// An input, whole and decompressed, in memory that nothing else changes: what is parsed in two passes is the same in
/// both. `name` is what messages call it.
struct source {
  std::string name;
  byte_store bytes;
};

/// Whether the first bytes are those of gzip, zstd or tar.
[[nodiscard]] bool is_archive(std::string_view bytes);
/// Whether the bytes are a tar archive, uncompressed.
[[nodiscard]] bool is_tar(std::string_view bytes);

/// Everything in the file, as it is. Throws error(io) when the system refuses, error(out_of_memory) for more bytes than
/// options.max_bytes, and error(bad_input) when the file changes meanwhile.
[[nodiscard]] byte_store read_bytes(const input_file& file, const read_options& options);

/// Reads "-" (standard input) or a path, and decompresses. Throws as read_bytes does, and error(bad_input) when
/// compressed data is damaged.
[[nodiscard]] source open_source(const std::filesystem::path& path, const read_options& options);

}  // namespace lacis::detail

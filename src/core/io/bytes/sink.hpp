// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Where the text or the archive of a matrix goes: buffered, perhaps compressed, whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/output_file.hpp"
#include "io/bytes/archive.hpp"

namespace lacis::detail {

/// An output_file for many small pieces.
class sink {
 public:
  sink(const std::filesystem::path& path, compression method);
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;
  ~sink() = default;

  void put(std::string_view bytes);
  /// Everything is on disk under its final name when this returns.
  void commit();

 private:
  void put_raw(std::string_view bytes);
  void flush();

  output_file file_;
  std::string pending_;
  std::optional<compressor> compressor_;
};

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Where a written file goes: whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "io/archive.hpp"

namespace lacis::detail {

/// Collects bytes in a file beside its final name, which commit() puts in place; without commit() nothing is left and
/// what was there before stays. "-" is standard output; a device or a pipe is written directly.
/// Every failure is error(io) that names the file.
class sink {
 public:
  sink(const std::filesystem::path& path, compression method);
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;
  ~sink();

  void put(std::string_view bytes);
  /// Everything is on disk under its final name when this returns.
  void commit();

 private:
  void open_beside(const std::filesystem::path& path);
  void put_raw(std::string_view bytes);
  void flush();
  [[noreturn]] void refuse(std::string_view what, int error_number) const;

  std::string name_;
  std::filesystem::path final_;      ///< what a symbolic link points to; empty when written directly
  std::filesystem::path temporary_;  ///< empty when written directly, and after commit
  int descriptor_ = -1;
  std::string pending_;
  std::optional<compressor> compressor_;
};

/// A rename is on disk only when its directory is. Not every file system can do this, so failure is not an error.
void sync_directory(const std::filesystem::path& directory);

}  // namespace lacis::detail

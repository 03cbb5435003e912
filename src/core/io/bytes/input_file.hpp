// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files open for reading. They are read and never mapped: a mapped file that another process cuts short ends this one
// with a signal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>

#include <lacis/error.hpp>

#include "base/descriptor.hpp"

namespace lacis::detail {

/// A file, a pipe or a device. `name` begins the message of every error.
class input_file {
 public:
  /// "-" is standard input. Throws error(io) when the system refuses, and for directories.
  input_file(const std::filesystem::path& path, std::string name);
  input_file(descriptor opened, std::string name);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Whether bytes lie at places that can be asked for. Standard input may stand in the middle of a file, and the files
  /// of /proc declare no size: those are read in order.
  [[nodiscard]] bool has_places() const;
  /// Bytes when the file was opened.
  [[nodiscard]] std::int64_t size() const { return status_.st_size; }

  /// Fills `to` with the bytes from `place` on; throws error(bad_input) when the file has become too short for that.
  void read_at(std::int64_t place, std::span<char> to) const;
  /// The next bytes of a file without places, as many as there are now; 0 at the end.
  [[nodiscard]] std::size_t read_next(std::span<char> to) const;
  /// Throws error(bad_input) when the size or the time of the last change is another than when the file was opened.
  void require_unchanged() const;

 private:
  [[nodiscard]] struct stat status_now() const;
  [[nodiscard]] error changed() const;

  descriptor opened_;
  bool is_standard_input_ = false;
  std::string name_;
  struct stat status_;
};

/// A directory whose files are opened by name. A name that leaves the directory, as by a symbolic link, is refused, and
/// so is everything that is no regular file: opening it never waits.
class input_directory {
 public:
  /// Throws error(io).
  explicit input_directory(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] bool has(std::string_view file) const;
  /// Throws error(io) when the system refuses and error(bad_input) for what is no regular file of the directory.
  [[nodiscard]] input_file open(std::string_view file) const;

 private:
  std::filesystem::path path_;
  descriptor opened_;
};

/// `message: what the system said`, for the error number of a failed system call.
[[nodiscard]] std::string system_message(std::string_view message, int error_number);

}  // namespace lacis::detail

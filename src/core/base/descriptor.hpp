// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Opened files, apart from the three standard streams.
#pragma once

#include <fcntl.h>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

#include <lacis/export.hpp>

namespace lacis::detail {

/// open(2) below a directory (AT_FDCWD: the current one), again where a signal interrupts it. The result is -1 with
/// errno set, or above 2: where a standard stream is closed, the file must not take its number, because what is
/// printed would land in it.
[[nodiscard]] LACIS_API int open_descriptor(int directory, const char* path, int flags, mode_t mode = 0);
/// The same for another descriptor of an open file.
[[nodiscard]] LACIS_API int duplicate_descriptor(int number);

/// A number from open_descriptor() or duplicate_descriptor(), closed with the object.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }
  /// What close(2) returns: some file systems tell only then that a write has failed.
  [[nodiscard]] int close() { return ::close(std::exchange(number_, -1)); }

 private:
  int number_ = -1;
};

}  // namespace lacis::detail

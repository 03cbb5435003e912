// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A small file written whole or not at all.
#include "app/write_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include <lacis/error.hpp>

#include "app/console.hpp"
#include "app/interrupt.hpp"

namespace lacis::app {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw error(errc::io, path + ": cannot be written: " + std::strerror(errno));
}

bool is_special(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

void put(const std::string& path, const std::vector<std::byte>& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) refuse(path);
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int reason = errno;
  if (std::fclose(file) == 0 && written) return;
  if (!written) errno = reason;
  refuse(path);
}

/// Removes the file unless it has been put in place.
struct temporary_file {
  std::string path;
  ~temporary_file() {
    if (!path.empty()) unlink(path.c_str());
  }
};

}  // namespace

void write_file(const std::string& path, const std::vector<std::byte>& bytes) {
  if (path == "-") {
    print({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return;
  }
  if (is_special(path)) {
    put(path, bytes);
    return;
  }
  const interrupt_guard guard;
  temporary_file beside{path + '.' + std::to_string(getpid()) + ".part"};
  put(beside.path, bytes);
  throw_if_interrupted();
  if (std::rename(beside.path.c_str(), path.c_str()) != 0) refuse(path);
  beside.path.clear();
}

void write_file(const std::string& path, std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  write_file(path, std::vector<std::byte>(bytes, bytes + text.size()));
}

}  // namespace lacis::app

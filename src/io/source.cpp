// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Opening inputs: regular files are mapped, everything else is read to its end.
#include "io/source.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <lacis/error.hpp>

#include "base/descriptor.hpp"
#include "base/text.hpp"
#include "io/archive.hpp"

namespace lacis::detail {
namespace {

/// Closes what it opened; standard input is borrowed.
class input_descriptor {
 public:
  input_descriptor(const std::filesystem::path& path, const std::string& name) {
    if (path == "-") return;
    number_ = open_descriptor(AT_FDCWD, path.c_str(), O_RDONLY);  // never the number of standard input
    if (number_ < 0) refuse(name, errno);
  }
  input_descriptor(const input_descriptor&) = delete;
  input_descriptor& operator=(const input_descriptor&) = delete;
  ~input_descriptor() {
    if (number_ > STDIN_FILENO) close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  [[noreturn]] static void refuse(const std::string& name, int error_number) {
    switch (error_number) {
      case ENOENT:
        throw error(errc::io, text(name, ": no such file; check the name and the current directory"));
      case EACCES:
      case EPERM:
        throw error(errc::io, text(name, ": permission denied; make the file readable (chmod u+r) or copy it"));
      default:
        throw error(errc::io, system_message(text(name, ": cannot be opened"), error_number));
    }
  }

  int number_ = STDIN_FILENO;
};

byte_store read_to_end(int descriptor, const std::string& name) {
  byte_store bytes;
  while (true) {
    const std::span<char> free = bytes.room();
    const ssize_t count = ::read(descriptor, free.data(), free.size());
    if (count == 0) return bytes;
    if (count > 0)
      bytes.grow(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      throw error(errc::io, system_message(text(name, ": cannot be read"), errno));
  }
}

}  // namespace

byte_store read_bytes(const std::filesystem::path& path, const std::string& name) {
  const input_descriptor input(path, name);
  struct stat status{};
  if (fstat(input.number(), &status) != 0) throw error(errc::io, system_message(text(name, ": cannot be read"), errno));
  if (S_ISDIR(status.st_mode)) throw error(errc::io, text(name, ": is a directory; name a file in it"));
  // Standard input may stand in the middle of a file, and the files of /proc declare no size: those are read.
  if (S_ISREG(status.st_mode) && status.st_size > 0 && input.number() != STDIN_FILENO) {
    byte_store mapped = byte_store::map_file(input.number(), static_cast<std::size_t>(status.st_size));
    if (!mapped.text().empty()) return mapped;
  }
  return read_to_end(input.number(), name);
}

std::string system_message(std::string_view message, int error_number) {
  return text(message, ": ", std::generic_category().message(error_number));
}

bool is_tar(std::string_view bytes) {
  constexpr std::size_t magic = 257;
  return bytes.size() > 512 && bytes.substr(magic, 5) == "ustar";
}

bool is_archive(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd") || is_tar(bytes);
}

source open_source(const std::filesystem::path& path, const progress& report) {
  source result{path == "-" ? "standard input" : path.string(), {}};
  result.bytes = read_bytes(path, result.name);
  if (is_archive(result.bytes.text())) result.bytes = decompress(result.bytes.text(), result.name, report);
  return result;
}

}  // namespace lacis::detail

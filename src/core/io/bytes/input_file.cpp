// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Opening files and directories, and reading bytes at places of a file.
#include "io/bytes/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"

namespace lacis::detail {
namespace {

[[noreturn]] void refuse(const std::string& name, int error_number) {
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

/// "-" is standard input, by a number of its own.
int open_or_refuse(const std::filesystem::path& path, int flags, const std::string& name) {
  const int number =
      path == "-" ? duplicate_descriptor(STDIN_FILENO) : open_descriptor(AT_FDCWD, path.c_str(), O_RDONLY | flags);
  if (number < 0) refuse(name, errno);
  return number;
}

/// Opens a file that lies in the directory, without waiting for the other end of a pipe; -1 and errno otherwise.
int open_beneath(int directory, const std::string& file) {
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  open_how how{};
  how.flags = flags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const long number = syscall(SYS_openat2, directory, file.c_str(), &how, sizeof how);
  if (number >= 0 && number <= STDERR_FILENO) {  // where a standard stream is closed
    const descriptor low(static_cast<int>(number));
    return duplicate_descriptor(low.number());
  }
  if (number >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(number);
  // Systems without that call, and sandboxes that do not pass it on: then no symbolic link at all.
  return open_descriptor(directory, file.c_str(), flags | O_NOFOLLOW);
}

bool same_time(const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

}  // namespace

input_file::input_file(const std::filesystem::path& path, std::string name)
    : input_file(descriptor(open_or_refuse(path, 0, name)), name) {
  is_standard_input_ = path == "-";
}

input_file::input_file(descriptor opened, std::string name)
    : opened_(std::move(opened)), name_(std::move(name)), status_(status_now()) {
  if (S_ISDIR(status_.st_mode)) throw error(errc::io, text(name_, ": is a directory; name a file in it"));
}

bool input_file::has_places() const { return S_ISREG(status_.st_mode) && status_.st_size > 0 && !is_standard_input_; }

struct stat input_file::status_now() const {
  struct stat status{};
  if (fstat(opened_.number(), &status) != 0)
    throw error(errc::io, system_message(text(name_, ": cannot be read"), errno));
  return status;
}

error input_file::changed() const {
  return {errc::bad_input, text(name_, ": changed while it was read; read it again when nothing writes to it")};
}

void input_file::read_at(std::int64_t place, std::span<char> to) const {
  while (!to.empty()) {
    const ssize_t count = pread(opened_.number(), to.data(), to.size(), place);
    if (count == 0) throw changed();
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw error(errc::io, system_message(text(name_, ": cannot be read"), errno));
    to = to.subspan(static_cast<std::size_t>(count));
    place += count;
  }
}

std::size_t input_file::read_next(std::span<char> to) const {
  while (true) {
    const ssize_t count = ::read(opened_.number(), to.data(), to.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) throw error(errc::io, system_message(text(name_, ": cannot be read"), errno));
  }
}

void input_file::require_unchanged() const {
  const struct stat now = status_now();
  if (now.st_size != status_.st_size || !same_time(now.st_mtim, status_.st_mtim)) throw changed();
}

input_directory::input_directory(const std::filesystem::path& path)
    : path_(path), opened_(open_or_refuse(path, O_DIRECTORY, path.string())) {}

bool input_directory::has(std::string_view file) const {
  struct stat status{};
  return fstatat(opened_.number(), std::string(file).c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

input_file input_directory::open(std::string_view file) const {
  const std::string name = (path_ / file).string();
  const auto strange = [&](std::string_view what) { return error(errc::bad_input, text(name, ": ", what)); };
  descriptor opened(open_beneath(opened_.number(), std::string(file)));
  if (opened.number() < 0) {
    if (errno == EXDEV || errno == ELOOP)
      throw strange("is a symbolic link out of the directory; put the file itself there");
    if (errno == ENXIO) throw strange("is no regular file");
    refuse(name, errno);
  }
  struct stat status{};
  if (fstat(opened.number(), &status) != 0 || !S_ISREG(status.st_mode)) throw strange("is no regular file");
  return {std::move(opened), name};
}

std::string system_message(std::string_view message, int error_number) {
  return text(message, ": ", std::generic_category().message(error_number));
}

}  // namespace lacis::detail

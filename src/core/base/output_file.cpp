// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Writing beside the final name, synchronising, and renaming.
#include "base/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <ctime>
#include <poll.h>
#include <random>
#include <system_error>

#include <lacis/error.hpp>

#include "base/text.hpp"

namespace lacis::detail {
namespace {

/// Linux writes at most 2 GiB at a time; a signal is seen between two pieces.
constexpr std::size_t most_at_once = std::size_t{1} << 28;
constexpr int attempts = 100;

/// A pipe that somebody made non-blocking takes more once its reader has made room.
void wait_for_room(int number) {
  pollfd wanted{number, POLLOUT, 0};
  static_cast<void>(::poll(&wanted, 1, -1));
}

/// The number in the name of a descriptor of this process; -1 for every other path.
int own_descriptor(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  int number = -1;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (problem != std::errc() || end != name.data() + name.size() || number < 0) return -1;
  std::error_code unknown;
  const auto folder = std::filesystem::canonical(path.parent_path(), unknown);
  if (unknown || folder != std::filesystem::canonical("/proc/self/fd", unknown) || unknown) return -1;
  return number;
}

}  // namespace

file_size_guard::file_size_guard() {
  sigset_t pending;
  sigset_t blocked;
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

file_size_guard::~file_size_guard() {
  const int error_number = errno;
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, SIGXFSZ);
  const timespec at_once{};
  if (!was_pending_) static_cast<void>(sigtimedwait(&ours, nullptr, &at_once));
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error_number;
}

path_end end_of_links(const std::filesystem::path& path) {
  constexpr int most_links = 40;  // as the kernel
  path_end end{path};
  for (int links = 0; links <= most_links; ++links) {
    end.own_descriptor = own_descriptor(end.path);
    char target[PATH_MAX];
    const ssize_t length = ::readlink(end.path.c_str(), target, sizeof target);
    if (end.own_descriptor >= 0 || length < 0) return end;
    // An absolute target takes the place of everything before it.
    end.path = end.path.parent_path() / std::string_view(target, static_cast<std::size_t>(length));
  }
  throw_write_error(path.string(), "cannot be written", ELOOP);
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::string temporary_name(const std::string& name) {
  static constexpr std::size_t longest_name = 200;  // with what is added it must fit the 255 bytes of file systems
  std::random_device random;
  return text('.', name.size() > longest_name ? "lacis" : name, '.', random(), ".part");
}

int open_directory(const std::filesystem::path& directory) {
  const int number = open_descriptor(AT_FDCWD, directory.c_str(), O_RDONLY | O_DIRECTORY);
  if (number < 0 && errno == EACCES) return open_descriptor(AT_FDCWD, directory.c_str(), O_PATH | O_DIRECTORY);
  return number;
}

void take_owner_and_mode(int number, const struct stat& replaced) {
  struct stat made{};
  if (::fstat(number, &made) != 0) return;
  mode_t mode = replaced.st_mode & 07777;
  const bool same_owner = made.st_uid == replaced.st_uid || ::fchown(number, replaced.st_uid, gid_t(-1)) == 0;
  const bool same_group = made.st_gid == replaced.st_gid || ::fchown(number, uid_t(-1), replaced.st_gid) == 0;
  if (!same_owner) mode &= ~mode_t(S_ISUID);
  // Another group gets no more than everybody has.
  if (!same_group) mode &= ~mode_t(S_ISGID | S_IRWXG) | (mode & S_IRWXO) << 3;
  static_cast<void>(::fchmod(number, mode));
}

bool synchronise(int number) {
  int status = 0;
  do status = ::fsync(number);
  while (status != 0 && errno == EINTR);
  return status == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EROFS || errno == EBADF;
}

std::string advice_on_writing(int error_number, const std::filesystem::path& directory) {
  switch (error_number) {
    case EACCES:
    case EPERM:
    case EROFS:
      return directory.empty()
                 ? "; choose another place"
                 : text("; no new file may be made in ", directory.string(), ", choose another directory");
    case ENOENT:
      return directory.empty() ? "" : text("; make the directory ", directory.string(), " first");
    case ENOSPC:
    case EDQUOT:
      return "; free some space or choose another disk";
    case EFBIG:
      return "; raise the limit on the size of files (ulimit -f), or write to another disk where that is the file "
             "system's own";
    case EIO:
      return "; the disk has a fault or is gone, choose another one";
    case EBADF:
      return "; it is closed, open it or give the name of a file";
    case ELOOP:
      return "; its symbolic links lead in a circle, remove one";
    case ENAMETOOLONG:
      return "; choose a shorter name";
    default:
      return "";
  }
}

void throw_write_error(std::string_view name, std::string_view what, int error_number,
                       const std::filesystem::path& directory) {
  throw error(errc::io, text(name, ": ", what, ": ", std::generic_category().message(error_number)) +
                            advice_on_writing(error_number, directory));
}

output_file::output_file(const std::filesystem::path& path, placing how)
    : name_(path == "-" ? "standard output" : path.string()) {
  const path_end to = path == "-" ? path_end{path, STDOUT_FILENO} : end_of_links(path);
  if (to.own_descriptor >= 0) {
    file_ = descriptor(duplicate_descriptor(to.own_descriptor));
    if (!file_.is_open()) refuse("cannot be written", errno);
    return;
  }
  struct stat status{};
  const bool exists = ::stat(to.path.c_str(), &status) == 0;
  if ((exists && S_ISDIR(status.st_mode)) || !to.path.has_filename())
    throw error(errc::io, text(name_, ": is a directory; name a file in it"));
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = descriptor(open_descriptor(AT_FDCWD, to.path.c_str(), O_WRONLY | O_NOCTTY));
    if (!file_.is_open()) refuse("cannot be opened for writing", errno);
    return;
  }
  directory_ = directory_of(to.path);
  final_ = to.path.filename().string();
  opened_directory_ = descriptor(open_directory(directory_));
  if (!opened_directory_.is_open()) refuse("cannot be written", errno);
  open_temporary(how, exists);
  if (exists) take_owner_and_mode(file_.number(), status);
}

void output_file::open_temporary(placing how, bool replaces) {
  const mode_t mode = replaces ? 0600 : 0666;  // of what is replaced: later, until then no other user reads it
  for (int attempt = 0; !file_.is_open(); ++attempt) {
    const std::string name = how == placing::beside ? temporary_name(final_) : final_;
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    file_ = descriptor(open_descriptor(opened_directory_.number(), name.c_str(), flags, mode));
    if (file_.is_open())
      temporary_ = name;
    else if (errno != EEXIST || how == placing::directly || attempt == attempts)
      refuse("cannot be written", errno);
  }
}

output_file::~output_file() {
  if (!temporary_.empty()) ::unlinkat(opened_directory_.number(), temporary_.c_str(), 0);
}

void output_file::refuse(std::string_view what, int error_number) const {
  throw_write_error(name_, what, error_number, directory_);
}

template <class Write> void output_file::put_with(Write&& write, std::string_view bytes) {
  const file_size_guard guard;
  while (!bytes.empty()) {
    const ssize_t count = write(bytes.data(), std::min(bytes.size(), most_at_once));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      wait_for_room(file_.number());
      continue;
    }
    if (count <= 0) refuse("writing failed", count < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void output_file::put(std::string_view bytes) {
  put_with([&](const char* from, std::size_t count) { return ::write(file_.number(), from, count); }, bytes);
  written_ += static_cast<std::int64_t>(bytes.size());
}

void output_file::put_at(std::int64_t offset, std::string_view bytes) {
  put_with(
      [&](const char* from, std::size_t count) {
        const ssize_t done = ::pwrite(file_.number(), from, count, offset);
        offset += std::max<ssize_t>(done, 0);
        return done;
      },
      bytes);
}

void output_file::leave_cache() {
  // Only pages that are on disk can leave the cache.
  if (::fdatasync(file_.number()) != 0) refuse("writing failed", errno);
  static_cast<void>(::posix_fadvise(file_.number(), dropped_, written_ - dropped_, POSIX_FADV_DONTNEED));
  dropped_ = written_;
}

std::filesystem::path output_file::temporary() const {
  return temporary_.empty() ? std::filesystem::path() : directory_ / temporary_;
}

void output_file::commit() {
  const bool is_direct = temporary_.empty();
  if (!is_direct && !synchronise(file_.number())) refuse("writing failed", errno);
  if (file_.close() != 0 && errno != EINTR) refuse("writing failed", errno);
  if (is_direct) return;
  const int directory = opened_directory_.number();
  const bool is_in_place = temporary_ == final_;
  if (!is_in_place && ::renameat(directory, temporary_.c_str(), directory, final_.c_str()) != 0)
    refuse("cannot be replaced", errno);
  temporary_.clear();
  if (is_in_place) return;
  // A rename is on disk only when its directory is.
  if (!synchronise(directory))
    refuse("is written, but may be lost when the power fails, because its directory cannot be synchronised", errno);
}

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A library for LD_PRELOAD that makes one system call on files of one directory fail, the n-th of its kind.
//
// LACIS_FAIL_BELOW  the directory, absolute; calls on other files pass
// LACIS_FAIL_CALL   open, mkdir, write, sync, close, rename, sync_directory; or "short": every other write is
//                   interrupted, and the rest take a few bytes
// LACIS_FAIL_AT     which call of that kind, from 1
// LACIS_FAIL_WITH   the error number
// LACIS_FAIL_COUNTS a file to which "kind count" is written for each kind at the end
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace {

enum kind { open_call, mkdir_call, write_call, sync_call, close_call, rename_call, sync_directory_call, kinds };
constexpr std::array<const char*, kinds> names = {"open",  "mkdir",  "write",         "sync",
                                                  "close", "rename", "sync_directory"};

std::string_view setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

template <class Function> Function next(const char* name) { return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); }

/// The n-th calls; all writes of the program are on one thread.
std::array<int, kinds> counts;

bool is_below(std::string_view path) {
  const std::string_view directory = setting("LACIS_FAIL_BELOW");
  return !directory.empty() && path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

std::string path_of(int descriptor) {
  char path[4096];
  const ssize_t length = readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), path, sizeof path);
  return {path, static_cast<std::size_t>(length < 0 ? 0 : length)};
}

std::string path_of(int directory, const char* name) {
  if (*name == '/') return name;
  if (directory != AT_FDCWD) return path_of(directory) + '/' + name;
  char here[4096];
  return std::string(getcwd(here, sizeof here) == nullptr ? "" : here) + '/' + name;
}

bool is_directory(int descriptor) {
  struct stat status{};
  return fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
}

/// Counts a call, and says whether it is the one to fail; errno is set then.
bool fails(kind call, std::string_view path) {
  if (!is_below(path)) return false;
  const int number = ++counts[call];
  if (setting("LACIS_FAIL_CALL") != names[call] || std::atoi(setting("LACIS_FAIL_AT").data()) != number) return false;
  errno = std::atoi(setting("LACIS_FAIL_WITH").data());
  return true;
}

/// How many bytes a write may take; 0 when it is to be interrupted.
std::size_t allowed(std::size_t count) {
  if (setting("LACIS_FAIL_CALL") != "short") return count;
  return counts[write_call] % 2 == 0 ? 0 : std::min<std::size_t>(count, 101);
}

int open_below(const char* function, int directory, const char* path, int flags, mode_t mode) {
  const bool matters = (flags & (O_CREAT | O_WRONLY | O_RDWR | O_DIRECTORY)) != 0;
  if (matters && fails(open_call, path_of(directory, path))) return -1;
  return next<int (*)(int, const char*, int, mode_t)>(function)(directory, path, flags, mode);
}

struct at_end {
  ~at_end() {
    const std::string file(setting("LACIS_FAIL_COUNTS"));
    if (file.empty()) return;
    std::FILE* out = std::fopen(file.c_str(), "w");
    for (int call = 0; call < kinds; ++call) std::fprintf(out, "%s %d\n", names[call], counts[call]);
    std::fclose(out);
  }
} writes_counts;

}  // namespace

extern "C" {

int openat(int directory, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_below("openat", directory, path, flags, mode);
}

int mkdir(const char* path, mode_t mode) {
  if (fails(mkdir_call, path_of(AT_FDCWD, path))) return -1;
  return next<int (*)(const char*, mode_t)>("mkdir")(path, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  const std::string path = path_of(descriptor);
  if (fails(write_call, path)) return -1;
  const std::size_t most = is_below(path) ? allowed(count) : count;
  if (count > 0 && most == 0) return errno = EINTR, -1;
  return next<ssize_t (*)(int, const void*, size_t)>("write")(descriptor, bytes, most);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  const std::string path = path_of(descriptor);
  if (fails(write_call, path)) return -1;
  const std::size_t most = is_below(path) ? allowed(count) : count;
  if (count > 0 && most == 0) return errno = EINTR, -1;
  return next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite")(descriptor, bytes, most, offset);
}

int fsync(int descriptor) {
  if (fails(is_directory(descriptor) ? sync_directory_call : sync_call, path_of(descriptor))) return -1;
  return next<int (*)(int)>("fsync")(descriptor);
}

/// A close that fails closes all the same.
int close(int descriptor) {
  const bool writes = (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
  const bool failed = writes && fails(close_call, path_of(descriptor));
  const int error_number = errno;
  const int result = next<int (*)(int)>("close")(descriptor);
  if (!failed) return result;
  errno = error_number;
  return -1;
}

int rename(const char* from, const char* to) {
  if (fails(rename_call, path_of(AT_FDCWD, from))) return -1;
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}

int renameat(int from_directory, const char* from, int to_directory, const char* to) {
  if (fails(rename_call, path_of(from_directory, from))) return -1;
  return next<int (*)(int, const char*, int, const char*)>("renameat")(from_directory, from, to_directory, to);
}

int renameat2(int from_directory, const char* from, int to_directory, const char* to, unsigned flags) {
  if (fails(rename_call, path_of(from_directory, from))) return -1;
  return next<int (*)(int, const char*, int, const char*, unsigned)>("renameat2")(from_directory, from, to_directory,
                                                                                  to, flags);
}
}

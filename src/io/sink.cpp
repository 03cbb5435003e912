// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Writing beside the final name, syncing, and renaming.
#include "io/sink.hpp"

#include <cerrno>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "io/source.hpp"

namespace lacis::detail {
namespace {

constexpr std::size_t block = std::size_t{1} << 20;

std::filesystem::path directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

}  // namespace

LACIS_API void sync_directory(const std::filesystem::path& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

sink::sink(const std::filesystem::path& path, compression method)
    : name_(path == "-" ? "standard output" : path.string()) {
  if (method != compression::none) compressor_.emplace(method, [this](std::string_view bytes) { put_raw(bytes); });
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  struct stat status{};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw error(errc::io, text(name_, ": is a directory; name a file in it"));
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse("cannot be opened for writing", errno);
    return;
  }
  open_beside(path);
  if (exists) static_cast<void>(fchmod(descriptor_, status.st_mode & 07777));
}

void sink::open_beside(const std::filesystem::path& path) {
  std::error_code ignored;
  final_ = std::filesystem::weakly_canonical(path, ignored);
  if (ignored) final_ = path;
  std::random_device random;
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = directory_of(final_) / text('.', final_.filename().string(), '.', random(), ".part");
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && (errno != EEXIST || attempt == 100)) {
      const int error_number = errno;
      temporary_.clear();
      refuse("cannot be written", error_number);
    }
  }
}

sink::~sink() {
  if (descriptor_ > STDOUT_FILENO) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void sink::refuse(std::string_view what, int error_number) const {
  std::string hint;
  switch (error_number) {
    case EACCES:
    case EPERM:
    case EROFS:
      hint = text("; no new file may be made in ", directory_of(final_).string(), ", choose another directory");
      break;
    case ENOENT:
      hint = text("; make the directory ", directory_of(final_).string(), " first");
      break;
    case ENOSPC:
    case EDQUOT:
      hint = "; free some space or choose another disk (.zst files are smaller)";
      break;
    case ENAMETOOLONG:
      hint = "; choose a shorter name";
      break;
    default:
      break;
  }
  throw error(errc::io, system_message(text(name_, ": ", what), error_number) + hint);
}

void sink::put(std::string_view bytes) {
  if (compressor_)
    compressor_->put(bytes);
  else
    put_raw(bytes);
}

void sink::put_raw(std::string_view bytes) {
  pending_ += bytes;
  if (pending_.size() >= block) flush();
}

void sink::flush() {
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse("writing failed", errno);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  pending_.clear();
}

void sink::commit() {
  if (compressor_) compressor_->finish();
  flush();
  if (descriptor_ == STDOUT_FILENO) return;
  if (!temporary_.empty() && fsync(descriptor_) != 0) refuse("writing failed", errno);
  if (close(std::exchange(descriptor_, -1)) != 0) refuse("writing failed", errno);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), final_.c_str()) != 0) refuse("cannot be replaced", errno);
  temporary_.clear();
  sync_directory(directory_of(final_));
}

}  // namespace lacis::detail

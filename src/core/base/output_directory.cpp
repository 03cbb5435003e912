// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A directory made beside its final name, and exchanged with what has that name.
#include "base/output_directory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include <lacis/error.hpp>

#include "base/output_file.hpp"
#include "base/text.hpp"

namespace lacis::detail {
namespace {

/// The owner and the mode of the old file or directory for the new one, where both exist.
void take_over(const std::filesystem::path& from, const std::filesystem::path& to) {
  struct stat replaced{};
  if (::stat(from.c_str(), &replaced) != 0) return;
  const descriptor made(open_descriptor(AT_FDCWD, to.c_str(), O_RDONLY | O_NOFOLLOW));
  if (made.is_open()) take_owner_and_mode(made.number(), replaced);
}

}  // namespace

output_directory::output_directory(const std::filesystem::path& path, std::span<const std::string_view> names)
    : name_(path.string()), final_(end_of_links(path.has_filename() ? path : path.parent_path()).path), names_(names) {
  opened_parent_ = descriptor(open_directory(directory_of(final_)));
  if (!opened_parent_.is_open()) throw_write_error(name_, "cannot be written", errno, directory_of(final_));
  require_replaceable();
  make_beside();
}

output_directory::~output_directory() {
  if (!temporary_.empty()) remove(temporary_);
}

/// The files of our names, and the directory where nothing else is left in it.
void output_directory::remove(const std::filesystem::path& directory) const {
  static_cast<void>(::chmod(directory.c_str(), 0700));  // it may have been made read-only
  for (const std::string_view name : names_) ::unlink((directory / name).c_str());
  ::rmdir(directory.c_str());
}

void output_directory::require_replaceable() const {
  std::error_code unknown;
  const auto status = std::filesystem::status(final_, unknown);
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_directory(status))
    throw error(errc::io, text(name_, ": is a file; remove it or choose another name for the directory"));
  for (const auto& entry : std::filesystem::directory_iterator(final_, unknown)) {
    const std::string found = entry.path().filename().string();
    if (std::find(names_.begin(), names_.end(), found) == names_.end())
      throw error(errc::io, text(name_, ": holds ", found, ", which is no part of a matrix; choose another name"));
  }
  if (unknown) throw_write_error(name_, "cannot be listed", unknown.value());
}

void output_directory::make_beside() {
  constexpr int attempts = 100;
  struct stat replaced{};
  // Whoever may not read what is replaced must not read this either; commit() sets its mode.
  const mode_t mode = ::stat(final_.c_str(), &replaced) == 0 ? 0700 : 0777;
  for (int attempt = 0; temporary_.empty(); ++attempt) {
    const auto beside = directory_of(final_) / temporary_name(final_.filename().string());
    if (::mkdir(beside.c_str(), mode) == 0)
      temporary_ = beside;
    else if (errno != EEXIST || attempt == attempts)
      throw_write_error(name_, "cannot be written", errno, directory_of(final_));
  }
}

void output_directory::commit() {
  for (const std::string_view name : names_) take_over(final_ / name, temporary_ / name);
  take_over(final_, temporary_);
  const descriptor made(open_directory(temporary_));
  if (!made.is_open() || !synchronise(made.number())) throw_write_error(name_, "writing failed", errno);
  const std::filesystem::path old = put_in_place();
  const int error_number = synchronise(opened_parent_.number()) ? 0 : errno;
  if (!old.empty()) remove(old);
  if (error_number != 0)
    throw_write_error(
        name_,
        "is written, but may be lost when the power fails, because the directory it is in cannot be synchronised",
        error_number);
}

/// Where the directory stands now that it replaced, if it did.
std::filesystem::path output_directory::put_in_place() {
  std::error_code unknown;
  const bool replaces = std::filesystem::exists(final_, unknown);
  const unsigned how = replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, final_.c_str(), how) == 0) {
    std::filesystem::path old = std::exchange(temporary_, {});
    return replaces ? old : std::filesystem::path();
  }
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) throw_write_error(name_, "cannot be replaced", errno);
  return put_aside_and_in_place();
}

/// For file systems that cannot exchange two names.
std::filesystem::path output_directory::put_aside_and_in_place() {
  const auto aside = directory_of(final_) / temporary_name(final_.filename().string());
  const bool replaces = ::rename(final_.c_str(), aside.c_str()) == 0;
  if (!replaces && errno != ENOENT) throw_write_error(name_, "cannot be replaced", errno);
  if (::rename(temporary_.c_str(), final_.c_str()) != 0) {
    const int error_number = errno;
    if (replaces) static_cast<void>(::rename(aside.c_str(), final_.c_str()));
    throw_write_error(name_, "cannot be replaced", error_number);
  }
  temporary_.clear();
  return replaces ? aside : std::filesystem::path();
}

}  // namespace lacis::detail

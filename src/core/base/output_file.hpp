// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The one way to write a file: whole or not at all.
#pragma once

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>

#include <lacis/export.hpp>

#include "base/descriptor.hpp"

namespace lacis::detail {

/// Where the bytes stand until commit().
enum class placing {
  beside,   ///< in a file beside the final name, which it then replaces
  directly  ///< under their name, which must be free: for files of a directory that is put in place as a whole
};

/// A file that commit() puts in place, on disk; without commit() nothing is left and what was there before stays.
/// - The new file has the mode of the one that it replaces, and its owner and group where the system allows that.
/// - A symbolic link stays and what it points to is replaced, or made where it does not exist.
/// - "-" is standard output. Devices, pipes and the names of open descriptors (/dev/stdout, /dev/fd/5) are written
///   directly.
/// - A write beyond the limit on file sizes (RLIMIT_FSIZE) fails as other writes do; no signal ends the process.
/// Every failure is error(io) that names the file, says why and what helps.
class LACIS_API output_file {
 public:
  explicit output_file(const std::filesystem::path& path, placing how = placing::beside);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();

  /// At the end of what has been put before.
  void put(std::string_view bytes);
  /// In place of what has been put there before; not for what is written directly.
  void put_at(std::int64_t offset, std::string_view bytes);
  /// What has been put is on disk afterwards, and out of the page cache where the system follows that advice.
  void leave_cache();
  /// Everything is on disk under its final name when this returns.
  void commit();

  /// Where the bytes stand until commit(); empty when they are written directly.
  [[nodiscard]] std::filesystem::path temporary() const;
  /// Put so far, and of these not yet taken out of the page cache.
  [[nodiscard]] std::int64_t bytes() const { return written_; }
  [[nodiscard]] std::int64_t cached_bytes() const { return written_ - dropped_; }

 private:
  void open_temporary(placing how, bool replaces);
  template <class Write> void put_with(Write&& write, std::string_view bytes);
  [[noreturn]] void refuse(std::string_view what, int error_number) const;

  std::string name_;                 ///< as messages call it
  std::filesystem::path directory_;  ///< of the file that a chain of symbolic links ends at
  std::string final_;                ///< its name in the directory
  std::string temporary_;            ///< in the same directory; empty when written directly, and after commit
  descriptor opened_directory_;
  descriptor file_;
  std::int64_t written_ = 0;
  std::int64_t dropped_ = 0;  ///< from the page cache
};

/// While one exists, a write of this thread beyond the limit on file sizes fails with EFBIG, where SIGXFSZ would end
/// the process. What the process does on signals stays as it is.
class LACIS_API file_size_guard {
 public:
  file_size_guard();
  file_size_guard(const file_size_guard&) = delete;
  file_size_guard& operator=(const file_size_guard&) = delete;
  ~file_size_guard();

 private:
  sigset_t before_;
  bool was_pending_;
};

/// Where a path leads: the end of its chain of symbolic links, which need not exist.
struct path_end {
  std::filesystem::path path;
  int own_descriptor = -1;  ///< when it is the name of one, as /dev/stdout is
};
/// Throws error(io) for links that lead in a circle.
[[nodiscard]] path_end end_of_links(const std::filesystem::path& path);

/// The directory that holds it, "." where the path names none.
[[nodiscard]] std::filesystem::path directory_of(const std::filesystem::path& path);
/// Hidden, and different on each call: ".name.2887261.part".
[[nodiscard]] std::string temporary_name(const std::string& name);
/// Gives an open file or directory the owner, the group and the mode of the one that it will replace, as far as the
/// system allows; no user may read it who could not read that one.
void take_owner_and_mode(int number, const struct stat& replaced);
/// A directory to make files in: it need not be readable for that. -1 with errno set where that cannot be.
[[nodiscard]] int open_directory(const std::filesystem::path& directory);
/// fsync(2); true also where the file system has no such operation, and for directories that are not readable.
[[nodiscard]] bool synchronise(int number);

/// "; what helps" against an error of writing, or nothing. `directory` is where a new file was to be made.
[[nodiscard]] LACIS_API std::string advice_on_writing(int error_number, const std::filesystem::path& directory = {});
/// "name: what: what the system said; what helps" as error(io).
[[noreturn]] void throw_write_error(std::string_view name, std::string_view what, int error_number,
                                    const std::filesystem::path& directory = {});

}  // namespace lacis::detail

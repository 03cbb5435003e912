// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix written a few rows at a time, for results that memory does not hold.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>

namespace lacis {

namespace detail {
class csr_directory_files;
}

/// Writes a CSR matrix as a directory of NumPy arrays: row_offsets.npy (rows + 1 numbers of 64 bits), columns.npy and
/// values.npy (an element an entry, iso values spelled out), and matrix.json, which tells sizes and types in the words
/// of Binsparse. What has been written leaves the page cache, so that it takes no memory. Until commit() everything
/// lies under another name beside the directory and is gone with the object; what was there before stays.
/// Every failure to write is error(io) that names the file.
template <value Value, index Index = std::int32_t> class csr_directory_writer {
 public:
  /// Replaces a directory that was written before; one with other files in it is error(io).
  LACIS_API csr_directory_writer(const std::filesystem::path& path, std::int64_t rows, std::int64_t cols);
  csr_directory_writer(const csr_directory_writer&) = delete;
  csr_directory_writer& operator=(const csr_directory_writer&) = delete;
  LACIS_API ~csr_directory_writer();

  /// The next rows. More rows than were announced, or another number of columns, are error(invalid_argument).
  LACIS_API void append(const csr_view<Value, Index>& part);
  template <class Matrix> void append(const Matrix& part) { append(part.view()); }
  /// Everything is on disk under its final name when this returns. Fewer rows than announced are
  /// error(invalid_argument).
  LACIS_API void commit();

  [[nodiscard]] std::int64_t entries() const { return entries_; }
  /// Of all files so far.
  [[nodiscard]] LACIS_API std::int64_t bytes() const;

 private:
  std::unique_ptr<detail::csr_directory_files> files_;
  std::int64_t rows_;
  std::int64_t cols_;
  std::int64_t rows_done_ = 0;
  std::int64_t entries_ = 0;
};

/// Whether a path names such a directory to the writers of io.hpp: it ends with .csr or a slash.
[[nodiscard]] LACIS_API bool names_csr_directory(const std::filesystem::path& path);

}  // namespace lacis

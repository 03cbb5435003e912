// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix written a few rows at a time, for results that memory does not hold.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

namespace detail {
class csr_directory_files;
}

/// Writes a CSR matrix as a directory of NumPy arrays: row_offsets.npy (rows + 1 numbers of 64 bits), columns.npy and
/// values.npy (one element per entry; iso values are expanded), and matrix.json, which has sizes and types in the
/// words of Binsparse; beside them perhaps parts.npy and order.npy (int64, see put_parts). What has been written leaves
/// the page cache, so that it takes no memory. Until commit() everything lies under another name beside the directory
/// and is gone with the object; what was there before stays. Every failure to write is error(io) that names the file.
/// A writer is for one thread at a time: rows have an order.
template <value Value, index Index = std::int32_t> class csr_directory_writer {
 public:
  /// Replaces a directory that was written before; one with other files in it is error(io).
  LACIS_API csr_directory_writer(const std::string& path, std::int64_t rows, std::int64_t cols);
  /// A writer is one set of files: it has no copies.
  csr_directory_writer(const csr_directory_writer&) = delete;
  /// A writer is one set of files: it has no copies.
  csr_directory_writer& operator=(const csr_directory_writer&) = delete;
  /// Removes what was written, unless commit() has returned.
  LACIS_API ~csr_directory_writer();

  /// The next rows. More rows than were announced, or another number of columns, are error(invalid_argument).
  LACIS_API void append(const csr_view<Value, Index>& part);
  /// The next rows, of a matrix or a view with 32- or 64-bit offsets.
  template <class Matrix> void append(const Matrix& part) { append(detail::wide(part).view()); }
  /// Where the parts begin that a cluster shares out, 0, ..., rows (row_ranges.hpp): stored once, so that any number of
  /// processes takes whole ones. Throws error(invalid_argument) for what are no parts of these rows.
  LACIS_API void put_parts(std::span<const std::int64_t> parts);
  /// Element k is the row of the original matrix that became row k of this one. Throws error(invalid_argument) for
  /// what is no permutation of these rows.
  LACIS_API void put_order(std::span<const std::int64_t> order);
  /// Everything is on disk under its final name when this returns. Fewer rows than announced are
  /// error(invalid_argument).
  LACIS_API void commit();

  /// Entries of all rows so far.
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

/// What put_parts stored with a matrix; empty where nothing was, and for paths that are no directory. Throws
/// error(bad_input) when the file is damaged or does not fit the rows that matrix.json declares.
[[nodiscard]] LACIS_API buffer<std::int64_t> read_parts(const std::string& path);
/// The same for put_order.
[[nodiscard]] LACIS_API buffer<std::int64_t> read_order(const std::string& path);

/// Whether a path names such a directory to the writers of io.hpp: it ends with .csr or a slash.
[[nodiscard]] LACIS_API bool names_csr_directory(const std::string& path);

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices in and out of files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <lacis/any_csr.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/progress.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// What a file can be; all are read and written.
enum class file_format {
  matrix_market,  ///< .mtx, also .gz, .zst and the .tar.gz of the SuiteSparse collection
  npz,            ///< scipy.sparse.save_npz
  edge_list,      ///< SNAP and GAP: lines of two ids and an optional weight
  metis,          ///< .graph
  csr_directory   ///< .csr: a directory of NumPy arrays (csr_directory.hpp)
};

/// "matrix_market", "npz", "edge_list", "metis", "csr_directory".
[[nodiscard]] LACIS_API std::string_view name_of(file_format f);
/// The format of that name, or nothing.
[[nodiscard]] LACIS_API std::optional<file_format> file_format_named(std::string_view name);

/// What a reader did beside reading; filled when read_options.report points to one.
struct read_report {
  file_format format = file_format::matrix_market;  ///< what the file turned out to be
  std::string field = {};                           ///< "real", "pattern", "complex", ...
  std::string symmetry = "general";                 ///< as the file declares it
  std::int64_t bytes = 0;                           ///< of text or arrays, after decompression
  std::int64_t stored_entries = 0;                  ///< in the file, before mirroring and summing
  std::int64_t duplicates = 0;                      ///< entries merged into others
  double seconds = 0;                               ///< from open to the finished matrix
};

/// What read_options::max_ratio is when it is 0. Matrices in text compress 5 to 30 times, of which zstd is the upper
/// end.
inline constexpr std::int64_t default_max_ratio = 200;

/// How a file is read, and how much it may take.
struct read_options {
  std::optional<file_format> format = {};  ///< nothing: recognised by the content
  /// Edge lists: number the ids that occur from 0 in ascending order, instead of keeping gaps.
  bool compact_ids = false;
  /// Edge lists: store every edge in both directions.
  bool undirected = false;
  /// Accept integers that no double represents exactly, rounding them to the nearest; otherwise they are an error.
  bool round_integers = false;
  /// A header may declare rows, columns and entries that the bytes present cannot justify; the reader refuses to
  /// allocate for them unless the row offsets fit this many bytes. 0 means 64 MiB plus 64 times the bytes present, or
  /// max_bytes where that is set and more.
  std::int64_t memory_limit = 0;
  /// The most bytes of an input that are held in memory: of a file or a pipe as it comes, and of what it unpacks to.
  /// More are error(out_of_memory), as soon as they are seen. 0 means half of the memory that is available when reading
  /// begins (or of what a control group or ulimit allows); for directories, whose arrays are not held twice, all of it.
  std::int64_t max_bytes = 0;
  /// The most bytes that one compressed byte may unpack to, on average over the file; the first 64 MiB are always
  /// allowed. More are error(out_of_memory). 0 means default_max_ratio.
  std::int64_t max_ratio = 0;
  /// Called with the share that is read; see progress.hpp.
  lacis::progress progress = {};
  /// Filled when it points to a report; the caller owns it.
  read_report* report = nullptr;
};

/// How a file is written.
struct write_options {
  std::optional<file_format> format = {};  ///< nothing: by the extension, else Matrix Market
  /// Matrix Market: write only the lower triangle of a matrix that is exactly symmetric, skew-symmetric or Hermitian.
  bool detect_symmetry = true;
  std::string comment = {};  ///< put below the header where the format has comments
  /// Directories: stored with the matrix (csr_directory_writer::put_parts, put_order). Not for other formats.
  std::span<const std::int64_t> parts = {};
  /// Directories: element k is the original row that became row k. Not for other formats.
  std::span<const std::int64_t> order = {};
  /// Called with the share that is written; see progress.hpp.
  lacis::progress progress = {};
};

namespace detail {
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> read(const std::string& path, const read_options& options);
template <class Value, class Index>
LACIS_API void write(const std::string& path, const csr_view<Value, Index>& a, const write_options& options);
}  // namespace detail

/// The matrix in the file, with canonical rows; "-" is standard input. Entries at one place are summed in the order of
/// the file (in a pattern they become one entry), symmetric halves are expanded, explicit zeros kept. A complex file
/// read as real is an error, unless all imaginary parts are 0. Throws error(bad_input) as "file:line: what; hint".
/// Files are read, never mapped: one that another process changes meanwhile is error(bad_input), or read as it was or
/// became, and never more than that.
template <value Value, index Index = std::int32_t>
[[nodiscard]] csr_matrix<Value, Index> read(const std::string& path, const read_options& options = {}) {
  return detail::read<Value, Index>(path, options);
}

/// The same as double or complex<double>, whichever the file holds, with 32-bit columns where they fit.
[[nodiscard]] LACIS_API any_csr read_any(const std::string& path, const read_options& options = {});

/// Writes the matrix; "-" is standard output. Numbers are the shortest that read back to the same bits. The file
/// appears whole or not at all: it is written beside its final name and renamed.
template <class Matrix> void write(const std::string& path, const Matrix& matrix, const write_options& options = {}) {
  detail::write(path, detail::wide(matrix).view(), options);
}

}  // namespace lacis

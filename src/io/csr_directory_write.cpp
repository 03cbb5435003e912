// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Writing a directory of NumPy arrays row by row, without leaving anything in the page cache.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <random>
#include <span>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/row_ranges.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "formats/select.hpp"
#include "io/csr_directory.hpp"
#include "io/npy.hpp"
#include "io/sink.hpp"
#include "io/source.hpp"

namespace lacis::detail {
namespace {

/// So many bytes wait in the page cache until they are forced to disk and dropped from it.
constexpr std::int64_t cached_bytes = std::int64_t{64} << 20;
/// Room for any count in the header of an array: the elements are written before they are counted.
constexpr std::size_t header_bytes = 128;
/// Elements that are turned over at a time where they cannot be written as they lie.
constexpr std::int64_t block = std::int64_t{1} << 16;

[[noreturn]] void refuse(const std::filesystem::path& path, int error_number) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT;
  throw error(errc::io, system_message(text(path.string(), ": cannot be written"), error_number) +
                            (full ? "; free some space or choose another disk" : ""));
}

/// An array file that grows at its end.
class array_file {
 public:
  array_file(const std::filesystem::path& path, std::string descr) : path_(path), descr_(std::move(descr)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) refuse(path_, errno);
    const std::string blank(header_bytes, ' ');
    put(std::as_bytes(std::span(blank)));
  }
  array_file(const array_file&) = delete;
  array_file& operator=(const array_file&) = delete;
  ~array_file() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  [[nodiscard]] std::int64_t bytes() const { return written_; }

  void put(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const std::size_t most = std::min(bytes.size(), static_cast<std::size_t>(cached_bytes));
      const ssize_t count = ::write(descriptor_, bytes.data(), most);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) refuse(path_, errno);
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      written_ += count;
      if (written_ - dropped_ >= cached_bytes) drop();
    }
  }

  /// Puts the header in front of the elements; everything is on disk afterwards.
  void finish(std::int64_t count) {
    const std::string header = npy_header(descr_, text('(', count, ",)"), header_bytes);
    if (pwrite(descriptor_, header.data(), header.size(), 0) != static_cast<ssize_t>(header.size()))
      refuse(path_, errno);
    if (fsync(descriptor_) != 0) refuse(path_, errno);
    if (close(std::exchange(descriptor_, -1)) != 0) refuse(path_, errno);
  }

 private:
  /// Pages can leave the cache only once they are on disk. Where the system does not follow the advice, they merely
  /// stay longer.
  void drop() {
    if (fdatasync(descriptor_) != 0) refuse(path_, errno);
    static_cast<void>(posix_fadvise(descriptor_, dropped_, written_ - dropped_, POSIX_FADV_DONTNEED));
    dropped_ = written_;
  }

  std::filesystem::path path_;
  std::string descr_;
  int descriptor_ = -1;
  std::int64_t written_ = 0;
  std::int64_t dropped_ = 0;
};

constexpr std::array<std::string_view, 6> file_names = {row_offsets_file, columns_file, values_file,
                                                        parts_file,       order_file,   description_file};

/// The directory and the files that this writer makes; nothing else, whatever lies there.
void remove_matrix(const std::filesystem::path& directory) {
  for (const std::string_view name : file_names) unlink((directory / name).c_str());
  rmdir(directory.c_str());
}

/// Only what looks like the work of this writer may be replaced.
void require_replaceable(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_directory(status))
    throw error(errc::io, text(path.string(), ": is a file; remove it or choose another name for the directory"));
  for (const auto& entry : std::filesystem::directory_iterator(path, unknown)) {
    const std::string name = entry.path().filename().string();
    if (std::find(file_names.begin(), file_names.end(), name) == file_names.end())
      throw error(errc::io,
                  text(path.string(), ": holds ", name, ", which is no part of a matrix; choose another name"));
  }
}

std::filesystem::path final_path(const std::filesystem::path& path) {
  const std::filesystem::path named = path.has_filename() ? path : path.parent_path();
  std::error_code ignored;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(named, ignored);
  return ignored ? named : resolved;
}

std::filesystem::path made_beside(const std::filesystem::path& path) {
  std::random_device random;
  for (int attempt = 0;; ++attempt) {
    const std::filesystem::path beside =
        path.parent_path() / text('.', path.filename().string(), '.', random(), ".part");
    if (mkdir(beside.c_str(), 0777) == 0) return beside;
    if (errno != EEXIST || attempt == 100) refuse(path, errno);
  }
}

template <class T> std::string type_of() {
  if constexpr (std::is_integral_v<T>)
    return binsparse_type('i', sizeof(T));
  else
    return binsparse_type(is_complex<T> ? 'c' : 'f', sizeof(T));
}

}  // namespace

/// The files of one matrix under their temporary names.
class csr_directory_files {
 public:
  csr_directory_files(const std::filesystem::path& path, std::string columns_descr, std::string values_descr)
      : final_(final_path(path)), temporary_(beside(final_)) {
    try {
      row_offsets.emplace(temporary_ / row_offsets_file, npy_descr<std::int64_t>());
      columns.emplace(temporary_ / columns_file, std::move(columns_descr));
      values.emplace(temporary_ / values_file, std::move(values_descr));
    } catch (...) {
      remove_matrix(temporary_);
      throw;
    }
  }
  csr_directory_files(const csr_directory_files&) = delete;
  csr_directory_files& operator=(const csr_directory_files&) = delete;
  ~csr_directory_files() {
    if (!temporary_.empty()) remove_matrix(temporary_);
  }

  /// An array that is known whole; a second one takes the first one's place.
  void put_whole(std::string_view name, std::span<const std::int64_t> numbers) {
    unlink((temporary_ / name).c_str());
    array_file file(temporary_ / name, npy_descr<std::int64_t>());
    file.put(std::as_bytes(numbers));
    file.finish(static_cast<std::int64_t>(numbers.size()));
  }

  void finish(std::int64_t rows, std::int64_t entries, const std::string& about) {
    row_offsets->finish(rows + 1);
    columns->finish(entries);
    values->finish(entries);
    sink description(temporary_ / description_file, compression::none);
    description.put(about);
    description.commit();
    put_in_place();
    sync_directory(final_.has_parent_path() ? final_.parent_path() : ".");
  }

  std::optional<array_file> row_offsets;
  std::optional<array_file> columns;
  std::optional<array_file> values;

 private:
  static std::filesystem::path beside(const std::filesystem::path& path) {
    require_replaceable(path);
    return made_beside(path);
  }

  void put_in_place() {
    std::error_code unknown;
    const bool replaces = std::filesystem::exists(final_, unknown);
    if (replaces && renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, final_.c_str(), RENAME_EXCHANGE) == 0) {
      remove_matrix(temporary_);  // it is the old one now
      temporary_.clear();
      return;
    }
    if (replaces) remove_matrix(final_);
    if (rename(temporary_.c_str(), final_.c_str()) != 0) refuse(final_, errno);
    temporary_.clear();
  }

  std::filesystem::path final_;
  std::filesystem::path temporary_;  ///< empty once everything is in place
};

}  // namespace lacis::detail

namespace lacis {

template <value Value, index Index>
csr_directory_writer<Value, Index>::csr_directory_writer(const std::filesystem::path& path, std::int64_t rows,
                                                         std::int64_t cols)
    : files_(
          std::make_unique<detail::csr_directory_files>(path, detail::npy_descr<Index>(), detail::npy_descr<Value>())),
      rows_(rows),
      cols_(cols) {
  const std::int64_t first = 0;
  files_->row_offsets->put(std::as_bytes(std::span(&first, 1)));
}

template <value Value, index Index> csr_directory_writer<Value, Index>::~csr_directory_writer() = default;

template <value Value, index Index>
void csr_directory_writer<Value, Index>::append(const csr_view<Value, Index>& part) {
  if (part.cols != cols_)
    throw error(errc::invalid_argument, detail::text("rows of ", part.cols, " columns for a matrix with ", cols_));
  if (part.rows > rows_ - rows_done_)
    throw error(errc::invalid_argument,
                detail::text(rows_done_ + part.rows, " rows for a matrix that was to have ", rows_));
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(std::min(detail::block, part.rows)));
  for (std::int64_t first = 0; first < part.rows; first += detail::block) {
    const auto count = static_cast<std::size_t>(std::min(detail::block, part.rows - first));
    for (std::size_t i = 0; i < count; ++i)
      offsets[i] = entries_ + part.row_offsets[static_cast<std::size_t>(first) + i + 1];
    files_->row_offsets->put(std::as_bytes(std::span(offsets).first(count)));
  }
  files_->columns->put(std::as_bytes(part.columns));
  if (part.values.iso) {
    const std::vector<Value> same(static_cast<std::size_t>(std::min(detail::block, part.nnz())), part.values[0]);
    for (std::int64_t first = 0; first < part.nnz(); first += detail::block)
      files_->values->put(
          std::as_bytes(std::span(same).first(static_cast<std::size_t>(std::min(detail::block, part.nnz() - first)))));
  } else {
    files_->values->put(std::as_bytes(part.values.data));
  }
  rows_done_ += part.rows;
  entries_ += part.nnz();
}

template <value Value, index Index>
void csr_directory_writer<Value, Index>::put_parts(std::span<const std::int64_t> parts) {
  if (!are_parts(rows_, parts))
    throw error(errc::invalid_argument,
                detail::text("parts must ascend from 0 to ", rows_, " and begin at multiples of ", rows_in_chunk));
  files_->put_whole(detail::parts_file, parts);
}

template <value Value, index Index>
void csr_directory_writer<Value, Index>::put_order(std::span<const std::int64_t> order) {
  if (static_cast<std::int64_t>(order.size()) != rows_)
    throw error(errc::invalid_argument, detail::text("an order of ", order.size(), " rows for ", rows_));
  static_cast<void>(detail::positions_in<std::int64_t>(order, rows_, "rows"));
  files_->put_whole(detail::order_file, order);
}

template <value Value, index Index> void csr_directory_writer<Value, Index>::commit() {
  if (rows_done_ != rows_)
    throw error(errc::invalid_argument, detail::text("only ", rows_done_, " of ", rows_, " rows were written"));
  files_->finish(rows_, entries_,
                 detail::text("{\n  \"binsparse\": {\n    \"version\": \"0.1\",\n    \"format\": \"CSR\",\n",
                              "    \"shape\": [", rows_, ", ", cols_, "],\n    \"number_of_stored_values\": ", entries_,
                              ",\n    \"data_types\": {\n      \"pointers_to_1\": \"", detail::type_of<std::int64_t>(),
                              "\",\n      \"indices_1\": \"", detail::type_of<Index>(), "\",\n      \"values\": \"",
                              detail::type_of<Value>(), "\"\n    }\n  }\n}\n"));
}

template <value Value, index Index> std::int64_t csr_directory_writer<Value, Index>::bytes() const {
  return files_->row_offsets->bytes() + files_->columns->bytes() + files_->values->bytes();
}

bool names_csr_directory(const std::filesystem::path& path) {
  return !path.empty() && (!path.has_filename() || path.extension() == ".csr");
}

#define LACIS_CSR_DIRECTORY(Value, Index) template class csr_directory_writer<Value, Index>;
LACIS_FOR_EACH_TYPE(LACIS_CSR_DIRECTORY)

}  // namespace lacis

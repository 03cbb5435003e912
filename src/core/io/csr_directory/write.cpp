// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Writing a directory of NumPy arrays row by row, without leaving anything in the page cache.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unistd.h>
#include <utility>
#include <vector>

#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/row_ranges.hpp>

#include "base/instantiate.hpp"
#include "base/output_directory.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "io/bytes/input_file.hpp"
#include "io/csr_directory/csr_directory.hpp"
#include "io/file_names.hpp"
#include "io/npz/npy.hpp"
#include "structure/select.hpp"

namespace lacis::detail {
namespace {

/// So many bytes wait in the page cache until they are forced to disk and dropped from it.
constexpr std::int64_t cached_bytes = std::int64_t{64} << 20;
/// Room for any count in the header of an array: the elements are written before they are counted.
constexpr std::size_t header_bytes = 128;
/// Elements that are turned over at a time where they cannot be written as they lie.
constexpr std::int64_t block = std::int64_t{1} << 16;

std::string_view characters(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// An array file that grows at its end.
class array_file {
 public:
  array_file(const std::filesystem::path& path, std::string descr)
      : file_(path, placing::directly), descr_(std::move(descr)) {
    file_.put(std::string(header_bytes, ' '));
  }

  [[nodiscard]] std::int64_t bytes() const { return file_.bytes(); }

  void put(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const auto part = bytes.first(std::min(bytes.size(), static_cast<std::size_t>(cached_bytes)));
      file_.put(characters(part));
      bytes = bytes.subspan(part.size());
      if (file_.cached_bytes() >= cached_bytes) file_.leave_cache();
    }
  }

  /// Puts the header in front of the elements; everything is on disk afterwards.
  void finish(std::int64_t count) {
    file_.put_at(0, npy_header(descr_, text('(', count, ",)"), header_bytes));
    file_.commit();
  }

 private:
  output_file file_;
  std::string descr_;
};

constexpr std::array<std::string_view, 6> file_names = {row_offsets_file, columns_file, values_file,
                                                        parts_file,       order_file,   description_file};

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
      : directory_(path, file_names) {
    row_offsets.emplace(directory_.temporary() / row_offsets_file, npy_descr<std::int64_t>());
    columns.emplace(directory_.temporary() / columns_file, std::move(columns_descr));
    values.emplace(directory_.temporary() / values_file, std::move(values_descr));
  }

  /// An array that is known whole; a second one takes the first one's place.
  void put_whole(std::string_view name, std::span<const std::int64_t> numbers) {
    unlink((directory_.temporary() / name).c_str());
    array_file file(directory_.temporary() / name, npy_descr<std::int64_t>());
    file.put(std::as_bytes(numbers));
    file.finish(static_cast<std::int64_t>(numbers.size()));
  }

  void finish(std::int64_t rows, std::int64_t entries, const std::string& about) {
    row_offsets->finish(rows + 1);
    columns->finish(entries);
    values->finish(entries);
    output_file description(directory_.temporary() / description_file, placing::directly);
    description.put(about);
    description.commit();
    directory_.commit();
  }

 private:
  output_directory directory_;  // before its files, which are closed first

 public:
  std::optional<array_file> row_offsets;
  std::optional<array_file> columns;
  std::optional<array_file> values;
};

}  // namespace lacis::detail

namespace lacis {

template <value Value, index Index>
csr_directory_writer<Value, Index>::csr_directory_writer(const std::string& path, std::int64_t rows, std::int64_t cols)
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

bool names_csr_directory(const std::string& path) {
  const detail::named_kind kind = detail::kind_of_name(path);
  return kind.format == file_format::csr_directory && kind.method == detail::compression::none;
}

#define LACIS_CSR_DIRECTORY(Value, Index) template class csr_directory_writer<Value, Index>;
LACIS_FOR_EACH_TYPE(LACIS_CSR_DIRECTORY)

}  // namespace lacis

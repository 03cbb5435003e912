// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix and a vector handed to another process: a file of raw arrays.
#pragma once

#include <filesystem>
#include <span>

#include <lacis/csr.hpp>

namespace lacis::measure {

/// A file of that size in memory (/dev/shm) when there is room, in the folder for temporary files otherwise; gone with
/// the object.
class exchange_file {
 public:
  explicit exchange_file(std::int64_t bytes);
  ~exchange_file();
  exchange_file(const exchange_file&) = delete;
  exchange_file& operator=(const exchange_file&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Throws error(io).
  void write(std::int64_t offset, std::span<const std::byte> bytes);
  void read(std::span<std::byte> bytes, std::int64_t offset = 0) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// The file: 4096 bytes of JSON, padded with spaces, that name the sizes, the NumPy types "value" and "index", "iso"
/// and the offset of each array in the file: row_offsets (int64), columns, values (a single one when iso), x.
template <class Value, class Index> [[nodiscard]] std::int64_t matrix_file_bytes(const csr_view<Value, Index>& a);
template <class Value, class Index>
void write_matrix(exchange_file& file, const csr_view<Value, Index>& a, std::span<const Value> x);

}  // namespace lacis::measure

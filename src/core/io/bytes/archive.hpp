// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Everything that needs libarchive or zlib: decompression, compression, and zip files. A build without them has the
// same functions, which throw error(unsupported).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/io.hpp>

#include "io/bytes/byte_store.hpp"

namespace lacis::detail {

/// The content of a compressed file. From a tar archive it takes the .mtx member that has the archive's name, or the
/// only one. Throws error(bad_input) when the data is damaged, compressed twice, or has no such member, and
/// error(out_of_memory) when it passes options.max_bytes or max_ratio.
[[nodiscard]] byte_store decompress(std::string_view bytes, const std::string& name, const read_options& options);

/// Whether the bytes begin as a gzip file does.
[[nodiscard]] bool is_gzip(std::string_view bytes);
/// The content of a gzip file of one or more members, checked against their checksums. Throws as decompress
/// does.
[[nodiscard]] byte_store gunzip(std::string_view bytes, const std::string& name, const read_options& options);

struct zip_member {
  std::string name;
  byte_store content;  ///< empty when not wanted
};

/// The members of a zip file, in its order, with the content of those that are wanted, which together are
/// within options.max_bytes and max_ratio. Throws as decompress does.
[[nodiscard]] std::vector<zip_member> read_zip(std::string_view bytes, const std::string& name,
                                               const std::function<bool(std::string_view member)>& wanted,
                                               const read_options& options);

using byte_writer = std::function<void(std::string_view)>;

enum class compression { none, gzip, zstd };

/// Passes what is put in, compressed, to a writer. Exceptions of the writer come out of put() and finish().
class compressor {
 public:
  compressor(compression method, byte_writer out);
  ~compressor();

  void put(std::string_view bytes);
  /// Writes what is still held back; nothing may be put in afterwards.
  void finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Writes a zip file of deflated members.
class zip_writer {
 public:
  explicit zip_writer(byte_writer out);
  ~zip_writer();

  /// Begins a member of exactly `size` bytes, which put() then fills.
  void begin(const std::string& member, std::int64_t size);
  void put(std::string_view bytes);
  void finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace lacis::detail

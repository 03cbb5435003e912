// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a build without libarchive says of compressed files.
#include <lacis/error.hpp>

#include "base/text.hpp"
#include "io/bytes/archive.hpp"

namespace lacis::detail {
namespace {

[[noreturn]] void refuse(std::string_view what) {
  throw error(errc::unsupported, text("this build has no libarchive; ", what, ", or build with LACIS_WITH_ARCHIVE=ON"));
}

}  // namespace

struct compressor::state {};
struct zip_writer::state {};

byte_store decompress(std::string_view, const std::string& name, const read_options&) {
  refuse(text("decompress ", name, " first"));
}
std::vector<zip_member> read_zip(std::string_view, const std::string& name,
                                 const std::function<bool(std::string_view)>&, const read_options&) {
  refuse(text("convert ", name, " to Matrix Market with scipy.io.mmwrite"));
}

compressor::compressor(compression, byte_writer) {
  refuse("write without .gz or .zst and compress the file afterwards");
}
compressor::~compressor() = default;
void compressor::put(std::string_view) {}
void compressor::finish() {}

zip_writer::zip_writer(byte_writer) { refuse("write Matrix Market (.mtx)"); }
zip_writer::~zip_writer() = default;
void zip_writer::begin(const std::string&, std::int64_t) {}
void zip_writer::put(std::string_view) {}
void zip_writer::finish() {}

}  // namespace lacis::detail

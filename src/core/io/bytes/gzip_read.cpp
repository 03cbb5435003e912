// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// gzip through zlib, which checks every member's length and checksum; libarchive passes over both.
#include <algorithm>
#include <limits>

#define ZLIB_CONST  // zlib then promises not to write to its input
#include <zlib.h>

#include <lacis/error.hpp>

#include "base/interruption.hpp"
#include "base/text.hpp"
#include "io/bytes/archive.hpp"
#include "io/bytes/input_budget.hpp"

namespace lacis::detail {
namespace {

class inflater {
 public:
  explicit inflater(const std::string& name) {
    constexpr int gzip_with_the_largest_window = 16 + 15;
    if (inflateInit2(&stream, gzip_with_the_largest_window) != Z_OK)
      throw error(errc::out_of_memory, text(name, ": no memory to decompress"));
  }
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;
  ~inflater() { inflateEnd(&stream); }

  z_stream stream{};
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

byte_store gunzip(std::string_view bytes, const std::string& name, const read_options& options) {
  const progress& report = options.progress;
  auto budget = input_budget::for_unpacking(options, name, bytes.size());
  byte_store result;
  inflater state(name);
  z_stream& stream = state.stream;
  constexpr std::size_t piece = std::size_t{1} << 20;  // progress is told between pieces
  std::string_view rest = bytes;
  const stop_check stop;
  while (true) {
    stop();
    if (stream.avail_in == 0) {
      const std::size_t size = std::min(rest.size(), piece);
      stream.next_in = reinterpret_cast<const Bytef*>(rest.data());
      stream.avail_in = static_cast<uInt>(size);
      rest.remove_prefix(size);
      if (report && !rest.empty())
        report("decompressing", 1 - static_cast<double>(rest.size()) / static_cast<double>(bytes.size()));
    }
    const std::span<char> room = result.room();
    const auto space =
        static_cast<uInt>(std::min({room.size(), budget.room(), std::size_t{std::numeric_limits<uInt>::max()}}));
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = space;
    const int status = inflate(&stream, Z_NO_FLUSH);
    budget.take(space - stream.avail_out);
    result.grow(space - stream.avail_out);
    const bool input_left = stream.avail_in > 0 || !rest.empty();
    if (status == Z_STREAM_END) {
      // Several members in a row are one file (pigz, bgzip, cat); zeros behind the last are padding of tapes.
      const std::string_view behind(reinterpret_cast<const char*>(stream.next_in), stream.avail_in + rest.size());
      if (!is_gzip(behind)) {
        if (behind.find_first_not_of('\0') == std::string_view::npos) return result;
        throw error(errc::bad_input, text(name, ": damaged compressed data (", behind.size(),
                                          " bytes that are not gzip at its end); get the file again"));
      }
      inflateReset(&stream);
    } else if (status == Z_MEM_ERROR) {
      throw error(errc::out_of_memory, text(name, ": no memory to decompress"));
    } else if (status != Z_OK && !(status == Z_BUF_ERROR && input_left)) {
      throw error(errc::bad_input,
                  text(name, ": damaged compressed data (", stream.msg != nullptr ? stream.msg : "it ends too early",
                       "); get the file again"));
    }
  }
}

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading inputs whole: regular files in blocks on all threads, everything else to its end.
#include "io/bytes/source.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "io/bytes/archive.hpp"
#include "io/bytes/input_budget.hpp"

namespace lacis::detail {
namespace {

/// So many bytes are read at a time: enough to hide the cost of asking, few enough for every thread to have some.
constexpr std::int64_t block_bytes = std::int64_t{1} << 20;

byte_store read_places(const input_file& file, const progress& report) {
  byte_store bytes = byte_store::of_size(static_cast<std::size_t>(file.size()));
  const std::int64_t blocks = (file.size() + block_bytes - 1) / block_bytes;
  std::atomic<std::int64_t> next = 0;
  on_threads(static_cast<int>(std::min<std::int64_t>(blocks, thread_count())), [&](int thread, int) {
    for (std::int64_t block = next++; block < blocks; block = next++) {
      const std::int64_t place = block * block_bytes;
      const auto size = static_cast<std::size_t>(std::min(block_bytes, file.size() - place));
      file.read_at(place, bytes.bytes().subspan(static_cast<std::size_t>(place), size));
      if (thread == 0 && report) report("reading", static_cast<double>(block) / static_cast<double>(blocks));
    }
  });
  file.require_unchanged();
  return bytes;
}

byte_store read_to_end(const input_file& file, input_budget budget) {
  byte_store bytes;
  while (true) {
    const std::span<char> free = bytes.room();
    const std::size_t count = file.read_next(free.first(std::min(free.size(), budget.room())));
    if (count == 0) return bytes;
    budget.take(count);
    bytes.grow(count);
  }
}

}  // namespace

byte_store read_bytes(const input_file& file, const read_options& options) {
  input_budget budget(options, file.name());
  if (!file.has_places()) return read_to_end(file, std::move(budget));
  budget.take(static_cast<std::size_t>(file.size()));
  return read_places(file, options.progress);
}

bool is_tar(std::string_view bytes) {
  constexpr std::size_t magic = 257;
  return bytes.size() > 512 && bytes.substr(magic, 5) == "ustar";
}

bool is_archive(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd") || is_tar(bytes);
}

source open_source(const std::filesystem::path& path, const read_options& options) {
  source result{path == "-" ? "standard input" : path.string(), {}};
  result.bytes = read_bytes(input_file(path, result.name), options);
  if (is_archive(result.bytes.text())) result.bytes = decompress(result.bytes.text(), result.name, options);
  return result;
}

}  // namespace lacis::detail

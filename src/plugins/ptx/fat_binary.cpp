// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout of fat binaries, of which NVIDIA documents only the wrapper (fatbinary_section.h).
#include "ptx/fat_binary.hpp"

#include <cstdint>
#include <cstring>

#include "ptx/program.hpp"

namespace lacis::ptx {
namespace {

struct wrapper_of_binary {
  std::int32_t magic;
  std::int32_t version;
  const char* data;
  const void* unused;
};
constexpr std::uint32_t binary_magic = 0xba55ed50;
struct binary_header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  ///< that follow the header
};
struct entry_header {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;
  std::uint32_t compressed_bytes;
  std::uint32_t unused[2];
  std::uint32_t architecture;
  std::uint32_t unused_too[2];
  std::uint32_t flags;
};
constexpr std::uint16_t kind_of_ptx = 1;

}  // namespace

std::vector<ptx_text> texts_of(const void* wrapper) {
  const char* at = static_cast<const wrapper_of_binary*>(wrapper)->data;
  binary_header binary;
  std::memcpy(&binary, at, sizeof binary);
  if (binary.magic != binary_magic) throw fault("a fat binary of another kind than that of CUDA 13");
  at += binary.header_bytes;
  const char* const end = at + binary.bytes;
  std::vector<ptx_text> found;
  while (at < end) {
    entry_header entry;
    std::memcpy(&entry, at, sizeof entry);
    if (entry.header_bytes < sizeof entry) throw fault("a fat binary of another kind than that of CUDA 13");
    if (entry.kind == kind_of_ptx) {
      if (entry.compressed_bytes != 0) throw fault("the PTX is compressed: compile with nvcc -no-compress");
      const char* const text = at + entry.header_bytes;
      found.push_back({static_cast<int>(entry.architecture), std::string(text, strnlen(text, entry.bytes))});
    }
    at += entry.header_bytes + entry.bytes;
  }
  return found;
}

}  // namespace lacis::ptx

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The files of a solver's states, of one process.
#include <algorithm>
#include <fstream>

#include <lacis/error.hpp>

#include "base/output_file.hpp"
#include "base/text.hpp"
#include "solve/checkpoint.hpp"

namespace lacis::solver {

void local_state_files::make_directory() {
  std::error_code fault;
  std::filesystem::create_directories(directory_, fault);
  if (fault)
    throw error(errc::io, detail::text(directory_.string(), ": cannot be made for checkpoints: ", fault.message()));
}

std::int64_t local_state_files::size_of(const std::string& name) {
  std::error_code fault;
  if (!std::filesystem::is_regular_file(directory_ / name, fault)) return -1;
  const auto size = std::filesystem::file_size(directory_ / name, fault);
  return fault ? -1 : static_cast<std::int64_t>(size);
}

void local_state_files::read_same(const std::string& name, std::int64_t offset, std::span<char> bytes) {
  read_own(name, offset, bytes);
}

void local_state_files::read_own(const std::string& name, std::int64_t offset, std::span<char> bytes) {
  std::ifstream file(directory_ / name, std::ios::binary);
  file.seekg(offset);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw error(errc::io, detail::text((directory_ / name).string(), ": cannot be read"));
}

void local_state_files::write(const std::string& name, std::int64_t size, std::span<const file_piece> mine) {
  std::error_code fault;
  const auto kind = std::filesystem::status(directory_ / name, fault).type();
  if (kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::regular)
    throw error(errc::io, detail::text((directory_ / name).string(), ": is no regular file; remove it"));
  std::vector<file_piece> pieces(mine.begin(), mine.end());
  std::sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  pieces.push_back({size, {}});
  detail::output_file out(directory_ / name);
  std::int64_t done = 0;
  for (const file_piece& piece : pieces) {
    if (piece.offset > done) out.put(std::string(static_cast<std::size_t>(piece.offset - done), '\0'));
    out.put(piece.bytes);
    done = piece.offset + static_cast<std::int64_t>(piece.bytes.size());
  }
  out.commit();
}

void local_state_files::remove(const std::string& name) {
  std::error_code ignored;
  std::filesystem::remove(directory_ / name, ignored);
}

}  // namespace lacis::solver

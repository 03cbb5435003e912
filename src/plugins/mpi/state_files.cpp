// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// States of a solver through MPI-IO, in files that the first process makes and puts in place.
#include "mpi/state_files.hpp"

#include <algorithm>
#include <optional>

#include <lacis/error.hpp>

#include "base/output_file.hpp"
#include "base/text.hpp"

namespace lacis::dist {
namespace {

/// Counts of MPI-IO have 32 bits.
constexpr std::int64_t most_at_once = std::int64_t{1} << 30;

class shared_file {
 public:
  shared_file(MPI_Comm communicator, const std::string& path, int mode) {
    is_open_ = MPI_File_open(communicator, path.c_str(), mode, MPI_INFO_NULL, &file_) == MPI_SUCCESS;
  }
  ~shared_file() {
    if (is_open_) MPI_File_close(&file_);
  }
  shared_file(const shared_file&) = delete;
  shared_file& operator=(const shared_file&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  bool set_size(std::int64_t size) { return MPI_File_set_size(file_, size) == MPI_SUCCESS; }
  bool sync() { return MPI_File_sync(file_) == MPI_SUCCESS; }
  bool write(std::int64_t offset, std::string_view bytes) {
    return in_pieces(static_cast<std::int64_t>(bytes.size()), [&](std::int64_t at, int count, MPI_Status* status) {
      return MPI_File_write_at(file_, offset + at, bytes.data() + at, count, MPI_BYTE, status);
    });
  }
  bool read(std::int64_t offset, std::span<char> bytes) {
    return in_pieces(static_cast<std::int64_t>(bytes.size()), [&](std::int64_t at, int count, MPI_Status* status) {
      return MPI_File_read_at(file_, offset + at, bytes.data() + at, count, MPI_BYTE, status);
    });
  }

 private:
  template <class Transfer> static bool in_pieces(std::int64_t size, Transfer&& transfer) {
    for (std::int64_t at = 0; at < size; at += most_at_once) {
      const auto count = static_cast<int>(std::min(most_at_once, size - at));
      MPI_Status status;
      int done = 0;
      if (transfer(at, count, &status) != MPI_SUCCESS) return false;
      MPI_Get_count(&status, MPI_BYTE, &done);
      if (done != count) return false;
    }
    return true;
  }

  MPI_File file_ = MPI_FILE_NULL;
  bool is_open_ = false;
};

}  // namespace

void spread_state_files::require_for_all(bool is_fine, const std::string& name, const std::string& what) const {
  if (!is_fine)
    throw error(errc::io, detail::text((directory_ / name).string(), ": ", what,
                                       "; all ranks must see the directory, and it must have room"));
  group_->barrier();
}

void spread_state_files::make_directory() {
  std::error_code fault;
  if (group_->rank() == 0) std::filesystem::create_directories(directory_, fault);
  require_for_all(!fault, "", "cannot be made for checkpoints");
}

std::int64_t spread_state_files::size_of(const std::string& name) {
  std::int64_t size = -1;
  std::error_code fault;
  if (group_->rank() == 0 && std::filesystem::is_regular_file(directory_ / name, fault))
    size = static_cast<std::int64_t>(std::filesystem::file_size(directory_ / name, fault));
  return group_->most(size);
}

void spread_state_files::read_same(const std::string& name, std::int64_t offset, std::span<char> bytes) {
  bool is_fine = true;
  if (group_->rank() == 0) {
    shared_file file(MPI_COMM_SELF, (directory_ / name).string(), MPI_MODE_RDONLY);
    is_fine = file.is_open() && file.read(offset, bytes);
  }
  require_for_all(is_fine, name, "cannot be read");
  group_->broadcast(std::as_writable_bytes(bytes), 0);
}

void spread_state_files::read_own(const std::string& name, std::int64_t offset, std::span<char> bytes) {
  shared_file file(MPI_COMM_SELF, (directory_ / name).string(), MPI_MODE_RDONLY);
  if (!file.is_open() || !file.read(offset, bytes))
    throw error(errc::io,
                detail::text((directory_ / name).string(), ": cannot be read; all ranks must see the directory"));
}

void spread_state_files::write(const std::string& name, std::int64_t size, std::span<const solver::file_piece> mine) {
  // The first process makes the file and puts it in place; all fill it.
  std::optional<lacis::detail::output_file> out;
  std::string unfinished;
  std::string fault;
  const auto on_first = [&](auto&& work) {
    try {
      if (group_->rank() == 0) work();
    } catch (const error& problem) {
      fault = problem.what();
    }
    require_for_all(fault.empty(), name, fault.empty() ? "cannot be written" : fault);
  };
  on_first([&] {
    out.emplace(directory_ / name);
    unfinished = out->temporary().string();
  });
  unfinished.resize(static_cast<std::size_t>(group_->most(static_cast<std::int64_t>(unfinished.size()))));
  group_->broadcast(std::as_writable_bytes(std::span(unfinished)), 0);
  const lacis::detail::file_size_guard guard;
  bool is_fine = true;
  // Each rank opens the file for itself: where one of them cannot, the others wait for ever in one opened together.
  if (group_->rank() == 0) {
    shared_file file(MPI_COMM_SELF, unfinished, MPI_MODE_WRONLY);
    is_fine = file.is_open() && file.set_size(size);
  }
  require_for_all(is_fine, name, "cannot be opened for writing");
  {
    shared_file file(MPI_COMM_SELF, unfinished, MPI_MODE_WRONLY);
    require_for_all(file.is_open(), name, "cannot be opened for writing");
    for (const solver::file_piece& piece : mine) is_fine = is_fine && file.write(piece.offset, piece.bytes);
    is_fine = file.sync() && is_fine;
  }
  require_for_all(is_fine, name, "cannot be written");
  on_first([&] { out->commit(); });
}

void spread_state_files::remove(const std::string& name) {
  std::error_code ignored;
  if (group_->rank() == 0) std::filesystem::remove(directory_ / name, ignored);
}

}  // namespace lacis::dist

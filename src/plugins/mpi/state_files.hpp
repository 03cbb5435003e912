// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files of a solver's states that processes write and read together.
#pragma once

#include <memory>

#include "mpi/processes.hpp"
#include "solve/checkpoint.hpp"

namespace lacis::dist {

/// Through MPI-IO. The directory must be one that all processes see.
class spread_state_files final : public solver::state_files {
 public:
  spread_state_files(std::filesystem::path directory, std::shared_ptr<const dist::processes> group)
      : state_files(std::move(directory)), group_(std::move(group)) {}

  [[nodiscard]] int process() const override { return group_->rank(); }
  [[nodiscard]] int processes() const override { return group_->size(); }
  [[nodiscard]] std::uint64_t sum_of_all(std::uint64_t mine) override { return group_->sum(mine); }
  void make_directory() override;
  std::int64_t size_of(const std::string& name) override;
  void read_same(const std::string& name, std::int64_t offset, std::span<char> bytes) override;
  void read_own(const std::string& name, std::int64_t offset, std::span<char> bytes) override;
  void write(const std::string& name, std::int64_t size, std::span<const solver::file_piece> mine) override;
  void remove(const std::string& name) override;

 private:
  /// Waits until all ranks are as far; error(io) where one has failed, which all then throw.
  void require_for_all(bool is_fine, const std::string& name, const std::string& what) const;

  std::shared_ptr<const dist::processes> group_;
};

}  // namespace lacis::dist

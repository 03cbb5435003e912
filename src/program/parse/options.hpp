// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options that several commands share, parsed. What one command alone takes is in that command's file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lacis::app {

/// Options of every command.
struct common_options {
  bool quiet = false;
  bool json = false;
  int threads = 0;   ///< 0: OpenMP's default
  bool mpi = false;  ///< this process is one of several ranks; for the commands that have --mpi
};

/// Where a matrix comes from: a file, "-", or a generator's description.
struct source_options {
  std::string matrix;
  std::string from;    ///< file format; empty: recognised by the content
  std::string values;  ///< of a generated matrix; empty: natural
  std::optional<std::uint64_t> seed;
  bool compact_ids = false;
  bool undirected = false;
  bool round_integers = false;
  std::string max_bytes;       ///< of input in memory, such as 6G; empty: half of what is available
  std::int64_t max_ratio = 0;  ///< of unpacked to compressed bytes; 0: the library's default
};

}  // namespace lacis::app

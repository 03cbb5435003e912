// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis spgemm is asked for, on one process and on several.
#pragma once

#include <string>

#include "parse/options.hpp"

namespace lacis::app {

struct spgemm_request {
  common_options common;
  source_options source;     ///< A
  std::string b;             ///< a file or a description; empty: A
  std::string output;        ///< a file or directory for C, "-", or empty
  std::string type;          ///< of the values; empty: as in the files
  std::string isa;           ///< empty: the fastest
  std::string memory_limit;  ///< bytes such as 6G; empty: no limit
  bool explain = false;
};

/// With --mpi.
void run_spgemm_on_cluster(const spgemm_request& request);

}  // namespace lacis::app

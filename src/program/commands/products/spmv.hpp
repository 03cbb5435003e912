// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis spmv is asked for, on one process and on several.
#pragma once

#include <string>

#include "parse/options.hpp"

namespace lacis::app {

struct spmv_request {
  common_options common;
  source_options source;
  std::string x;               ///< a file; empty: (1 + j mod 8) / 8
  std::string output;          ///< a file for y, "-", or empty
  std::string device = "cpu";  ///< where the product is computed as well
};

/// With --mpi.
void run_spmv_on_cluster(const spmv_request& request);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis verify is asked for.
#pragma once

#include <string>
#include <vector>

#include "parse/options.hpp"

namespace lacis::app {

struct verify_request {
  common_options common;
  std::string operation;       ///< spmv, ..., powers; empty: spmv on the processor, everything on a device
  std::string device = "cpu";  ///< or where the device kernels run: simt, the host executor; cuda:0; ptx:80
  std::string values;          ///< of device kernels: "float", ...; empty: all types
  std::string counts;          ///< a file for what the interpreter counts of each kernel, or empty
  bool all = false;
  std::vector<std::string> isas;
  std::vector<int> threads;
};

/// With --device.
void run_verify_kernels(const verify_request& request);

}  // namespace lacis::app

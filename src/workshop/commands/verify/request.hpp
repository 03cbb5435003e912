// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis verify is asked for.
#pragma once

#include <string>
#include <vector>

#include "parse/options.hpp"
#include "verify/verify.hpp"

namespace lacis::app {

struct verify_request {
  common_options common;
  std::string operation;       ///< spmv, ..., powers; empty: spmv on the processor, everything on a device
  std::string device = "cpu";  ///< or where the device kernels run: simt, the host executor; cuda:0; ptx:80
  std::string values;          ///< of device kernels: "float", ...; empty: all types
  std::string counts;          ///< a file for what the interpreter counts of each kernel, or empty
  bool all = false;
  int repeat = 1;      ///< times that every run on a device is made
  double limit = 120;  ///< seconds for one run on a device
  std::vector<std::string> isas;
  std::vector<int> threads;
};

/// A run of a kernel that takes longer than so many seconds is named, and ends the program: what hangs on a device
/// cannot be stopped.
void end_when_hung(kernel_verify_options& options, double limit_seconds);

/// With --device.
void run_verify_kernels(const verify_request& request);

}  // namespace lacis::app

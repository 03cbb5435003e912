// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis doctor is asked for.
#pragma once

#include <string>
#include <vector>

#include "parse/options.hpp"

namespace lacis::app {

struct doctor_request {
  common_options common;
  std::string device;                 ///< simt or cuda[:N]; empty: the machine
  std::vector<std::string> matrices;  ///< to time the device with; empty: generated ones
  bool measure = false;
  std::string profile;  ///< the file of the machine profile; empty: its usual place
};

/// With --device.
void run_doctor_device(const doctor_request& request);

}  // namespace lacis::app

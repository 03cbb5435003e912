// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix into a file: what convert and generate have in common.
#pragma once

#include <string>

#include "parse/option_list.hpp"
#include "parse/options.hpp"

namespace lacis::app {

struct convert_request {
  common_options common;
  source_options source;
  std::string output;
  std::string to;  ///< file format; empty: from the file extension
  bool no_symmetry = false;
};

void run_convert(const convert_request& request);
/// --to and --no-symmetry.
void add_writer_options(option_list& options, convert_request& request);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis bench is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parse/options.hpp"

namespace lacis::app {

struct bench_request {
  common_options common;
  source_options source;  ///< its matrix is one of `matrices` after the other
  std::string operation;  ///< "spmv", "spmm", "spgemm", "powers", "plan", "batch", "small", or a part of solvers
  std::vector<std::string> matrices;  ///< files or descriptions
  std::string type;                   ///< of the values; empty: as in the file
  std::optional<double> seconds;      ///< nothing: the default of the operation
  double uses = 1000;                 ///< that plans are made for
  std::string peers;                  ///< names between commas, "all", or empty: none; not for plan
  // spmm alone
  std::vector<int> columns;  ///< numbers of dense columns; empty: the default
  std::string order;         ///< of X and Y, names between commas; empty: row
  // spgemm alone
  std::string with;   ///< the second matrix; empty: each is squared
  std::string chart;  ///< a file for the picture, "-", or empty
  // spmv alone
  std::string formats;               ///< names between commas; empty: all
  std::vector<std::string> reorder;  ///< orderings in which plans are measured too
  std::string markdown;              ///< a file for the table, or empty
  std::string roofline;              ///< a file for the picture, "-", or empty
  // batch alone
  std::optional<std::uint64_t> systems;
  std::optional<std::uint64_t> rows;     ///< of a system
  std::optional<std::uint64_t> entries;  ///< of a row
  // powers alone
  std::optional<std::uint64_t> power;
  // plan alone
  bool all = false;   ///< the built-in list of matrices instead of `matrices`
  std::string files;  ///< a folder whose matrices are taken instead of `matrices`, or empty
};

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How an operation on the processor runs: threads and instruction set.
#pragma once

#include <optional>

#include <lacis/isa.hpp>

namespace lacis {

/// How a product or an operation on vectors runs. Nothing here changes a bit of the result.
struct multiply_options {
  int threads = 0;                     ///< 0: as many as OpenMP gives, one for small products
  std::optional<lacis::isa> isa = {};  ///< nothing: default_isa()
};

}  // namespace lacis

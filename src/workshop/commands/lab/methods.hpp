// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which methods a user of lacis lab means.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/lab.hpp"

namespace lacis::app {

/// The methods with the names or families in `wanted` (all when empty) and blocks of one of the sizes in `blocks` (when
/// empty: the one that has the family's name), each once, in their order. A name that only one method has means that
/// method whatever its block. Throws error(invalid_argument), with a suggestion for a name that does not exist.
[[nodiscard]] std::vector<std::string> choose_methods(std::span<const lab::method_facts> all,
                                                      std::span<const std::string> wanted, std::span<const int> blocks);

}  // namespace lacis::app

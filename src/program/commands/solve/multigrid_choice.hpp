// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What commands with --preconditioner amg let their users choose about multigrid.
#pragma once

#include <string>

#include <lacis/multigrid.hpp>

#include "parse/option_list.hpp"

namespace lacis::app {

struct multigrid_choice {
  std::string cycle;     ///< empty: v
  std::string smoother;  ///< empty: as the matrix suggests
};

void add_multigrid(option_list& options, multigrid_choice& choice);
/// Throws error(invalid_argument) for a name that there is not, and where something is chosen for another
/// preconditioner. `command`: whose help lists the names.
[[nodiscard]] multigrid_options multigrid_options_of(const multigrid_choice& choice, const std::string& preconditioner,
                                                     const char* command);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/solve/multigrid_choice.hpp"

#include <lacis/error.hpp>
#include <lacis/precondition.hpp>

#include "parse/kind.hpp"

namespace lacis::app {

void add_multigrid(option_list& options, multigrid_choice& choice) {
  options
      .add("--cycle " + names_of_kind<multigrid_cycle, multigrid_cycles>(), choice.cycle,
           "amg: V-cycle, W-cycle or K-cycle; w and k suit coefficients that jump")
      .otherwise("v");
  options
      .add("--smoother " + names_of_kind<multigrid_smoother, multigrid_smoothers>(), choice.smoother,
           "amg: smoother of every level")
      .otherwise("chebyshev, or l1-jacobi where A is not Hermitian");
}

multigrid_options multigrid_options_of(const multigrid_choice& choice, const std::string& preconditioner,
                                       const char* command) {
  if ((!choice.cycle.empty() || !choice.smoother.empty()) && preconditioner != name_of(preconditioner_kind::amg))
    throw error(errc::invalid_argument, "--cycle and --smoother are for multigrid; give --preconditioner amg");
  multigrid_options options;
  if (!choice.cycle.empty())
    options.cycle = parse_kind<multigrid_cycle, multigrid_cycles>(choice.cycle, "cycle", command);
  if (!choice.smoother.empty())
    options.smoother = parse_kind<multigrid_smoother, multigrid_smoothers>(choice.smoother, "smoother", command);
  return options;
}

}  // namespace lacis::app

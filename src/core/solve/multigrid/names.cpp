// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Names of what can be chosen about a hierarchy.
#include <array>

#include <lacis/multigrid.hpp>

namespace lacis {

std::string_view name_of(multigrid_cycle cycle) {
  constexpr std::array<std::string_view, multigrid_cycles> names = {"v", "w", "k"};
  return names[static_cast<std::size_t>(cycle)];
}

std::string_view name_of(multigrid_smoother smoother) {
  constexpr std::array<std::string_view, multigrid_smoothers> names = {"chebyshev", "l1-jacobi"};
  return names[static_cast<std::size_t>(smoother)];
}

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Whether MPI is installed, found without linking it.
#pragma once

#include <string>

namespace lacis::detail {

struct mpi_state {
  std::string launcher;  ///< where mpirun or mpiexec is, or empty
  std::string version;   ///< its first line of --version
};

[[nodiscard]] mpi_state look_for_mpi();

}  // namespace lacis::detail

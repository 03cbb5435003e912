// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lies beyond this machine: clusters. Nothing here links MPI; GPUs are lacis::look_for's.
#pragma once

#include <string>

namespace lacis::app {

struct mpi_state {
  std::string launcher;  ///< where mpirun or mpiexec is, or empty
  std::string version;   ///< its first line of --version
};

[[nodiscard]] mpi_state look_for_mpi();

}  // namespace lacis::app

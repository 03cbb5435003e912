// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lies beyond the processor: GPUs and clusters. Nothing here links CUDA or MPI.
#pragma once

#include <string>

namespace lacis::app {

struct cuda_state {
  bool driver_found = false;  ///< libcuda.so.1 can be opened
  int driver_version = 0;     ///< 12040 is 12.4; 0 when the driver does not say
  int devices = 0;
  std::string problem;          ///< why there are no devices, in words
  std::string management_tool;  ///< where nvidia-smi is, or empty
};

[[nodiscard]] cuda_state look_for_cuda();

struct mpi_state {
  std::string launcher;  ///< where mpirun or mpiexec is, or empty
  std::string version;   ///< its first line of --version
};

[[nodiscard]] mpi_state look_for_mpi();

}  // namespace lacis::app

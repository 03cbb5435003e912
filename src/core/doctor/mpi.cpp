// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// MPI by asking its launcher.
#include "doctor/mpi.hpp"

#include <cstdio>
#include <memory>

#include "base/machine.hpp"

namespace lacis::detail {
namespace {

struct close_pipe {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

}  // namespace

mpi_state look_for_mpi() {
  mpi_state state;
  for (const char* name : {"mpirun", "mpiexec"})
    if (state.launcher.empty()) state.launcher = find_program(name);
  if (state.launcher.empty() || state.launcher.find('\'') != std::string::npos) return state;
  const std::unique_ptr<std::FILE, close_pipe> pipe(
      popen(("'" + state.launcher + "' --version 2>/dev/null").c_str(), "re"));
  char line[256] = {};
  if (pipe != nullptr && std::fgets(line, sizeof line, pipe.get()) != nullptr) {
    state.version = line;
    while (!state.version.empty() && state.version.back() == '\n') state.version.pop_back();
  }
  return state;
}

}  // namespace lacis::detail

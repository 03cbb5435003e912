// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// GPUs by opening the driver's library, MPI by asking its launcher.
#include "app/devices.hpp"

#include <cstdio>
#include <dlfcn.h>
#include <memory>

#include "app/machine.hpp"

namespace lacis::app {
namespace {

struct close_library {
  void operator()(void* library) const { dlclose(library); }
};

struct close_pipe {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

template <class Function> Function* find_function(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

cuda_state look_for_cuda() {
  cuda_state state;
  state.management_tool = find_program("nvidia-smi");
  const std::unique_ptr<void, close_library> driver(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL));
  if (driver == nullptr) {
    state.problem = "no NVIDIA driver: libcuda.so.1 cannot be opened";
    return state;
  }
  state.driver_found = true;
  auto* const initialise = find_function<int(unsigned)>(driver.get(), "cuInit");
  auto* const get_version = find_function<int(int*)>(driver.get(), "cuDriverGetVersion");
  auto* const count_devices = find_function<int(int*)>(driver.get(), "cuDeviceGetCount");
  if (initialise == nullptr || get_version == nullptr || count_devices == nullptr) {
    state.problem = "libcuda.so.1 is not an NVIDIA driver";
    return state;
  }
  get_version(&state.driver_version);
  if (const int code = initialise(0); code != 0)
    state.problem = "the driver does not start (CUDA error " + std::to_string(code) + ")";
  else if (count_devices(&state.devices) != 0 || state.devices == 0)
    state.problem = "the driver sees no device";
  return state;
}

mpi_state look_for_mpi() {
  mpi_state state;
  for (const char* name : {"mpirun", "mpiexec"})
    if (state.launcher.empty()) state.launcher = find_program(name);
  if (state.launcher.empty()) return state;
  const std::unique_ptr<std::FILE, close_pipe> pipe(
      popen(("'" + state.launcher + "' --version 2>/dev/null").c_str(), "re"));
  char line[256] = {};
  if (pipe != nullptr && std::fgets(line, sizeof line, pipe.get()) != nullptr) {
    state.version = line;
    while (!state.version.empty() && state.version.back() == '\n') state.version.pop_back();
  }
  return state;
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Plugins that have devices: found, examined and opened, once in the life of a process.
#pragma once

#include <string>

#include <lacis/device.hpp>

#include "base/internal.hpp"
#include "device/table.hpp"

namespace lacis::device {

/// What tells one plugin from another.
struct plugin_name {
  const char* title;     ///< for messages: "CUDA"
  const char* file;      ///< "liblacis_cuda.so"
  const char* symbol;    ///< the function that gives the table
  const char* variable;  ///< of the environment, which may name another file
  const char* option;    ///< of CMake, which builds it
};
inline constexpr plugin_name cuda_name{"CUDA", "liblacis_cuda.so", "lacis_cuda_runtime", "LACIS_CUDA_PLUGIN",
                                       "LACIS_WITH_CUDA"};
inline constexpr plugin_name simt_name{"host executor", "liblacis_simt.so", "lacis_simt_runtime", "LACIS_SIMT_PLUGIN",
                                       "LACIS_WITH_SIMT"};
/// The CUDA plugin once more, over an interpreter instead of NVIDIA's runtime; for lacis verify.
inline constexpr plugin_name ptx_name{"PTX", "liblacis_ptx.so", "lacis_cuda_runtime", "LACIS_PTX_PLUGIN",
                                      "LACIS_WITH_CUDA=ON and LACIS_BUILD_TESTS"};

/// The table, or why there is none.
struct plugin {
  const lacis_runtime* table = nullptr;
  void* library = nullptr;  ///< as dlopen gives it; null for what is linked into the program
  device_state state = device_state::no_plugin;
  std::string file;
  std::string problem;
  std::string advice;
};

/// Opens the file; an empty name means the usual places. A file that is cut short or belongs to another machine is
/// told from its headers: the loader would crash on it.
[[nodiscard]] plugin open_plugin(const plugin_name& which, const std::string& file);

/// The plugins of this process: the file that the environment names, or the usual places; opened at the first call.
[[nodiscard]] const plugin& cuda_plugin();
/// What is linked into the program itself comes first.
[[nodiscard]] const plugin& simt_plugin();
[[nodiscard]] LACIS_INTERNAL const plugin& ptx_plugin();

}  // namespace lacis::device

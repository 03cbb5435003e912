// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA plugin: found, examined and opened, once in the life of a process.
#pragma once

#include <string>

#include <lacis/device.hpp>

#include "device/table.hpp"

namespace lacis::device {

/// The table, or why there is none.
struct plugin {
  const lacis_runtime* table = nullptr;
  device_state state = device_state::no_plugin;
  std::string file;
  std::string problem;
  std::string advice;
};

/// Opens the file; an empty name means the usual places. A file that is cut short or belongs to another machine is
/// told from its headers: the loader would crash on it.
[[nodiscard]] plugin open_plugin(const std::string& file);

/// The plugin of this process: LACIS_CUDA_PLUGIN, or the usual places; opened at the first call.
[[nodiscard]] const plugin& cuda_plugin();

}  // namespace lacis::device

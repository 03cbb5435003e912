// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The one interpreter of a process: what was registered, its memory, and the modules of each architecture.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "ptx/machine.hpp"

namespace lacis::ptx {

/// A device has the number of its architecture; 0 is the first of them. CUB and the plugin remember so many.
inline constexpr int most_devices = 128;

class interpreter {
 public:
  void add_binary(const void* wrapper);
  void add_kernel(const void* host_function, const char* name) { names_[host_function] = name; }

  /// 0 when there is no PTX for the device.
  [[nodiscard]] int architecture_of(int device);
  /// The kernel's code on the device in use, or null. Throws fault when the PTX cannot be read.
  [[nodiscard]] const kernel* find(const void* host_function);
  void launch(const void* host_function, const launch_shape& shape, void** arguments);

  [[nodiscard]] device_memory& memory() { return memory_; }
  [[nodiscard]] machine& runs() { return machine_; }
  /// What the launches of each kernel did that were counted.
  [[nodiscard]] const std::map<std::string, lacis_ptx_counters>& counted() const { return counted_; }
  int device = 0;          ///< in use
  std::string last_fault;  ///< in words

 private:
  void find_texts();
  [[nodiscard]] const module& module_of(int architecture);

  std::vector<const void*> binaries_;
  std::unordered_map<const void*, std::string> names_;
  std::multimap<int, std::string> texts_;  ///< by architecture, read when the first device is asked for
  std::map<int, module> modules_;
  device_memory memory_{std::size_t{1} << 32};
  machine machine_{memory_};
  std::map<std::string, lacis_ptx_counters> counted_;
};

[[nodiscard]] interpreter& the_interpreter();

}  // namespace lacis::ptx

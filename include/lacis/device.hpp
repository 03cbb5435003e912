// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which devices there are, and what one of them is or lacks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <lacis/export.hpp>

namespace lacis {

/// What computes: the processor, the device kernels under the host executor (slow; for checking), or an NVIDIA GPU.
enum class device_kind {
  cpu,   ///< the processor
  simt,  ///< device kernels under the host executor
  cuda   ///< an NVIDIA GPU
};

/// A device: what kind, and which of its kind.
struct device_id {
  device_kind kind = device_kind::cpu;  ///< what computes
  int number = 0;                       ///< of several GPUs

  /// Whether both are the same device.
  friend constexpr bool operator==(const device_id&, const device_id&) = default;
};

/// Devices by name, to be used whole: `using namespace lacis::devices;`, then {.device = cuda(0)}.
namespace devices {
/// The processor.
[[nodiscard]] constexpr device_id cpu() { return {}; }
/// The device kernels under the host executor, which checks every access: for tests, not for speed.
[[nodiscard]] constexpr device_id simt() { return {device_kind::simt, 0}; }
/// The NVIDIA GPU of that number, as CUDA counts them.
[[nodiscard]] constexpr device_id cuda(int number = 0) { return {device_kind::cuda, number}; }
}  // namespace devices

/// "cpu", "simt", "cuda:0".
[[nodiscard]] LACIS_API std::string name_of(device_id device);
/// From "cpu", "simt", "cuda" or "cuda:1". Throws error(invalid_argument) for anything else.
[[nodiscard]] LACIS_API device_id device_named(std::string_view name);

/// Whether a device can be used, and if not, what is missing.
enum class device_state {
  ready,           ///< products can run there
  no_plugin,       ///< liblacis_cuda.so is not there
  corrupt_plugin,  ///< it is there, but not a whole library of ours
  other_plugin,    ///< it belongs to another version of lacis
  no_driver,       ///< this machine has no NVIDIA driver
  old_driver,      ///< it has one that is too old for the plugin
  no_device,       ///< the driver sees no GPU, or none of that number
  no_kernels,      ///< the plugin has no kernels for this GPU
  failed           ///< the driver reports something else
};

/// What was found where a device should be. Absence is an ordinary state with its own words.
struct device_report {
  device_state state = device_state::ready;  ///< whether it can be used
  std::string plugin;                        ///< the file that was opened or tried, or empty
  std::string problem;                       ///< in words; empty when ready
  std::string advice;                        ///< what to do about it
  std::string name;                          ///< of the device
  int architecture = 0;                      ///< 80 for compute capability 8.0; 0 for the host executor
  int multiprocessors = 0;                   ///< of a GPU
  std::int64_t memory_bytes = 0;             ///< of the device, free or not
  int driver_version = 0;                    ///< 13000 is CUDA 13.0; 0 when there is none
  int toolkit_version = 0;                   ///< that the kernels were compiled with, likewise

  /// Whether products can run there.
  [[nodiscard]] bool ready() const { return state == device_state::ready; }
};

/// Looks without changing anything; for cuda it opens the plugin, which is the file that LACIS_CUDA_PLUGIN names or
/// liblacis_cuda.so beside the library or on the loader's path. Never throws for what is missing.
[[nodiscard]] LACIS_API device_report look_for(device_id device);

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Devices by name, and what is found where one should be.
#include <charconv>
#include <system_error>

#include <lacis/device.hpp>
#include <lacis/error.hpp>

#include "base/text.hpp"
#include "device/plugin.hpp"

namespace lacis {
namespace {

device_state state_of(std::int32_t code) {
  switch (code) {
    case lacis_code_ok:
      return device_state::ready;
    case lacis_code_no_driver:
      return device_state::no_driver;
    case lacis_code_old_driver:
      return device_state::old_driver;
    case lacis_code_no_device:
      return device_state::no_device;
    case lacis_code_no_kernels:
      return device_state::no_kernels;
    default:
      return device_state::failed;
  }
}

const char* advice_for(device_state state) {
  switch (state) {
    case device_state::no_driver:
      return "install NVIDIA's driver where there is a GPU; lacis computes on the processor";
    case device_state::old_driver:
      return "update the driver";
    case device_state::no_device:
      return "nvidia-smi lists what the driver sees; CUDA_VISIBLE_DEVICES may hide devices";
    case device_state::no_kernels:
      return "build the plugin with the preset cuda-release, or add the architecture to CMAKE_CUDA_ARCHITECTURES";
    default:
      return "nvidia-smi gives details";
  }
}

}  // namespace

std::string name_of(device_id device) {
  switch (device.kind) {
    case device_kind::cpu:
      return "cpu";
    case device_kind::simt:
      return "simt";
    case device_kind::cuda:
      break;
  }
  return detail::text("cuda:", device.number);
}

device_id device_named(std::string_view name) {
  if (name == "cpu") return devices::cpu();
  if (name == "simt") return devices::simt();
  if (name == "cuda") return devices::cuda();
  constexpr std::string_view prefix = "cuda:";
  if (name.starts_with(prefix) && name.size() > prefix.size()) {
    int number = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, failed] = std::from_chars(name.data() + prefix.size(), end, number);
    if (failed == std::errc() && rest == end && number >= 0) return devices::cuda(number);
  }
  throw error(errc::invalid_argument,
              detail::text("there is no device '", name, "'; take cpu, simt, cuda, or cuda:1 for the second GPU"));
}

device_report look_for(device_id device) {
  device_report report;
  if (device.kind == device_kind::cpu) {
    report.name = "processor";
    return report;
  }
  const bool simt = device.kind == device_kind::simt;
  const device::plugin& opened = simt ? device::simt_plugin() : device::cuda_plugin();
  report.state = opened.state;
  report.plugin = opened.file;
  report.problem = opened.problem;
  report.advice = opened.advice;
  if (simt) report.name = "host executor";
  if (simt || opened.table == nullptr) return report;
  lacis_device_facts facts;
  const std::int32_t code = opened.table->probe(opened.table->state, device.number, &facts);
  report.state = state_of(code);
  report.name = facts.name;
  report.architecture = facts.architecture;
  report.multiprocessors = facts.multiprocessors;
  report.memory_bytes = facts.memory_bytes;
  report.driver_version = facts.driver;
  report.toolkit_version = facts.toolkit;
  if (code == lacis_code_ok) return report;
  report.problem = opened.table->message(opened.table->state, code);
  report.advice = advice_for(report.state);
  return report;
}

}  // namespace lacis

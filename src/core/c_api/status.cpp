// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/status.hpp"

#include <lacis/version.hpp>

namespace lacis::c_api {
namespace {
constexpr std::size_t longest_message = 2048;
thread_local char last_message[longest_message] = "";

constexpr const char* names[] = {"ok",           "invalid argument", "invalid matrix", "bad input",
                                 "input/output", "unsupported",      "overflow",       "out of memory",
                                 "no device",    "kernel fault",     "stopped",        "internal error"};
}  // namespace

lacis_status failed(lacis_status status, const char* message) noexcept {
  std::strncpy(last_message, message, longest_message - 1);
  return status;
}

lacis_status status_of(errc code) noexcept {
  static_assert(static_cast<int>(errc::invalid_argument) + 1 == LACIS_INVALID_ARGUMENT &&
                static_cast<int>(errc::kernel_fault) + 1 == LACIS_KERNEL_FAULT);
  return static_cast<lacis_status>(static_cast<int>(code) + 1);
}

}  // namespace lacis::c_api

const char* lacis_status_name(lacis_status status) {
  const auto number = static_cast<std::size_t>(status);
  return number < std::size(lacis::c_api::names) ? lacis::c_api::names[number] : "unknown status";
}

const char* lacis_last_error(void) { return lacis::c_api::last_message; }

const char* lacis_version(void) { return lacis::version().data(); }

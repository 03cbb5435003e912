// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/status.hpp"

#include <memory>
#include <string>

#include <lacis/version.hpp>

namespace lacis::c_api {
namespace {
// A pointer per thread, not an array: libraries that are opened at run time have little room for what threads own.
thread_local std::unique_ptr<std::string> last_message;

constexpr const char* names[] = {"ok",           "invalid argument", "invalid matrix", "bad input",
                                 "input/output", "unsupported",      "overflow",       "out of memory",
                                 "no device",    "kernel fault",     "stopped",        "internal error"};
}  // namespace

lacis_status failed(lacis_status status, const char* message) noexcept {
  try {
    last_message = std::make_unique<std::string>(message);
  } catch (const std::bad_alloc&) {
    last_message.reset();
  }
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

const char* lacis_last_error(void) { return lacis::c_api::last_message ? lacis::c_api::last_message->c_str() : ""; }

const char* lacis_version(void) { return lacis::version().data(); }

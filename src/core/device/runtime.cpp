// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Codes of a runtime become errors.
#include "device/runtime.hpp"

namespace lacis::device {

void runtime::check(std::int32_t code) const {
  if (code == 0) return;
  const std::string message = table_->message(table_->state, code);
  switch (code) {
    case lacis_code_no_memory:
      throw error(errc::out_of_memory, message);
    case lacis_code_kernel_fault:
      throw error(errc::kernel_fault, message);
    case lacis_code_invalid:
      throw error(errc::invalid_argument, message);
    case lacis_code_no_driver:
    case lacis_code_old_driver:
    case lacis_code_no_device:
    case lacis_code_no_kernels:
      throw error(errc::no_device, message);
    default:
      throw error(errc::unsupported, message);
  }
}

}  // namespace lacis::device

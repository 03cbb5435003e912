// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the operating system reports of this machine, and what this process may use of it.
#pragma once

#include "base/machine.hpp"
#include "base/machine_memory.hpp"

namespace lacis::app {

using detail::available_memory;
using detail::memory_of_machine;
using detail::memory_of_process;
using detail::process_memory;
using detail::processor_model;
using detail::usable_memory;

}  // namespace lacis::app

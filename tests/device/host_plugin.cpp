// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plugin whose GPU is the host executor: what is done with a device that is there can be tried where none is.
#include "simt/runtime.hpp"

extern "C" [[gnu::visibility("default")]] const lacis_runtime* lacis_cuda_runtime() {
  static const lacis::device::simt_runtime host;
  return &host.table();
}

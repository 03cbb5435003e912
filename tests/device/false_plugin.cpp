// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A library that looks like the CUDA plugin, or almost: of another version, with other kernels, or without the symbol.
#include "device/table.hpp"

#ifdef LACIS_FALSE_VERSION
extern "C" [[gnu::visibility("default")]] const lacis_runtime* lacis_cuda_runtime() {
  static const lacis_runtime table = [] {
    lacis_runtime t{};
    t.version = LACIS_FALSE_VERSION;
    t.size = sizeof t;
    return t;
  }();
  return &table;
}
#endif

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "callbacks.hpp"

namespace lacis_python {

thread_local std::exception_ptr pending_exception::kept_;

int observer::monitor(void* self, std::int64_t iteration, double residual) {
  auto& o = *static_cast<observer*>(self);
  try {
    o.history.push_back(residual);
  } catch (const std::bad_alloc&) {
    o.history.clear();
  }
  return o.report(iteration, residual) ? 1 : 0;
}

int observer::progress(void* self, const char* stage, double share) {
  return static_cast<observer*>(self)->report(stage, share) ? 1 : 0;
}

}  // namespace lacis_python

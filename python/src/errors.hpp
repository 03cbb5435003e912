// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Status codes of lacis.h as exceptions of Python (lacis/_errors.py).
#pragma once

#include <nanobind/nanobind.h>
#include <string>

#include <lacis/lacis.h>

namespace lacis_python {

/// Throws the exception of Python for a status.
[[noreturn]] void raise(lacis_status status, const std::string& message);
/// The same with lacis_last_error(), unless the status is LACIS_OK. Called in the thread that made the call.
inline void require_ok(lacis_status status) {
  if (status != LACIS_OK) raise(status, lacis_last_error());
}
/// Exceptions of the C++ library that leave a function of this module become those of Python.
void translate_exceptions();

}  // namespace lacis_python

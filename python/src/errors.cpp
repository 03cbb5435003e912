// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <exception>

#include <lacis/error.hpp>

namespace lacis_python {

namespace nb = nanobind;

namespace {

void set(lacis_status status, const char* message) {
  const nb::object made = nb::module_::import_("lacis._errors").attr("from_status")(static_cast<int>(status), message);
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

lacis_status status_of(lacis::errc code) {
  switch (code) {
    case lacis::errc::invalid_argument:
      return LACIS_INVALID_ARGUMENT;
    case lacis::errc::invalid_matrix:
      return LACIS_INVALID_MATRIX;
    case lacis::errc::bad_input:
      return LACIS_BAD_INPUT;
    case lacis::errc::io:
      return LACIS_IO;
    case lacis::errc::unsupported:
      return LACIS_UNSUPPORTED;
    case lacis::errc::overflow:
      return LACIS_OVERFLOW;
    case lacis::errc::out_of_memory:
      return LACIS_OUT_OF_MEMORY;
    case lacis::errc::no_device:
      return LACIS_NO_DEVICE;
    case lacis::errc::kernel_fault:
      return LACIS_KERNEL_FAULT;
  }
  return LACIS_INTERNAL;
}

}  // namespace

void raise(lacis_status status, const std::string& message) {
  set(status, message.c_str());
  throw nb::python_error();
}

void translate_exceptions() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const lacis::error& e) {
      try {
        set(status_of(e.code()), e.what());
      } catch (nb::python_error& failed) {
        failed.restore();
      }
    }
  });
}

}  // namespace lacis_python
